//go:build unix

package store

import (
	"errors"
	"os"
	"syscall"
)

// fileLock is a lock between processes. The system lets go of it when the
// process ends, however it ends.
type fileLock struct{ f *os.File }

func openLock(path string) (*fileLock, error) {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o644)
	if err != nil {
		return nil, err
	}
	return &fileLock{f}, nil
}

// try takes the lock, shared with others or for this process alone, unless
// somebody is in the way. A lock that is held already is changed to the other
// kind, or lost where that fails.
func (l *fileLock) try(alone bool) (bool, error) {
	how := syscall.LOCK_SH
	if alone {
		how = syscall.LOCK_EX
	}
	for {
		switch err := syscall.Flock(int(l.f.Fd()), how|syscall.LOCK_NB); {
		case err == nil:
			return true, nil
		case errors.Is(err, syscall.EWOULDBLOCK):
			return false, nil
		case !errors.Is(err, syscall.EINTR):
			return false, &os.PathError{Op: "lock", Path: l.f.Name(), Err: err}
		}
	}
}

func (l *fileLock) unlock() error { return syscall.Flock(int(l.f.Fd()), syscall.LOCK_UN) }

func (l *fileLock) close() error { return l.f.Close() }
