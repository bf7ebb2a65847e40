package label

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// replaceFile puts a file in the place of another in one step, and returns when
// it is on disk.
func replaceFile(file string, data []byte) (err error) {
	mode := fs.FileMode(0o644)
	if real, err := filepath.EvalSymlinks(file); err == nil {
		file = real // a link stays one
	}
	if fi, err := os.Stat(file); err == nil {
		mode = fi.Mode().Perm()
	}
	dir := filepath.Dir(file)
	fresh, err := os.CreateTemp(dir, "."+filepath.Base(file)+"-*.tmp")
	if err != nil {
		return fmt.Errorf("writing %s: %w", file, err)
	}
	defer func() {
		if err != nil {
			err = fmt.Errorf("writing %s: %w", file, errors.Join(err, os.Remove(fresh.Name())))
		}
	}()
	_, err = fresh.Write(data)
	if err == nil {
		err = fresh.Chmod(mode)
	}
	if err == nil {
		err = fresh.Sync()
	}
	if err = errors.Join(err, fresh.Close()); err != nil {
		return err
	}
	if err = os.Rename(fresh.Name(), file); err != nil {
		return err
	}
	syncDir(dir)
	return nil
}

// syncDir makes the new name last. Not every system can; the file is whole in any case.
func syncDir(dir string) {
	d, err := os.Open(dir)
	if err != nil {
		return
	}
	_ = d.Sync()
	_ = d.Close()
}
