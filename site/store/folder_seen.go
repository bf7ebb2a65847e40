package store

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"slices"
	"strconv"

	"github.com/lede-news/lede/site"
)

// seenFile is SITE.seen: a line with a hash in hexadecimal digits for each of
// site.Observation.Keys of the pages that a site has learned from. It is only
// appended to.
type seenFile struct {
	pages map[uint64]struct{}
	file  stamp
	end   int64 // of the last complete line
}

const (
	seenDigits = 16
	seenLine   = seenDigits + 1
	seenBytes  = 16 // of an entry in memory
)

// refresh reads what was added to the file. bad is not nil if the file is damaged; it
// must then be set aside, and the pages that can still be read are kept.
func (s *seenFile) refresh(path string) (bad, err error) {
	file, err := statFile(path)
	if err != nil || file.same(s.file) {
		return nil, err
	}
	if !s.file.exists() || !file.exists() || !os.SameFile(file.FileInfo, s.file.FileInfo) || file.size() < s.end {
		*s = seenFile{}
	}
	if !file.exists() {
		return nil, nil
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	b := make([]byte, file.size()-s.end)
	n, err := f.ReadAt(b, s.end)
	if b = b[:n]; n == 0 {
		return nil, err
	}
	b = b[:bytes.LastIndexByte(b, '\n')+1]
	for line := range bytes.Lines(b) {
		key, err := strconv.ParseUint(string(line[:len(line)-1]), 16, 64)
		if err != nil || len(line) != seenLine {
			bad = fmt.Errorf("%w: not the hash of a page: %.20q", site.ErrCorrupt, line)
			continue
		}
		s.pages = remember(s.pages, []uint64{key})
	}
	s.file, s.end = file, s.end+int64(len(b))
	if bad != nil { // the file is written again with the next page
		s.file, s.end = stamp{}, 0
	}
	return bad, nil
}

// append adds a page to the file.
func (s *seenFile) append(path string, page []uint64) error {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE, 0o644)
	if err != nil {
		return err
	}
	pages := slices.Clone(page)
	if s.end == 0 { // all, if the file was damaged
		for known := range s.pages {
			pages = append(pages, known)
		}
	}
	var b []byte
	for _, key := range pages {
		b = fmt.Appendf(b, "%0*x\n", seenDigits, key)
	}
	_, err = f.WriteAt(b, s.end)
	if err == nil {
		err = f.Truncate(s.end + int64(len(b))) // what a crash left of a line
	}
	if err = errors.Join(err, f.Close()); err != nil {
		return err
	}
	s.pages = remember(s.pages, page)
	s.end += int64(len(b))
	s.file, err = statFile(path)
	return err
}
