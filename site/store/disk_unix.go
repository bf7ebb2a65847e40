//go:build unix

package store

import (
	"errors"
	"os"
	"syscall"
)

func isReadOnlyDisk(err error) bool { return errors.Is(err, syscall.EROFS) }

func isFullDisk(err error) bool {
	return errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT) || errors.Is(err, syscall.EFBIG)
}

// syncFolder syncs the names in a folder, which syncing a file does not.
func syncFolder(dir string) error {
	f, err := os.Open(dir)
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}
