package outfile

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
)

func TestLock(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "a.lock")
	lock, err := NewLock(path)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := NewLock(path); !errors.Is(err, ErrLocked) {
		t.Errorf("locked twice: %v", err)
	}
	if err := lock.Release(); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(path); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("left behind: %v", err)
	}
	if _, err := NewLock(filepath.Join(path, "none", "a.lock")); err == nil || errors.Is(err, ErrLocked) {
		t.Errorf("in a folder that does not exist: %v", err)
	}
}

func TestTruncate(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a")
	if err := Truncate(path, 0); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("no file: %v", err)
	}
	if err := os.WriteFile(path, []byte("12345"), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		size int64
		fits bool
		want string
	}{{6, false, "12345"}, {5, true, "12345"}, {2, true, "12"}} {
		err := Truncate(path, c.size)
		if b, _ := os.ReadFile(path); (err == nil) != c.fits || string(b) != c.want {
			t.Errorf("to %d: %q, %v", c.size, b, err)
		}
	}
}
