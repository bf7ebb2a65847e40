//go:build unix

package store

import (
	"errors"
	"syscall"
)

func isReadOnlyDisk(err error) bool { return errors.Is(err, syscall.EROFS) }

func isFullDisk(err error) bool {
	return errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT) || errors.Is(err, syscall.EFBIG)
}
