package batch

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// everyFifth records the results that it sees, and keeps every fifth.
func everyFifth(seen *[]string) Options {
	return Options{
		Workers: 3,
		Prepare: func(r *Result) any { return "prepared " + r.Line.ID },
		Revise: func(r *Result) (bool, error) {
			if r.Note != "prepared "+r.Line.ID {
				return false, fmt.Errorf("%s has the note %v", r.Line.ID, r.Note)
			}
			*seen = append(*seen, r.Line.ID)
			r.Line.Story = "s" + r.Line.ID
			return strings.HasSuffix(r.Line.ID, "0") || strings.HasSuffix(r.Line.ID, "5"), nil
		},
	}
}

func TestRevise(t *testing.T) {
	dir, ids := folderOf(t, 11)
	var seen, lines []string
	stats, err := Run(t.Context(), source(dir).Inputs(), echo, func(r *Result) error {
		lines = append(lines, string(r.JSON))
		return nil
	}, everyFifth(&seen))
	if err != nil || stats.Done != 11 || stats.LeftOut != 8 {
		t.Errorf("%+v, %v", stats, err)
	}
	if !slices.Equal(seen, ids) {
		t.Errorf("revised in the order %v", seen)
	}
	for i, id := range []string{"p000", "p005", "p010"} {
		if !strings.Contains(lines[i], `"story":"s`+id+`"`) {
			t.Errorf("%s: %s", id, lines[i])
		}
	}
	full := errors.New("full")
	_, err = Run(t.Context(), source(dir).Inputs(), echo, func(*Result) error { return nil },
		Options{Revise: func(*Result) (bool, error) { return false, full }})
	if !errors.Is(err, full) {
		t.Errorf("an error of Revise: %v", err)
	}
}

// A page that failed has nothing to prepare, but is revised.
func TestReviseFailedPages(t *testing.T) {
	dir := t.TempDir()
	for _, what := range []string{"fail", "panic"} {
		write(t, filepath.Join(dir, what+".html"), what)
	}
	revised := 0
	stats, err := Run(t.Context(), source(dir).Inputs(), echo, func(*Result) error { return nil }, Options{
		Prepare: func(r *Result) any { return r.Line.ID },
		Revise: func(r *Result) (bool, error) {
			if revised++; r.Note != nil || r.Line.Error == "" {
				t.Errorf("%+v", r)
			}
			return true, nil
		},
	})
	if err != nil || revised != 2 || stats.Failed != 2 || stats.LeftOut != 0 {
		t.Errorf("%d revised, %+v, %v", revised, stats, err)
	}
}

// The count of results that were left out survives a crash.
func TestReviseAfterCrash(t *testing.T) {
	dir, ids := folderOf(t, 50)
	path := filepath.Join(t.TempDir(), "out.journal")
	sink, mode := &memorySink{}, Begin
	for runs := 0; ; runs++ {
		j := openRun(t, path, source(dir), mode)
		mode = Resume
		sink = sink.reopen(j.State())
		done := j.State().Stats.Done
		var seen []string
		opts := everyFifth(&seen)
		opts.checkpointPages, opts.Checkpoint = 3, 1<<60
		opts.Progress = func(s Stats) { sink.full = s.Done >= done+17 }
		stats, err := j.Run(t.Context(), echo, sink, opts)
		if !slices.Equal(seen, ids[done:done+len(seen)]) {
			t.Fatalf("after %d pages, revised %v", done, seen)
		}
		crash(j)
		if err == nil {
			if stats.Done != 50 || stats.LeftOut != 40 || len(sink.safe) != 10 || runs < 2 {
				t.Errorf("%d runs, %d lines, %+v", runs, len(sink.safe), stats)
			}
			return
		}
	}
}
