package store

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestLeftOpen is that Close leaves no file open: a connection that SQLite
// keeps for the sake of one statement would hold its locks for ever.
func TestLeftOpen(t *testing.T) {
	for _, kind := range kinds {
		t.Run(kind.name, func(t *testing.T) {
			dir := t.TempDir()
			for range 3 {
				s := open(t, kind.path(dir))
				add(t, s, "a.example", 0, 1)
				pages(t, s, "a.example")
				for range s.Sites(t.Context()) {
					break
				}
				s.Forget(t.Context(), "a.example")
				s.Close()
			}
			fds, err := filepath.Glob("/proc/self/fd/*")
			if err != nil || len(fds) == 0 {
				t.Skipf("needs /proc: %v", err)
			}
			for _, fd := range fds {
				if file, _ := os.Readlink(fd); strings.HasPrefix(file, dir) {
					t.Errorf("%s is open", file)
				}
			}
		})
	}
}
