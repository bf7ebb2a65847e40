package batch

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/lede-news/lede/article"
)

func TestOpenJournalErrors(t *testing.T) {
	dir, _ := folderOf(t, 3)
	in := source(dir)
	path := filepath.Join(t.TempDir(), "out.journal")
	j := openRun(t, path, in, Begin)
	if _, err := OpenJournal(path, in, nil, Resume); !errors.Is(err, ErrLocked) {
		t.Errorf("opened twice: %v", err)
	}
	crash(j)
	if _, err := OpenJournal(path, in, []string{"--method=echo"}, Begin); !errors.Is(err, ErrUnfinished) {
		t.Errorf("begin with an unfinished run: %v", err)
	}
	_, err := OpenJournal(path, in, []string{"--method=nce"}, Resume)
	if !errors.Is(err, ErrChanged) || !strings.Contains(err.Error(), "it had --method=echo, now it is --method=nce") {
		t.Errorf("other settings: %v", err)
	}
	_, err = OpenJournal(path, source("elsewhere"), []string{"--method=echo"}, Resume)
	if !errors.Is(err, ErrChanged) || !strings.Contains(err.Error(), "elsewhere") {
		t.Errorf("other inputs: %v", err)
	}
	write(t, path, "no journal")
	if _, err = OpenJournal(path, in, []string{"--method=echo"}, Resume); err == nil || !strings.Contains(err.Error(), "use --overwrite") {
		t.Errorf("a damaged journal: %v", err)
	}
	j = openRun(t, path, in, Overwrite)
	if s := j.State(); s.Stats.Done != 0 {
		t.Errorf("%+v", s)
	}
	j.Close()
}

// TestSuspectsAreKept checks that a page is suspect until it has a result, even if
// the next process crashes on another page.
func TestSuspectsAreKept(t *testing.T) {
	dir, _ := folderOf(t, 20)
	in := source(dir)
	path := filepath.Join(t.TempDir(), "out.journal")
	mode := Begin
	for _, page := range []int64{3, 11, 7} {
		j := openRun(t, path, in, mode)
		j.inFlight.set(0, page)
		crash(j)
		mode = Resume
	}
	j := openRun(t, path, in, Resume)
	if got := slices.Sorted(maps.Keys(j.suspects)); !slices.Equal(got, []int64{3, 7, 11}) {
		t.Errorf("suspects: %v", got)
	}
	j.state.Stats.Done = 8
	if err := j.write(); err != nil {
		t.Fatal(err)
	}
	crash(j)
	j = openRun(t, path, in, Resume)
	defer j.Close()
	if got := slices.Sorted(maps.Keys(j.suspects)); !slices.Equal(got, []int64{11}) {
		t.Errorf("suspects after eight pages are done: %v", got)
	}
}

// memorySink keeps lines in memory. Reopening it discards lines that were not
// committed.
type memorySink struct {
	lines, safe []string
	finished    int
	full        bool
}

func (s *memorySink) Write(r *Result) error {
	if s.full {
		return errors.New("no space left on device")
	}
	s.lines = append(s.lines, string(r.JSON))
	return nil
}

func (s *memorySink) Commit() (int64, error) {
	s.safe = slices.Clone(s.lines)
	return int64(len(s.safe)), nil
}

func (s *memorySink) Finish() error { s.finished++; return nil }

// reopen returns the sink as a process finds it after a crash.
func (s *memorySink) reopen(st State) *memorySink {
	return &memorySink{lines: slices.Clone(s.safe[:st.Mark]), safe: s.safe[:st.Mark]}
}

func (s *memorySink) ids(t *testing.T) (ids []string) {
	t.Helper()
	for _, l := range s.lines {
		id, _, _ := strings.Cut(strings.TrimPrefix(l, `{"id":"`), `"`)
		ids = append(ids, id)
	}
	return ids
}

// crash closes the files of a journal as the system does after a crash.
func crash(j *Journal) {
	j.inFlight.Close()
	j.lock.Unlock()
}

func folderOf(t *testing.T, n int) (dir string, ids []string) {
	t.Helper()
	dir = t.TempDir()
	for i := range n {
		id := fmt.Sprintf("p%03d", i)
		write(t, filepath.Join(dir, id+".html"), "story "+id)
		ids = append(ids, id)
	}
	return dir, ids
}

func openRun(t *testing.T, path string, in *Source, mode Mode) *Journal {
	t.Helper()
	j, err := OpenJournal(path, in, []string{"--method=echo"}, mode)
	if err != nil {
		t.Fatal(err)
	}
	return j
}

