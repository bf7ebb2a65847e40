package batch

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// childEnv is the journal that the test binary opens if it is run as a child.
const childEnv = "LEDE_BATCH_CHILD"

func TestMain(m *testing.M) {
	path := os.Getenv(childEnv)
	if path == "" {
		os.Exit(m.Run())
	}
	_, err := OpenJournal(path, source(), nil, Resume)
	fmt.Println(err)
	io.Copy(io.Discard, os.Stdin) // until it is killed
}

// TestTwoProcesses checks that one process at a time can write an output, and that
// the lock of a process ends with it.
func TestTwoProcesses(t *testing.T) {
	path := filepath.Join(t.TempDir(), "out.journal")
	for range 2 { // the second child finds what the first one left behind
		child, opened := startChild(t, path)
		if opened != "<nil>" {
			t.Fatalf("child: %s", opened)
		}
		if _, err := OpenJournal(path, source(), nil, Resume); !errors.Is(err, ErrLocked) {
			t.Errorf("while a child has it open: %v", err)
		}
		if second, opened := startChild(t, path); opened != ErrLocked.Error() {
			t.Errorf("second child: %s", opened)
		} else {
			second.Process.Kill()
		}
		child.Process.Kill()
		child.Wait()
	}
	j, err := OpenJournal(path, source(), nil, Resume)
	if err != nil {
		t.Fatal("after the child was killed: ", err)
	}
	if child, opened := startChild(t, path); opened != ErrLocked.Error() {
		t.Errorf("child, while the parent has it open: %s", opened)
	} else {
		child.Process.Kill()
	}
	if err := j.Remove(); err != nil {
		t.Error(err)
	}
	if left, _ := filepath.Glob(path + "*"); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

// startChild starts a child that opens a journal, and returns its error.
func startChild(t *testing.T, path string) (child *exec.Cmd, opened string) {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	child = exec.Command(self)
	child.Env = append(os.Environ(), childEnv+"="+path)
	child.Stderr = os.Stderr
	stdin, err := child.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	stdout, err := child.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := child.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		stdin.Close()
		child.Process.Kill()
		child.Wait()
	})
	line := bufio.NewScanner(stdout)
	line.Scan()
	return child, line.Text()
}
