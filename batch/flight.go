package batch

import (
	"encoding/binary"
	"errors"
	"io"
	"os"
)

// flight is a small file in which every worker keeps the number of the page it
// has in work. When the process dies of a page, as Go does when its stack or
// memory runs out, the file knows which pages it may have been.
type flight struct{ f *os.File }

const slot = 8 // bytes a worker: the number of the page, plus 1

func openFlight(path string) (*flight, error) {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o644)
	return &flight{f}, err
}

// note is one small write to memory of the system, which outlives the process.
// A page that cannot be noted is worked on all the same.
func (f *flight) note(worker int, number int64) {
	var b [slot]byte
	binary.LittleEndian.PutUint64(b[:], uint64(number)+1)
	_, _ = f.f.WriteAt(b[:], int64(worker)*slot)
}

// since reads the pages in work of which the first ones are not known to be done.
func (f *flight) since(done int64) map[int64]bool {
	suspects := map[int64]bool{}
	all, _ := io.ReadAll(io.NewSectionReader(f.f, 0, 1<<16))
	for ; len(all) >= slot; all = all[slot:] {
		if n := int64(binary.LittleEndian.Uint64(all)) - 1; n >= done {
			suspects[n] = true
		}
	}
	return suspects
}

func (f *flight) remove() error { return errors.Join(os.Remove(f.f.Name()), f.f.Close()) }
