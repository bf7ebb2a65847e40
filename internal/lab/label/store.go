package label

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"
)

var (
	// ErrConflict means that the label has changed since it was read.
	ErrConflict = errors.New("the label was changed elsewhere")
	// ErrNoHistory means that there is nothing to undo.
	ErrNoHistory = errors.New("nothing to undo")
)

// Store is an open file of labels. Every change is on disk when a method returns,
// and changes by others, such as an editor or a second store, are read before the
// next change. It is safe for concurrent use.
type Store struct {
	file string
	now  func() time.Time

	mu      sync.Mutex
	labels  map[string]Label
	history map[string][]Label // earlier labels by page, the latest last
	written stamp
}

// stamp identifies a version of a file.
type stamp struct {
	size int64
	time time.Time
}

// OpenStore opens a file of labels, which need not exist.
func OpenStore(file string) (*Store, error) {
	file, err := filepath.Abs(file)
	if err != nil {
		return nil, err
	}
	s := &Store{file: file, now: time.Now, history: map[string][]Label{}}
	return s, s.refresh()
}

// File returns the path of the file.
func (s *Store) File() string { return s.file }

// All returns all labels, sorted by page.
func (s *Store) All() ([]Label, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.refresh(); err != nil {
		return nil, err
	}
	return s.sorted(), nil
}

// Get returns the label of a page, which may be empty, and its version.
func (s *Store) Get(page string) (l Label, version string, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.refresh(); err != nil {
		return Label{}, "", err
	}
	l = s.get(page)
	return l, l.version(), nil
}

// Put replaces a label if its version is the given one. Otherwise it returns
// ErrConflict, unless the label is equal to the current one: a change that is sent
// twice is not a conflict.
func (s *Store) Put(l Label, version string) (Label, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.refresh(); err != nil {
		return Label{}, err
	}
	now := s.get(l.Page)
	if now.content() == l.content() {
		return now, nil
	}
	if now.version() != version {
		return now, ErrConflict
	}
	l, err := s.set(l)
	if err == nil {
		s.history[l.Page] = append(s.history[l.Page], now)
	}
	return l, err
}

// Undo undoes the last change of the label of a page.
func (s *Store) Undo(page, version string) (Label, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.refresh(); err != nil {
		return Label{}, err
	}
	now, history := s.get(page), s.history[page]
	switch {
	case now.version() != version:
		return now, ErrConflict
	case len(history) == 0:
		return now, ErrNoHistory
	}
	l, err := s.set(history[len(history)-1])
	if err == nil {
		s.history[page] = history[:len(history)-1]
	}
	return l, err
}

// History returns the earlier labels of a page since the store was opened, the
// latest first.
func (s *Store) History(page string) []Label {
	s.mu.Lock()
	defer s.mu.Unlock()
	history := slices.Clone(s.history[page])
	slices.Reverse(history)
	return history
}

func (s *Store) get(page string) Label {
	if l, ok := s.labels[page]; ok {
		return l
	}
	return Label{Page: page}
}

// set changes a label and writes the file. On an error, nothing has changed.
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
		err = writeLabels(s.file, s.sorted())
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

// refresh reads the file if it has changed.
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

// stampOf returns the stamp of a file, or zero if it does not exist.
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
	return slices.SortedFunc(maps.Values(s.labels), func(a, b Label) int { return cmp.Compare(a.Page, b.Page) })
}

// content returns the label without its time, for comparisons.
func (l Label) content() string {
	l.Saved = time.Time{}
	if l.empty() {
		l.URL = ""
	}
	var b bytes.Buffer
	if err := l.write(&b); err != nil {
		return err.Error() // cannot happen
	}
	return b.String()
}

// version returns a hash of the label.
func (l Label) version() string {
	sum := sha256.Sum256([]byte(l.content()))
	return hex.EncodeToString(sum[:6])
}
