package sink

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"github.com/lede-news/lede/batch"
)

// files are outputs of JSON lines. None of them is kept open: lines gather in
// memory and are appended many at once, so that thousands of shards cost no
// more than one.
type files struct {
	path    string
	shard   Shard
	pack    func([]byte) ([]byte, error)
	place   func(partial, final string) error // gives an output its name
	all     map[string]*output                // by the name they will have
	waiting int                               // bytes in memory
}

// output is one file.
type output struct {
	size   int64  // of the file
	lines  []byte // not yet in the file
	synced int64  // what of the file is safe
}

// The most that waits in memory, in one output and in all.
const (
	maxLines   = 1 << 20
	maxWaiting = 16 << 20
)

func openFiles(path string, opts Options, packed packing, place func(string, string) error) (*files, error) {
	pack, err := packed()
	if err != nil {
		return nil, err
	}
	s := &files{path: path, shard: opts.Shard, pack: pack, place: place, all: map[string]*output{}}
	for name, mark := range opts.Marks {
		s.all[name] = &output{size: mark, synced: mark}
		if opts.Finished {
			continue
		}
		if err := cut(s.file(name), mark); err != nil {
			return nil, err
		}
	}
	return s, nil
}

// cut takes away what was written after the last commit.
func cut(file string, size int64) error {
	fi, err := os.Stat(file)
	if err == nil && fi.Size() < size {
		err = fmt.Errorf("%d bytes where there were %d", fi.Size(), size)
	}
	if err == nil {
		err = os.Truncate(file, size)
	}
	if err != nil {
		return fmt.Errorf("%w: %s: %w", ErrDamaged, file, err)
	}
	return nil
}

// file is where an output is until it is whole.
func (s *files) file(name string) string { return Partial(filepath.Join(filepath.Dir(s.path), name)) }

func (s *files) Write(r *batch.Result) error {
	name := s.shard.name(filepath.Base(s.path), r)
	o := s.all[name]
	if o == nil {
		o = &output{}
		s.all[name] = o
	}
	o.lines = append(o.lines, r.JSON...)
	s.waiting += len(r.JSON)
	switch {
	case len(o.lines) >= maxLines:
		return s.flush(name, o, false)
	case s.waiting >= maxWaiting:
		for name, o := range s.all {
			if err := s.flush(name, o, false); err != nil {
				return err
			}
		}
	}
	return nil
}

// flush appends what waits in memory, and makes the file safe if asked.
func (s *files) flush(name string, o *output, sync bool) error {
	if len(o.lines) == 0 && (!sync || o.synced == o.size) {
		return nil
	}
	packed, err := s.pack(o.lines)
	if err != nil {
		return err
	}
	how := os.O_WRONLY | os.O_CREATE
	if o.size == 0 {
		how |= os.O_TRUNC // what is there was never committed
	}
	f, err := os.OpenFile(s.file(name), how, 0o644)
	if err != nil {
		return err
	}
	defer f.Close()
	if len(o.lines) > 0 {
		if _, err := f.WriteAt(packed, o.size); err != nil {
			return err
		}
		o.size += int64(len(packed))
		s.waiting -= len(o.lines)
		o.lines = o.lines[:0]
		if s.shard.BySite() {
			o.lines = nil // there may be very many
		}
	}
	if sync {
		if err := f.Sync(); err != nil {
			return err
		}
		o.synced = o.size
	}
	return f.Close()
}

func (s *files) Commit() (map[string]int64, error) {
	marks := map[string]int64{}
	for name, o := range s.all {
		if o.synced == o.size && len(o.lines) == 0 {
			continue
		}
		created := o.synced == 0
		if err := s.flush(name, o, true); err != nil {
			return nil, err
		}
		if created {
			if err := batch.SyncFolder(filepath.Dir(s.path)); err != nil {
				return nil, err
			}
		}
		marks[name] = o.size
	}
	return marks, nil
}

func (s *files) Finish() error {
	for _, name := range slices.Sorted(maps.Keys(s.all)) {
		partial, final := s.file(name), filepath.Join(filepath.Dir(s.path), name)
		if _, err := os.Stat(partial); errors.Is(err, fs.ErrNotExist) {
			if _, err := os.Stat(final); err == nil {
				continue // it was placed before
			}
		}
		if err := s.place(partial, final); err != nil {
			return err
		}
	}
	return batch.SyncFolder(filepath.Dir(s.path))
}

// Close forgets what was not committed.
func (s *files) Close() error { return nil }
