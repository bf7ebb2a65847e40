package label

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"sync"
	"time"

	"github.com/lede-news/lede/dom"
)

const (
	shelfRoom = 6 // pages: the one that is shown, its neighbours, and those of a second tab
	parseTime = 10 * time.Second
)

// doc is a page that was read. Its key stands for its bytes, and so for the numbers
// of its nodes.
type doc struct {
	*dom.Document
	page Page
	key  string
}

// shelf keeps the pages that were read last.
type shelf struct {
	mu   sync.Mutex
	docs []*doc // the latest last
}

func newShelf() *shelf { return &shelf{} }

// get is the page as it was read, if it is still there.
func (s *shelf) get(id string) *doc {
	s.mu.Lock()
	defer s.mu.Unlock()
	i := slices.IndexFunc(s.docs, func(d *doc) bool { return d.page.ID == id })
	if i < 0 {
		return nil
	}
	d := s.docs[i]
	s.docs = append(slices.Delete(s.docs, i, i+1), d)
	return d
}

// read reads the page anew.
func (s *shelf) read(ctx context.Context, p Page) (*doc, error) {
	page, charset, err := p.Read(ctx)
	if err != nil {
		return nil, err
	}
	sum := sha256.Sum256(page)
	key := hex.EncodeToString(sum[:6])
	if d := s.get(p.ID); d != nil && d.key == key {
		return d, nil
	}
	ctx, cancel := context.WithTimeout(ctx, parseTime)
	defer cancel()
	parsed, err := dom.Parse(ctx, page, dom.Options{HeaderCharset: charset})
	if err != nil {
		return nil, err
	}
	d := &doc{parsed, p, key}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.docs = append(slices.DeleteFunc(s.docs, func(o *doc) bool { return o.page.ID == p.ID }), d)
	s.docs = s.docs[max(0, len(s.docs)-shelfRoom):]
	return d, nil
}
