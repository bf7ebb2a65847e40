package store

import (
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
)

// limitEnv is the size in bytes beyond which no file of a child can grow.
const limitEnv = "LEDE_STORIES_LIMIT"

// limitFileSize makes the disk look full to this process.
func limitFileSize() {
	n, err := strconv.ParseUint(os.Getenv(limitEnv), 10, 64)
	if err != nil {
		return
	}
	signal.Ignore(syscall.SIGXFSZ)
	if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &syscall.Rlimit{Cur: n, Max: n}); err != nil {
		panic(err)
	}
}

// TestFullDisk writes until the disk is full: what was committed is there.
func TestFullDisk(t *testing.T) {
	list := newWriter(3).press(childArticles)
	for _, limit := range []string{"50000", "300000", "600000"} {
		path := filepath.Join(t.TempDir(), "s.db")
		self, err := os.Executable()
		if err != nil {
			t.Fatal(err)
		}
		cmd := exec.Command(self)
		cmd.Env = append(os.Environ(), childEnv+"="+path, limitEnv+"="+limit)
		var said strings.Builder
		cmd.Stderr = &said
		if err := cmd.Run(); err == nil {
			t.Fatalf("%s bytes were enough", limit)
		}
		if !strings.Contains(said.String(), path) {
			t.Errorf("%s: %s", limit, said.String())
		}
		s := open(t, path, Options{})
		checkIntegrity(t, s)
		checkFile(t, s)
		n := acked(t, path)
		for _, a := range list[:n] {
			if _, err := s.Find(t.Context(), a.ID); err != nil {
				t.Fatalf("%s was committed: %v", a.ID, err)
			}
		}
		t.Logf("%s bytes: %d articles, then %s", limit, n, strings.TrimSpace(said.String()))
	}
}
