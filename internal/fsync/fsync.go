// Package fsync makes changes of directories durable.
package fsync

import (
	"errors"
	"os"
	"runtime"
	"syscall"
)

// Dir makes the names in a directory survive a crash of the machine: those of
// files that were created, renamed or removed. Windows has no such call.
func Dir(path string) error {
	if runtime.GOOS == "windows" {
		return nil
	}
	d, err := os.Open(path)
	if err != nil {
		return err
	}
	defer d.Close()
	if err := d.Sync(); err != nil && !errors.Is(err, syscall.EINVAL) { // the file system cannot do it
		return err
	}
	return nil
}
