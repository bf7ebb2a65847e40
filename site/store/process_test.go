package store

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"testing"
	"testing/synctest"
	"time"

	"github.com/lede-news/lede/internal/lab/testkit"
	"github.com/lede-news/lede/site"
)

// The test binary runs itself again as a child: childEnv is the path of the store,
// and the arguments are the first and last page to add.
const (
	childEnv = "LEDE_STORE_CHILD"
	batch    = 400 // of page numbers that only one writer uses
)

// The exit codes of a child that failed.
const (
	childFailed = iota + 11
	childNoOpen
	childNoAdd // but lookups work
)

func TestMain(m *testing.M) {
	if os.Getenv(childEnv) != "" {
		os.Exit(child(os.Getenv(childEnv), os.Args[1:]))
	}
	os.Exit(m.Run())
}

// childSite returns the site of a page: a third of the pages belong to a site of
// the writer, the others to two that all writers share.
func childSite(page int) string {
	if page%3 == 2 {
		return fmt.Sprintf("own%d.example", page/batch)
	}
	return fmt.Sprintf("shared%d.example", page%3)
}

// countAll sums up the pages of all sites.
func countAll(t *testing.T, s Store) (n int) {
	t.Helper()
	for info, err := range s.Sites(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		n += pages(t, s, info.Name)
	}
	return n
}

// child adds pages and prints the number of each when it is stored.
func child(path string, args []string) int {
	if args[0] == "lock" {
		return holdLock(path)
	}
	first, _ := strconv.Atoi(args[0])
	last, _ := strconv.Atoi(args[1])
	if len(args) > 2 {
		limitFileSize(args[2])
	}
	tb := new(testing.B) // for observe, which does not fail
	ctx := context.Background()
	var obs []*site.Observation
	for n := first; n < last; n++ {
		obs = append(obs, observe(tb, childSite(n), n))
	}
	s, err := Open(path, Options{Report: func(err error) { fmt.Fprintln(os.Stderr, "reported:", err) }})
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return childNoOpen
	}
	for i, o := range obs {
		if _, err := s.Add(ctx, childSite(first+i), o); err != nil {
			fmt.Fprintln(os.Stderr, err)
			if err := s.View(ctx, childSite(first), func(*site.Profile) {}); err != nil {
				fmt.Fprintln(os.Stderr, "and then:", err)
				return childFailed
			}
			return childNoAdd
		}
		fmt.Println(first + i) // not buffered
	}
	if err := s.Close(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return childFailed
	}
	return 0
}

// writer is a running child.
type writer struct {
	cmd   *exec.Cmd
	acked chan []int    // all pages that it acknowledged, sent when it has ended
	begun chan struct{} // closed when it has acknowledged "after" pages, or has ended
	after int
}

func startWriter(t *testing.T, path string, first, last, after int, more ...string) *writer {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	w := &writer{
		cmd:   exec.Command(self, append([]string{strconv.Itoa(first), strconv.Itoa(last)}, more...)...),
		acked: make(chan []int, 1),
		begun: make(chan struct{}),
		after: after,
	}
	w.cmd.Env = append(os.Environ(), childEnv+"="+path)
	w.cmd.Stderr = os.Stderr
	out, err := w.cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := w.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	go func() {
		var acked []int
		for lines := bufio.NewScanner(out); lines.Scan(); {
			n, err := strconv.Atoi(lines.Text())
			if err != nil {
				break
			}
			if acked = append(acked, n); len(acked) == w.after {
				close(w.begun)
			}
		}
		if len(acked) < w.after {
			close(w.begun)
		}
		w.acked <- acked
	}()
	return w
}

// TestProcesses has several processes add to the same sites at once.
func TestProcesses(t *testing.T) {
	const processes, each = 4, 60
	for _, kind := range kinds {
		t.Run(kind.name, func(t *testing.T) {
			path := kind.path(t.TempDir())
			var writers []*writer
			for i := range processes {
				writers = append(writers, startWriter(t, path, i*batch, i*batch+each, 1))
			}
			for _, w := range writers {
				acked := <-w.acked
				if err := w.cmd.Wait(); err != nil || len(acked) != each {
					t.Errorf("%d pages, %v", len(acked), err)
				}
			}
			s := open(t, path)
			wantPages(t, s, childSite(0), processes*each/3)
			if n := countAll(t, s); n != processes*each {
				t.Errorf("%d pages in all, want %d", n, processes*each)
			}
		})
	}
}

