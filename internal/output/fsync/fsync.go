// Package fsync makes files and directories durable.
package fsync

import (
	"errors"
	"os"
	"path/filepath"
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

// WriteFile replaces a file. After a crash of the machine the file has either its old
// or its new content. Only one process at a time may write it.
func WriteFile(path string, data []byte) error {
	f, err := os.Create(path + ".new")
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	if err = errors.Join(err, f.Sync(), f.Close()); err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		return errors.Join(err, os.Remove(f.Name()))
	}
	return Dir(filepath.Dir(path))
}
