package outfile

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"maps"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/lede-news/lede/internal/output/fsync"
)

// Claims are the files that a program has begun and not recorded yet, each with the
// size that is recorded for an earlier file of its name, or 0.
//
// A program that records the sizes of its files elsewhere, together with what is in
// them, knows nothing of a file that it began just before it was killed. Claims are on
// disk before such a file is, so that the next process can tell it from a file of
// somebody else, which must not be changed. Only one process at a time can have them
// open.
type Claims struct {
	path  string
	lock  *Lock
	names map[string]int64
}

// OpenClaims locks PATH.lock and reads the claims in PATH.begun, if there are any.
func OpenClaims(path string) (*Claims, error) {
	lock, err := NewLock(path + ".lock")
	if err != nil {
		return nil, err
	}
	c := &Claims{path: path + ".begun", lock: lock, names: map[string]int64{}}
	b, err := os.ReadFile(c.path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, errors.Join(err, lock.Release())
	}
	for line := range bytes.Lines(b) {
		text, ok := CheckLine(line)
		size, name, _ := strings.Cut(string(text), " ")
		before, err := strconv.ParseInt(size, 10, 64)
		// A line that was cut off is a file that was never begun.
		if ok && err == nil && line[len(line)-1] == '\n' && filepath.Base(name) == name {
			c.names[name] = before
		}
	}
	return c, nil
}

// Before returns the size that was recorded when a name was claimed.
func (c *Claims) Before(name string) (size int64, claimed bool) {
	size, claimed = c.names[name]
	return size, claimed
}

// Names returns the claimed names.
func (c *Claims) Names() iter.Seq[string] { return maps.Keys(c.names) }

// Add claims files in the folder of the path, with the sizes that are recorded for
// their names. The claims are on disk when it returns.
func (c *Claims) Add(files map[string]int64) error {
	var lines []byte
	for name, size := range files {
		if before, claimed := c.names[name]; !claimed || before != size {
			lines = append(lines, Line(fmt.Appendf(nil, "%d %s", size, name))...)
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
	maps.Copy(c.names, files)
	return nil
}

// Clear gives up all claims, since the files are recorded or removed.
func (c *Claims) Clear() error {
	clear(c.names)
	if err := os.Remove(c.path); !errors.Is(err, fs.ErrNotExist) { // it may have a line that was cut off
		return err
	}
	return nil
}

// Close releases the lock. Claims stay.
func (c *Claims) Close() error { return c.lock.Release() }
