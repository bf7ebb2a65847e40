package label

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"
)

var (
	// ErrConflict means that the label is no longer what the change was made to.
	ErrConflict = errors.New("the label was changed elsewhere in the meantime")
	// ErrNoHistory means that there is nothing to undo.
	ErrNoHistory = errors.New("there is nothing to undo")
)

// Store is a file of labels at work: every change is on disk before it is
// acknowledged, and what others write to the file, an editor or a second store,
// is seen before the next change. It is safe for concurrent use.
type Store struct {
	file string
	now  func() time.Time

	mu      sync.Mutex
	labels  map[string]Label
	former  map[string][]Label // of each page, the latest last
	written stamp
}

// stamp tells whether a file is still the one that was read.
type stamp struct {
	size int64
	time time.Time
}

// OpenStore opens a file of labels, which need not be there yet.
func OpenStore(file string) (*Store, error) {
	file, err := filepath.Abs(file)
	if err != nil {
		return nil, err
	}
	s := &Store{file: file, now: time.Now, former: map[string][]Label{}}
	return s, s.refresh()
}

// File is where the labels are.
func (s *Store) File() string { return s.file }

// All are the labels in the order of their pages' IDs.
func (s *Store) All() ([]Label, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.refresh(); err != nil {
		return nil, err
	}
	return s.sorted(), nil
}

// Get is the label of a page, an empty one if there is none, and its version.
func (s *Store) Get(page string) (l Label, version string, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.refresh(); err != nil {
		return Label{}, "", err
	}
	l = s.get(page)
	return l, l.version(), nil
}

// Put replaces a label, if its version is still the one given. A label that says
// the same as the one in place is no change, whatever the version: whoever sends a
// change twice has not lost it.
func (s *Store) Put(l Label, version string) (Label, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.refresh(); err != nil {
		return Label{}, err
	}
	now := s.get(l.Page)
	if now.says() == l.says() {
		return now, nil
	}
	if now.version() != version {
		return now, ErrConflict
	}
	l, err := s.set(l)
	if err == nil {
		s.former[l.Page] = append(s.former[l.Page], now)
	}
	return l, err
}

// Undo brings the label of a page back to what it was before the last change.
func (s *Store) Undo(page, version string) (Label, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.refresh(); err != nil {
		return Label{}, err
	}
	now, former := s.get(page), s.former[page]
	switch {
	case now.version() != version:
		return now, ErrConflict
	case len(former) == 0:
		return now, ErrNoHistory
	}
	l, err := s.set(former[len(former)-1])
	if err == nil {
		s.former[page] = former[:len(former)-1]
	}
	return l, err
}

// History is what the label of a page was before, the latest first, since the
// store was opened.
func (s *Store) History(page string) []Label {
	s.mu.Lock()
	defer s.mu.Unlock()
	former := slices.Clone(s.former[page])
	slices.Reverse(former)
	return former
}

func (s *Store) get(page string) Label {
	if l, ok := s.labels[page]; ok {
		return l
	}
	return Label{Page: page}
}

// set writes the file with one label changed. When that fails, nothing has changed.
func (s *Store) set(l Label) (Label, error) {
	before, had := s.labels[l.Page]
	l.Saved = s.now().UTC().Truncate(time.Second)
	if l.empty() {
		l = Label{Page: l.Page}
		delete(s.labels, l.Page)
	} else {
		s.labels[l.Page] = l
	}
	err := os.MkdirAll(filepath.Dir(s.file), 0o777)
	if err == nil {
		err = WriteLabels(s.file, s.sorted())
	}
	if err != nil {
		if delete(s.labels, l.Page); had {
			s.labels[l.Page] = before
		}
		return before, err
	}
	s.written, _ = stampOf(s.file)
	return l, nil
}

// refresh reads the file if it is not as it was left.
func (s *Store) refresh() error {
	at, err := stampOf(s.file)
	if err != nil {
		return err
	}
	if s.labels != nil && at == s.written {
		return nil
	}
	list, err := ReadLabels(s.file)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	s.labels = make(map[string]Label, len(list))
	for _, l := range list {
		s.labels[l.Page] = l
	}
	s.written = at
	return nil
}

// stampOf is zero for a file that is not there.
func stampOf(file string) (stamp, error) {
	fi, err := os.Stat(file)
	if errors.Is(err, fs.ErrNotExist) {
		return stamp{}, nil
	}
	if err != nil {
		return stamp{}, err
	}
	return stamp{fi.Size(), fi.ModTime()}, nil
}

func (s *Store) sorted() []Label {
	list := make([]Label, 0, len(s.labels))
	for _, l := range s.labels {
		list = append(list, l)
	}
	slices.SortFunc(list, func(a, b Label) int { return cmp.Compare(a.Page, b.Page) })
	return list
}

// says is the label without when it was said, to compare.
func (l Label) says() string {
	l.Saved = time.Time{}
	if l.empty() {
		l.URL = ""
	}
	var b bytes.Buffer
	if err := l.write(&b); err != nil {
		return err.Error() // of plain fields: cannot be
	}
	return b.String()
}

// version tells labels of a page apart, also from one run of the server to the next.
func (l Label) version() string {
	sum := sha256.Sum256([]byte(l.says()))
	return hex.EncodeToString(sum[:6])
}
