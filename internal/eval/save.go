package eval

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
)

// Saver writes what systems gave as predictions: a folder a corpus, a file a
// system, a line a page. It is safe for concurrent use.
type Saver struct {
	lock    sync.Mutex
	dir     string
	systems []string
	files   map[string][]*saved // by corpus
}

type saved struct {
	*bufio.Writer
	file *os.File
}

// NewSaver makes the folder.
func NewSaver(dir string, systems []string) (*Saver, error) {
	return &Saver{dir: dir, systems: systems, files: map[string][]*saved{}}, os.MkdirAll(dir, 0o777)
}

// Add writes the outputs of a page.
func (s *Saver) Add(p *Page) error {
	s.lock.Lock()
	defer s.lock.Unlock()
	if s.files[p.Corpus] == nil {
		if err := s.open(p.Corpus); err != nil {
			return err
		}
	}
	for i, f := range s.files[p.Corpus] {
		row, err := json.Marshal(line(p.ID, p.Outputs[i]))
		if err != nil {
			return err
		}
		if _, err := f.Write(append(row, '\n')); err != nil {
			return fmt.Errorf("%s: %w", f.file.Name(), err)
		}
	}
	return nil
}

func (s *Saver) open(corpus string) error {
	dir := filepath.Join(s.dir, corpus)
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	for _, system := range s.systems {
		// coreex:r1 has a sign in it that not every file system takes
		f, err := os.Create(filepath.Join(dir, strings.NewReplacer(":", "-", "/", "-", `\`, "-").Replace(system)+".jsonl"))
		if err != nil {
			return err
		}
		s.files[corpus] = append(s.files[corpus], &saved{bufio.NewWriter(f), f})
	}
	return nil
}

// Close writes out what is left.
func (s *Saver) Close() error {
	var errs []error
	for _, files := range s.files {
		for _, f := range files {
			errs = append(errs, f.Flush(), f.file.Close())
		}
	}
	return errors.Join(errs...)
}