// TestKill kills writers of the same store at random moments. LEDE_KILLS is how
// many.
func TestKill(t *testing.T) {
	kills := testkit.Kills(20, 4)
	for _, kind := range kinds {
		t.Run(kind.name, func(t *testing.T) { testKill(t, kind.path(t.TempDir()), kills) })
	}
}

func testKill(t *testing.T, path string, kills int) {
	next, stored, sum, inFlight := 0, 0, 0, 0
	for kill := 0; kill < kills; kill += 2 {
		// Two at once, so that one may be killed while the other waits for it.
		var writers [2]*writer
		for i := range writers {
			writers[i] = startWriter(t, path, next, next+batch, 1+rand.IntN(60))
			next += batch
		}
		var acked []int
		for _, w := range writers {
			<-w.begun
			w.cmd.Process.Kill()
			acked = append(acked, <-w.acked...)
			w.cmd.Wait()
		}
		s := open(t, path)
		now := countAll(t, s)
		if extra := now - stored - len(acked); extra < 0 || extra > len(writers) {
			t.Fatalf("kill %d: %d pages were stored before and %d acknowledged, %d are there", kill, stored, len(acked), now)
		} else {
			inFlight += extra
		}
		checkSeen(t, s, acked)
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
		stored, sum = now, sum+len(acked)
	}
	t.Logf("%d kills; all %d acknowledged pages are stored, and %d more that were not yet acknowledged", kills, sum, inFlight)
}

// checkSeen checks that the last pages of the writers' own sites are recognized.
func checkSeen(t *testing.T, s Store, acked []int) {
	t.Helper()
	last := make(map[string]int)
	for _, page := range slices.Backward(acked) {
		name := childSite(page)
		if last[name]++; page%3 != 2 || last[name] > 20 {
			continue
		}
		p, err := s.Profile(t.Context(), name)
		if err != nil {
			t.Fatal(err)
		}
		if e := p.Add(observe(t, name, page)); e != site.SamePage {
			t.Errorf("page %d was acknowledged, but is new to the store: %v", page, e)
		}
	}
}

// holdLock is a child that holds the lock of a folder, as a process does while
// it writes, until its standard input ends. It exits without unlocking.
func holdLock(dir string) int {
	s, err := Open(dir, Options{})
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return childNoOpen
	}
	if ok, err := s.(checked).backend.(*folderStore).lock.TryLock(); !ok {
		fmt.Fprintln(os.Stderr, "not locked:", err)
		return childFailed
	}
	fmt.Println("locked")
	io.Copy(io.Discard, os.Stdin)
	return 0
}

// TestLockExcludesOtherProcess checks that a process cannot write to a folder
// while another one does, and that the lock ends with the process.
func TestLockExcludesOtherProcess(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir)
	add(t, s, "a.example", 0, 1)
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	holder := exec.Command(self, "lock")
	holder.Env = append(os.Environ(), childEnv+"="+dir)
	holder.Stderr = os.Stderr
	in, err := holder.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := holder.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := holder.Start(); err != nil {
		t.Fatal(err)
	}
	defer holder.Wait()
	defer in.Close()
	if line, err := bufio.NewReader(out).ReadString('\n'); line != "locked\n" {
		t.Fatalf("the child printed %q, %v", line, err)
	}
	lock := newLock(s.(checked).backend.(*folderStore).lock.Path())
	if ok, err := lock.TryLock(); ok || err != nil {
		t.Errorf("a second process got the lock: %v, %v", ok, err)
	}
	o := observe(t, "a.example", 1)
	synctest.Test(t, func(t *testing.T) { // the timeout passes at once
		if _, err := s.Add(t.Context(), "a.example", o); !errors.Is(err, ErrBusy) {
			t.Errorf("Add while another process writes: %v, want ErrBusy", err)
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if _, err := s.Add(ctx, "a.example", o); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("Add with a deadline: %v, want %v", err, context.DeadlineExceeded)
		}
	})
	wantPages(t, s, "a.example", 1) // lookups need no lock

	in.Close()
	if err := holder.Wait(); err != nil {
		t.Fatal(err)
	}
	add(t, s, "a.example", 1, 2)
	wantPages(t, s, "a.example", 2)
}
