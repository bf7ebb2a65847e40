package outfile

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

func open(t *testing.T, path string) *Claims {
	t.Helper()
	c, err := OpenClaims(path)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestClaims(t *testing.T) {
	path := filepath.Join(t.TempDir(), "out.jsonl")
	c := open(t, path)
	if _, err := OpenClaims(path); !errors.Is(err, ErrLocked) {
		t.Errorf("opened twice: %v", err)
	}
	for _, files := range []map[string]int64{{"a": 0, "b c": 7}, {"a": 0}, {"a": 9}, nil} {
		if err := c.Add(files); err != nil {
			t.Fatal(err)
		}
	}
	c.Close()
	f, err := os.OpenFile(path+".begun", os.O_WRONLY|os.O_APPEND, 0)
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range [][]byte{Line([]byte("0 ../x")), Line([]byte("none")), []byte("00000000 0 wrong\n"), Line([]byte("0 whole"))[:14]} {
		if _, err := f.Write(line); err != nil {
			t.Fatal(err)
		}
	}
	f.Close()
	c = open(t, path)
	if got := slices.Sorted(c.Names()); !slices.Equal(got, []string{"a", "b c"}) {
		t.Errorf("claims %q", got)
	}
	if size, ok := c.Before("a"); size != 9 || !ok {
		t.Errorf("a: %d, %v", size, ok)
	}
	if err := errors.Join(c.Clear(), c.Clear(), c.Close()); err != nil {
		t.Fatal(err)
	}
	if left, _ := filepath.Glob(path + "*"); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

// TestCutOff checks that a claim that was cut off does not spoil the next one.
func TestCutOff(t *testing.T) {
	path := filepath.Join(t.TempDir(), "out.jsonl")
	if err := os.WriteFile(path+".begun", []byte("0123"), 0o644); err != nil {
		t.Fatal(err)
	}
	c := open(t, path)
	if err := errors.Join(c.Clear(), c.Add(map[string]int64{"a": 1}), c.Close()); err != nil {
		t.Fatal(err)
	}
	c = open(t, path)
	if _, ok := c.Before("a"); !ok {
		t.Error("the claim is lost")
	}
	c.Close()
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
