//go:build !unix

package store

import (
	"errors"
	"io/fs"
	"os"
	"time"
)

// fileLock is a file that is there while somebody has the lock. One that was
// left by a crash is taken over when it is old; nobody holds the lock for
// nearly as long. A shared lock is nothing at all: it only keeps others from
// moving a file that is open, which these systems refuse by themselves.
type fileLock struct {
	path string
	held bool
}

const staleLock = 30 * time.Second

func openLock(path string) (*fileLock, error) { return &fileLock{path: path + ".held"}, nil }

func (l *fileLock) try(alone bool) (bool, error) {
	if !alone {
		return true, l.unlock()
	}
	if l.held {
		return true, nil
	}
	f, err := os.OpenFile(l.path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o644)
	if err == nil {
		l.held = true
		return true, f.Close()
	}
	if !errors.Is(err, fs.ErrExist) {
		return false, err
	}
	if info, err := os.Stat(l.path); err == nil && time.Since(info.ModTime()) > staleLock {
		os.Remove(l.path) // the next try has it
	}
	return false, nil
}

func (l *fileLock) unlock() error {
	if !l.held {
		return nil
	}
	l.held = false
	return os.Remove(l.path)
}

func (l *fileLock) close() error { return l.unlock() }
