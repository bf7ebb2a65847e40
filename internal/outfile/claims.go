package outfile

import (
	"bytes"
	"errors"
	"io/fs"
	"iter"
	"maps"
	"os"
	"path/filepath"

	"github.com/lede-news/lede/internal/fsync"
)

// Claims are the files that a program has begun and not recorded yet.
//
// A program that records the sizes of its files elsewhere, together with what is in
// them, knows nothing of a file that it began just before it was killed. Claims are on
// disk before such a file is, so that the next process can tell it from a file of
// somebody else, which must not be changed. Only one process at a time can have them
// open.
type Claims struct {
	path  string
	lock  *Lock
	names map[string]bool
}

// OpenClaims locks PATH.lock and reads the claims in PATH.begun, if there are any.
func OpenClaims(path string) (*Claims, error) {
	lock, err := NewLock(path + ".lock")
	if err != nil {
		return nil, err
	}
	c := &Claims{path: path + ".begun", lock: lock, names: map[string]bool{}}
	b, err := os.ReadFile(c.path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, errors.Join(err, lock.Release())
	}
	for line := range bytes.Lines(b) {
		// A line that was cut off is a file that was never begun.
		if name, ok := CheckLine(line); ok && line[len(line)-1] == '\n' && filepath.Base(string(name)) == string(name) {
			c.names[string(name)] = true
		}
	}
	return c, nil
}

// Has reports whether a name is claimed.
func (c *Claims) Has(name string) bool { return c.names[name] }

// Names returns the claimed names.
func (c *Claims) Names() iter.Seq[string] { return maps.Keys(c.names) }

// Add claims names, on disk when it returns. They must be in the folder of the path.
func (c *Claims) Add(names ...string) error {
	var lines []byte
	for _, name := range names {
		if !c.names[name] {
			lines = append(lines, Line([]byte(name))...)
		}
	}
	if len(lines) == 0 {
		return nil
	}
	f, err := os.OpenFile(c.path, os.O_WRONLY|os.O_APPEND|os.O_CREATE, 0o644)
	if err != nil {
		return err
	}
	_, err = f.Write(lines)
	if err = errors.Join(err, f.Sync(), f.Close(), fsync.Dir(filepath.Dir(c.path))); err != nil {
		return err
	}
	for _, name := range names {
		c.names[name] = true
	}
	return nil
}

// Clear gives up all claims, since the files are recorded or removed.
func (c *Claims) Clear() error {
	if len(c.names) == 0 {
		return nil
	}
	clear(c.names)
	return os.Remove(c.path)
}

// Close releases the lock. Claims stay.
func (c *Claims) Close() error { return c.lock.Release() }
