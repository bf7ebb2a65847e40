package batch

import (
	"bytes"
	"errors"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestJournalRefuses(t *testing.T) {
	dir, _ := folderOf(t, 3)
	in := Find([]string{dir})
	path := filepath.Join(t.TempDir(), "out.journal")
	j := openRun(t, path, in, Begin)
	if _, err := OpenJournal(path, NewSetup(in, nil), Resume); !errors.Is(err, ErrLocked) {
		t.Errorf("two at once: %v", err)
	}
	crash(j)
	if _, err := OpenJournal(path, NewSetup(in, []string{"--method=echo"}), Begin); !errors.Is(err, ErrUnfinished) {
		t.Errorf("begin where a run is: %v", err)
	}
	_, err := OpenJournal(path, NewSetup(in, []string{"--method=nce"}), Resume)
	if !errors.Is(err, ErrChanged) || !strings.Contains(err.Error(), "it had --method=echo, and now it is --method=nce") {
		t.Errorf("other settings: %v", err)
	}
	_, err = OpenJournal(path, NewSetup(Find([]string{"elsewhere"}), []string{"--method=echo"}), Resume)
	if !errors.Is(err, ErrChanged) || !strings.Contains(err.Error(), "elsewhere") {
		t.Errorf("other inputs: %v", err)
	}
	j = openRun(t, path, in, Overwrite)
	if s := j.State(); s.Stats.Done != 0 {
		t.Errorf("%+v", s)
	}
	j.Close()
}

// A suspect stays one, also when the next process dies of another page, until it
// has its outcome.
func TestSuspectsAreKept(t *testing.T) {
	dir, _ := folderOf(t, 20)
	in := Find([]string{dir})
	path := filepath.Join(t.TempDir(), "out.journal")
	mode := Begin
	for _, page := range []int64{3, 11, 7} {
		j := openRun(t, path, in, mode)
		j.flight.note(0, page)
		crash(j)
		mode = Resume
	}
	j := openRun(t, path, in, Resume)
	if got := slices.Sorted(maps.Keys(j.State().Suspects)); !slices.Equal(got, []int64{3, 7, 11}) {
		t.Errorf("suspects: %v", got)
	}
	if err := j.write(newCommit(Place{}, &Stats{Done: 8})); err != nil {
		t.Fatal(err)
	}
	crash(j)
	j = openRun(t, path, in, Resume)
	defer j.Close()
	if got := slices.Sorted(maps.Keys(j.State().Suspects)); !slices.Equal(got, []int64{11}) {
		t.Errorf("suspects when eight are done: %v", got)
	}
}

// A journal whose end was not written in full is believed up to there.
func TestTornJournal(t *testing.T) {
	dir, _ := folderOf(t, 30)
	in := Find([]string{dir})
	path := filepath.Join(t.TempDir(), "out.journal")
	j := openRun(t, path, in, Begin)
	job := Job{Inputs: in, Extract: echo, Sink: &memorySink{}, Journal: j, CommitPages: 10, CommitTime: 1 << 60}
	if _, err := job.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	crash(j)
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	ends := map[int]int{} // how many pages each length says are done
	lines := bytes.SplitAfter(whole, []byte("\n"))
	for n, end := 0, 0; n < len(lines); n++ {
		end += len(lines[n])
		ends[end] = min(10*n, 30)
	}
	done := 0
	for cut := 0; cut < len(whole); cut += 3 {
		for end, n := range ends {
			if end <= cut {
				done = max(done, n)
			}
		}
		for _, junk := range []string{"", "\x00\x00\x00", "deadbeef {}\n"} {
			if err := os.WriteFile(path, append(slices.Clone(whole[:cut]), junk...), 0o644); err != nil {
				t.Fatal(err)
			}
			j := openRun(t, path, in, Resume)
			if got := j.State().Stats.Done; got != done {
				t.Fatalf("cut at %d of %d: %d pages done, want %d", cut, len(whole), got, done)
			}
			crash(j)
		}
	}
	if done < 20 {
		t.Errorf("the last cut left %d pages", done)
	}
}
