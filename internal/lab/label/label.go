// Package label reads and writes labels of the headline and the body of pages,
// and has a web application to make them.
//
// A [Label] has two elements of a page, each identified by a [Mark]. A file of labels
// has one JSON object a line.
//
// The web application is for one local user. [Server] shows each page in a frame
// next to its tree. A [Store] writes every change to disk before it is reported as
// saved.
//
// The pages are not trusted. They are shown from the tree of package dom, without
// scripts, forms, frames and links, in a sandbox and with a content security
// policy, each of which alone prevents scripts from running.
package label

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"sync"
	"time"
)

// Label is the label of a page.
type Label struct {
	// Page is the ID of the page.
	Page  string `json:"page"`
	URL   string `json:"url,omitempty"`
	Title *Mark  `json:"title,omitempty"`
	Body  *Mark  `json:"body,omitempty"`
	// Done means that the label is complete. If a mark is missing, the page has no
	// such element.
	Done bool `json:"done"`
	// Skipped means that the page is not suitable for labelling.
	Skipped bool      `json:"skipped,omitempty"`
	Saved   time.Time `json:"saved,omitzero"`
}

// empty reports whether the label has no information.
func (l Label) empty() bool { return l.Title == nil && l.Body == nil && !l.Done && !l.Skipped }

// ReadLabels reads a file of labels. An unknown field is an error because it would be
// lost when the file is written.
func ReadLabels(file string) ([]Label, error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	var all []Label
	n := 0
	for line := range bytes.Lines(data) {
		if n++; len(bytes.TrimSpace(line)) == 0 {
			continue
		}
		var l Label
		d := json.NewDecoder(bytes.NewReader(line))
		d.DisallowUnknownFields()
		err := d.Decode(&l)
		switch {
		case err != nil:
		case l.Page == "":
			err = errors.New(`missing "page"`)
		case slices.ContainsFunc(all, func(o Label) bool { return o.Page == l.Page }):
			err = fmt.Errorf("page %s has two labels", l.Page)
		}
		if err != nil {
			return nil, fmt.Errorf("%s:%d: invalid label: %w", file, n, err)
		}
		all = append(all, l)
	}
	return all, nil
}

// Store is an open file of labels. Every change is on disk when Put returns. It is safe
// for concurrent use.
type Store struct {
	file   string
	mu     sync.Mutex
	labels []Label
}

// OpenStore opens a file of labels, which need not exist.
func OpenStore(file string) (*Store, error) {
	labels, err := ReadLabels(file)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	return &Store{file: file, labels: labels}, nil
}

// Get returns the label of a page, which may be empty.
func (s *Store) Get(page string) Label {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, l := range s.labels {
		if l.Page == page {
			return l
		}
	}
	return Label{Page: page}
}

// Put sets the label of a page and writes the file.
func (s *Store) Put(l Label) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	labels := slices.DeleteFunc(slices.Clone(s.labels), func(o Label) bool { return o.Page == l.Page })
	if !l.empty() {
		l.Saved = time.Now().UTC().Truncate(time.Second)
		labels = append(labels, l)
	}
	slices.SortFunc(labels, func(a, b Label) int { return cmp.Compare(a.Page, b.Page) })
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	for _, l := range labels {
		if err := enc.Encode(l); err != nil {
			return err
		}
	}
	// A rename replaces the file as a whole, even if the program is killed.
	if err := os.WriteFile(s.file+".tmp", b.Bytes(), 0o644); err != nil {
		return err
	}
	if err := os.Rename(s.file+".tmp", s.file); err != nil {
		return err
	}
	s.labels = labels
	return nil
}
