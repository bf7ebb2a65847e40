// Package outfile has what programs need that append to files over many runs: a lock,
// and marks of where a file ends.
package outfile

import (
	"errors"
	"fmt"
	"os"
	"runtime"

	"github.com/gofrs/flock"
)

// ErrLocked means that another process has the lock.
var ErrLocked = errors.New("another process is writing this output")

// Lock is a file that one process at a time can lock. The system releases the lock
// when the process ends, however it ends.
type Lock struct{ *flock.Flock }

// NewLock creates a file and locks it.
func NewLock(path string) (*Lock, error) {
	for {
		lock := flock.New(path, flock.SetPermissions(0o644))
		ok, err := lock.TryLock()
		if err != nil {
			return nil, err
		}
		if !ok {
			return nil, ErrLocked
		}
		// The process that had the lock before may have removed the file.
		mine, err := lock.Stat()
		current, statErr := os.Stat(path)
		if err == nil && statErr == nil && os.SameFile(mine, current) {
			return &Lock{lock}, nil
		}
		lock.Unlock()
	}
}

// Release removes the file and releases the lock.
func (l *Lock) Release() error {
	if runtime.GOOS == "windows" {
		// A file that is open cannot be removed. If another process has locked it
		// since, it stays.
		err := l.Unlock()
		os.Remove(l.Path())
		return err
	}
	return errors.Join(os.Remove(l.Path()), l.Unlock())
}

// Mark is where an output ends. A program records it before it writes more, so that after
// a crash the next process can remove what was written since. An output of several files
// has the one that is written to next in its mark, before the file is begun.
type Mark struct {
	File string `json:"file,omitempty"` // without its folder; empty if there is only one
	Size int64  `json:"size,omitempty"` // in bytes, or rows of a database
}

// Truncate removes what a file has after size bytes. It is an error if it has less.
func Truncate(file string, size int64) error {
	fi, err := os.Stat(file)
	if err == nil && fi.Size() < size {
		err = fmt.Errorf("%s has %d bytes, but had %d", file, fi.Size(), size)
	}
	if err == nil && fi.Size() > size {
		err = os.Truncate(file, size)
	}
	return err
}
