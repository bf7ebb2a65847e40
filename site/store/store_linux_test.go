package store

import (
	"errors"
	"github.com/lede-news/lede/internal/lab/testkit"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
)

// limitFileSize makes the disk look full to this process: no file can grow beyond
// that many bytes.
func limitFileSize(bytes string) {
	n, err := strconv.ParseUint(bytes, 10, 64)
	if err != nil {
		panic(err)
	}
	signal.Ignore(syscall.SIGXFSZ)
	if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &syscall.Rlimit{Cur: n, Max: n}); err != nil {
		panic(err)
	}
}

// TestFileSizeLimit simulates a full disk: pages that were acknowledged are
// stored, and those that were not are reported.
func TestFileSizeLimit(t *testing.T) {
	limits := map[string][]string{"sqlite": {"30000", "200000", "500000"}, "folder": {"30000", "70000"}}
	if testing.Short() {
		limits = map[string][]string{"sqlite": {"200000"}, "folder": {"30000"}}
	}
	for _, kind := range kinds {
		for _, limit := range limits[kind.name] {
			t.Run(kind.name+"/"+limit, func(t *testing.T) {
				path := kind.path(t.TempDir())
				w := startWriter(t, path, 0, batch, 1, limit)
				acked := <-w.acked
				w.cmd.Wait()
				code := w.cmd.ProcessState.ExitCode()
				if code != childNoAdd && (code != childNoOpen || len(acked) > 0) {
					t.Errorf("exit status %d, want Add to fail, but not lookups", code)
				}
				s := open(t, path)
				if n := countAll(t, s); n != len(acked) {
					t.Errorf("%d pages of %d", n, len(acked))
				}
				t.Logf("%d pages before the disk was full", len(acked))
				add(t, s, childSite(0), 1000, 1010) // with space again
			})
		}
	}
}

// mount returns the path of a new small disk.
func mount(t *testing.T, size string) string {
	t.Helper()
	dir := t.TempDir()
	if out, err := exec.Command("mount", "-t", "tmpfs", "-o", "size="+size, "lede-test", dir).CombinedOutput(); err != nil {
		t.Skipf("needs the right to mount a small disk, as root has: %v: %s", err, out)
	}
	t.Cleanup(func() { // possible when a child that was killed is gone
		testkit.WaitFor(t, "unmounting "+dir, func() bool { return syscall.Unmount(dir, 0) == nil })
	})
	return dir
}

// TestFullDisk fills a small disk.
func TestFullDisk(t *testing.T) {
	for _, kind := range kinds {
		t.Run(kind.name, func(t *testing.T) {
			dir := mount(t, "1m")
			path := kind.path(dir)
			ballast := filepath.Join(dir, "ballast")
			if err := os.WriteFile(ballast, make([]byte, 500<<10), 0o644); err != nil {
				t.Fatal(err)
			}
			s, err := Open(path, Options{Report: func(err error) { t.Log(err) }})
			if err != nil {
				t.Fatal(err)
			}
			stored := 0
			for ; err == nil; stored++ {
				_, err = s.Add(t.Context(), "a.example"+strconv.Itoa(stored%50), observe(t, "a.example", stored))
			}
			stored-- // the last one failed
			t.Logf("after %d pages: %v", stored, err)
			if !errors.Is(err, ErrFull) {
				t.Error("want ErrFull")
			}
			count := func(s Store) (sum int) {
				for i := range 50 {
					sum += pages(t, s, "a.example"+strconv.Itoa(i))
				}
				return sum
			}
			if got := count(s); got != stored {
				t.Errorf("%d pages of %d while it is full", got, stored)
			}
			if err := os.Remove(ballast); err != nil {
				t.Fatal(err)
			}
			if _, err := s.Add(t.Context(), "a.example0", observe(t, "a.example", stored)); err != nil {
				t.Errorf("with space again: %v", err)
			}
			if err := s.Close(); err != nil {
				t.Error(err)
			}
			s = open(t, path)
			if got := count(s); got != stored+1 {
				t.Errorf("%d pages of %d after it was opened again", got, stored+1)
			}
		})
	}
}

// TestReadOnlyDisk opens stores on a read-only disk: one that was closed, and one
// whose writer was killed.
func TestReadOnlyDisk(t *testing.T) {
	for _, kind := range kinds {
		t.Run(kind.name, func(t *testing.T) {
			dir := mount(t, "8m")
			path := kind.path(dir)
			s := open(t, path)
			add(t, s, "a.example", 0, 20)
			s.Close()
			w := startWriter(t, path, 0, batch, 1)
			<-w.begun
			w.cmd.Process.Kill()
			<-w.acked
			w.cmd.Wait()
			if err := syscall.Mount("lede-test", dir, "tmpfs", syscall.MS_REMOUNT|syscall.MS_RDONLY, ""); err != nil {
				t.Fatal(err)
			}
			if s, err := Open(path, Options{}); !errors.Is(err, ErrReadOnly) {
				t.Errorf("to write: %v", err)
				if s != nil {
					s.Close()
				}
			}
			wantReadOnly(t, path, 20)
		})
	}
}

// TestLeftOpen checks that Close leaves no file open: a connection that SQLite
// keeps because of one statement would hold its locks.
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
