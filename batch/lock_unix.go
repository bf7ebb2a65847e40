//go:build unix

package batch

import (
	"errors"
	"fmt"
	"os"
	"syscall"
)

// lockFile opens a file for this process alone. The system lets go of the lock
// when the process ends, however it ends.
func lockFile(path string) (*os.File, error) {
	for {
		f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o644)
		if err != nil {
			return nil, fmt.Errorf("cannot write the result: %w", plain(err))
		}
		switch err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); {
		case errors.Is(err, syscall.EWOULDBLOCK):
			f.Close()
			return nil, ErrLocked
		case err != nil:
			f.Close()
			return nil, &os.PathError{Op: "lock", Path: path, Err: err}
		}
		// The file may have been removed by the one who had the lock before.
		mine, err := f.Stat()
		now, gone := os.Stat(path)
		if err == nil && gone == nil && os.SameFile(mine, now) {
			return f, nil
		}
		f.Close()
	}
}

// SyncFolder makes names in a folder safe against a crash of the machine.
func SyncFolder(path string) error {
	d, err := os.Open(path)
	if err != nil {
		return err
	}
	defer d.Close()
	if err := d.Sync(); err != nil && !errors.Is(err, syscall.EINVAL) {
		return err
	}
	return nil
}
