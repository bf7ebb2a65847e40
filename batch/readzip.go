package batch

import (
	"archive/zip"
	"fmt"
	"os"
	"sync/atomic"
)

// zip reads the pages of a zip archive. Workers unpack them, side by side.
func (a *archive) zip() {
	if a.raw == nil || a.file.kind == streamFile {
		a.fail(fmt.Errorf("%w: a zip archive has its list at its end and cannot be read from a pipe; save it to a file", ErrSource))
		return
	}
	f, err := os.Open(a.file.path)
	if err != nil {
		a.fail(plain(err))
		return
	}
	shared := &sharedFile{f: f}
	shared.take()
	defer shared.leave()
	z, err := zip.NewReader(f, a.file.size)
	if err != nil {
		a.fail(err)
		return
	}
	for i, entry := range z.File {
		if int64(i) < a.at.Record || entry.FileInfo().IsDir() || !isPage(entry.Name) {
			continue
		}
		a.at.Record = int64(i) + 1
		a.input.n += int64(entry.CompressedSize64)
		shared.take()
		if !a.emit(Page{ID: idOf(entry.Name), load: a.entry(entry, shared)}) {
			return
		}
	}
}

// entry reads a page of a zip archive.
func (a *archive) entry(entry *zip.File, shared *sharedFile) func(*Page) error {
	return func(p *Page) error {
		defer shared.leave()
		r, err := entry.Open()
		if err == nil {
			p.Body, err = a.body(r)
			r.Close()
		}
		if err != nil {
			return fmt.Errorf("%s in %s: %w", entry.Name, a.file.path, err)
		}
		return a.unpackBody(p)
	}
}

// sharedFile is closed by the last who leaves it.
type sharedFile struct {
	f    *os.File
	uses atomic.Int64
}

func (s *sharedFile) take() { s.uses.Add(1) }

func (s *sharedFile) leave() {
	if s.uses.Add(-1) == 0 {
		s.f.Close()
	}
}
