package store

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
)

const (
	maxAsideLines = 1 << 20 // bytes of lines that cannot be read, kept for each site
	maxAsideFiles = 20      // files, likewise
)

// setAside takes what cannot be read out of the way. People may have spent an
// evening on a card, so that it is moved and never written over; lines of a log
// are copied, and go with the log.
func (s *folderStore) setAside(name string, r *sheet, bad []wound) error {
	if len(bad) == 0 {
		return nil
	}
	for _, w := range bad {
		if w.line != nil {
			if err := keepLine(w.path+".corrupt", w.line); err != nil {
				return err
			}
			s.report([]wound{w}, "is kept in "+w.path+".corrupt")
			continue
		}
		aside, err := asideName(w.path)
		if err != nil {
			return err
		}
		if err := os.Rename(w.path, aside); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		s.report([]wound{w}, "is now "+aside+", to be put right and renamed, or removed")
	}
	return s.fold(name, r)
}

// asideName is a free name; when all are taken, the last one.
func asideName(path string) (string, error) {
	for n := 1; ; n++ {
		aside := fmt.Sprintf("%s.corrupt-%d", path, n)
		if n == maxAsideFiles {
			return aside, nil
		}
		if _, err := os.Lstat(aside); errors.Is(err, fs.ErrNotExist) {
			return aside, nil
		} else if err != nil {
			return "", err
		}
	}
}

func keepLine(path string, line []byte) error {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o644)
	if err != nil {
		return err
	}
	info, err := f.Stat()
	if err == nil && info.Size() < maxAsideLines {
		_, err = f.Write(append(line[:len(line):len(line)], '\n'))
	}
	return errors.Join(err, f.Close())
}

func (s *folderStore) report(bad []wound, kept string) {
	for _, w := range bad {
		what, then := w.path, "what it held is learned anew from the pages to come"
		if w.line != nil {
			what, then = "a line of "+w.path, "that page is lost"
		}
		s.opts.Report(fmt.Errorf("store %s: %s cannot be read and %s; %s: %w", s.dir, what, kept, then, w.err))
	}
}