func TestResumeAfterCrash(t *testing.T) {
	dir, want := folderOf(t, 50)
	in := source(dir)
	path := filepath.Join(t.TempDir(), "out.journal")
	sink := &memorySink{}
	mode := Begin
	for runs := 0; ; runs++ {
		j := openRun(t, path, in, mode)
		mode = Resume
		sink = sink.reopen(j.State())
		// The sink is full after seven more lines, which are committed three at a
		// time, and the process crashes.
		most := len(sink.lines) + 7
		opts := Options{checkpointPages: 3, Checkpoint: 1 << 60, Progress: func(s Stats) { sink.full = s.Done >= most }}
		stats, err := j.Run(t.Context(), echo, sink, opts)
		if err == nil {
			if stats.Done != len(want) || stats.Types["article"] != len(want) || sink.finished != 1 {
				t.Errorf("stats %+v, finished %d times", stats, sink.finished)
			}
			if got := sink.ids(t); !slices.Equal(got, want) {
				t.Errorf("after %d crashes: %v", runs, got)
			}
			if runs < 5 {
				t.Errorf("only %d crashes", runs)
			}
			if err := j.Remove(); err != nil {
				t.Error(err)
			}
			return
		}
		if !strings.Contains(err.Error(), "no space left") {
			t.Fatal(err)
		}
		crash(j)
	}
}

func TestCancelIsSafe(t *testing.T) {
	dir, want := folderOf(t, 40)
	in := source(dir)
	path := filepath.Join(t.TempDir(), "out.journal")
	ctx, cancel := context.WithCancel(t.Context())
	sink := &memorySink{}
	j := openRun(t, path, in, Begin)
	stats, err := j.Run(ctx, echo, sink, Options{Progress: func(s Stats) {
		if s.Done == 10 {
			cancel()
		}
	}})
	if !errors.Is(err, context.Canceled) || stats.Done < 10 || len(sink.safe) != stats.Done {
		t.Fatalf("%v, %d done, %d safe", err, stats.Done, len(sink.safe))
	}
	if err := j.Close(); err != nil {
		t.Fatal(err)
	}
	j = openRun(t, path, in, Resume)
	defer j.Close()
	if s := j.State(); s.Stats.Done != stats.Done || len(j.suspects) > 0 {
		t.Errorf("state %+v, suspects %v; want none, since the process ended normally", s, j.suspects)
	}
	if _, err := j.Run(t.Context(), echo, sink, Options{}); err != nil || !slices.Equal(sink.ids(t), want) {
		t.Errorf("%v: %v", err, sink.ids(t))
	}
}

// TestSuspectsAreProbed checks that a page that was in progress in a crash is
// probed, and quarantined if the probe crashes. Other errors of the probe are ignored.
func TestSuspectsAreProbed(t *testing.T) {
	dir, want := folderOf(t, 20)
	in := source(dir)
	path := filepath.Join(t.TempDir(), "out.journal")
	sink := &memorySink{}
	j := openRun(t, path, in, Begin)
	j.inFlight.set(0, 3)
	j.inFlight.set(1, 7)
	j.inFlight.set(2, 11)
	crash(j)

	j = openRun(t, path, in, Resume)
	defer j.Close()
	var mu sync.Mutex
	var probed []string
	folder := filepath.Join(t.TempDir(), "quarantine")
	stats, err := j.Run(t.Context(), echo, sink, Options{Quarantine: folder, Workers: 2,
		Probe: func(_ context.Context, p Input) error {
			mu.Lock()
			defer mu.Unlock()
			probed = append(probed, p.ID)
			switch p.ID {
			case "p007":
				return errors.New("no process could be started")
			case "p011":
				return fmt.Errorf("%w: out of memory", ErrCrash)
			}
			return nil
		}})
	slices.Sort(probed)
	if err != nil || !slices.Equal(probed, []string{"p003", "p007", "p011"}) || !slices.Equal(sink.ids(t), want) {
		t.Fatalf("%v, probed %v, lines of %v", err, probed, sink.ids(t))
	}
	if !strings.Contains(sink.lines[11], `"kind":"crash"`) {
		t.Error(sink.lines[11])
	}
	if stats.Quarantined != 1 || stats.Failed != 1 {
		t.Errorf("%+v", stats)
	}
	body, err := os.ReadFile(filepath.Join(folder, "000000011-p011.html"))
	reason, err2 := os.ReadFile(filepath.Join(folder, "000000011-p011.json"))
	if string(body) != "story p011" || !bytes.Contains(reason, []byte("out of memory")) {
		t.Errorf("%s %v, %s %v", body, err, reason, err2)
	}
}

func TestHangIsAbandoned(t *testing.T) {
	dir, want := folderOf(t, 6)
	folder := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		release := make(chan struct{})
		defer close(release)
		hang := func(ctx context.Context, p Input, r io.Reader) (*article.Article, error) {
			if p.ID == "p002" {
				<-release // ignores ctx
			}
			return echo(ctx, p, r)
		}
		var out bytes.Buffer
		stats, err := Run(t.Context(), source(dir).Inputs(), hang, writeTo(&out), Options{Workers: 2, HangTimeout: time.Minute, Quarantine: folder})
		if err != nil || stats.Done != len(want) || stats.Errors["hang"] != 1 || stats.Quarantined != 1 {
			t.Fatalf("%v, %+v", err, stats)
		}
		if got := parseLines(t, out.Bytes())["p002"]; got.Kind != "hang" || !strings.Contains(got.Error, "abandoned after 1m0s") {
			t.Errorf("%+v", got)
		}
	})
}
