package batch

import (
	"bytes"
	"context"
	"errors"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/lede-news/lede/article"
	"github.com/lede-news/lede/internal/lab/testkit"
)

// TestDamagedJournal damages the journal of a run: it is resumed as far as the journal
// can be read, and no page is lost or written twice.
func TestDamagedJournal(t *testing.T) {
	dir, ids := folderOf(t, 40)
	in := source(dir)
	path := filepath.Join(t.TempDir(), "out.journal")
	written := &memorySink{}
	j := openRun(t, path, in, Begin)
	if _, err := j.Run(t.Context(), echo, written, Options{CheckpointPages: 2, Checkpoint: 1 << 60}); err != nil {
		t.Fatal(err)
	}
	crash(j)
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	lines := bytes.Count(whole, []byte("\n"))
	testkit.Damaged(t, path, func(t *testing.T, path string) {
		junk := make([]byte, 100) // of which some numbers may be those of pages
		rand.NewChaCha8([32]byte{1}).Read(junk)
		if err := os.WriteFile(path+".inflight", junk, 0o644); err != nil {
			t.Fatal(err)
		}
		damaged, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		begun := bytes.IndexByte(damaged, '\n') >= 0
		if _, err := OpenJournal(path, in, []string{"--method=echo"}, Begin); begun && !errors.Is(err, ErrUnfinished) {
			t.Fatalf("a run that was not finished is begun again: %v", err)
		}
		j := openRun(t, path, in, Resume)
		state := j.State()
		if state.Stats.Done < len(ids) && state.Damaged == nil && bytes.Count(damaged, []byte("\n")) >= lines {
			t.Errorf("%d pages are done, and nothing is reported", state.Stats.Done)
		}
		if state.Damaged != nil {
			kept, err := os.ReadFile(path + ".corrupt-1")
			if err != nil || !bytes.Equal(kept, damaged) {
				t.Errorf("the damaged journal is not kept: %v", err)
			}
			if !strings.Contains(state.Damaged.Error(), ".corrupt-1") {
				t.Error(state.Damaged)
			}
		}
		sink := written.reopen(state)
		if _, err := j.Run(t.Context(), echo, sink, Options{}); err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, line := range sink.lines {
			id := line[strings.Index(line, `"id":"`)+len(`"id":"`):]
			got = append(got, id[:strings.IndexByte(id, '"')])
		}
		if !slices.Equal(got, ids) {
			t.Errorf("%d pages: %v", len(got), got)
		}
		if err := j.Remove(); err != nil {
			t.Error(err)
		}
	})
}

// TestDamagedQuarantine checks that what is in the quarantine has no influence on a
// run, whatever it is.
func TestDamagedQuarantine(t *testing.T) {
	crashing := func(context.Context, Input, io.Reader) (*article.Article, error) { return nil, ErrCrash }
	dir, _ := folderOf(t, 3)
	run := func(t *testing.T, folder string) (failed int) {
		stats, err := Run(t.Context(), source(dir).Inputs(), crashing, func(r *Result) error {
			if strings.Contains(r.Line.Error, "quarantine") {
				failed++
			}
			return nil
		}, Options{Quarantine: folder})
		if err != nil || stats.Failed != 3 {
			t.Fatal(stats, err)
		}
		return failed
	}
	sound := t.TempDir()
	if run(t, sound) > 0 {
		t.Fatal("the pages were not copied")
	}
	files, err := os.ReadDir(sound)
	if err != nil || len(files) != 6 {
		t.Fatal(files, err)
	}
	name := files[0].Name()
	want, err := os.ReadFile(filepath.Join(sound, name))
	if err != nil {
		t.Fatal(err)
	}
	testkit.Damaged(t, filepath.Join(sound, name), func(t *testing.T, path string) {
		if failed := run(t, filepath.Dir(path)); failed > 0 {
			t.Errorf("%d pages were not copied", failed)
		}
		if got, err := os.ReadFile(path); err != nil || !bytes.Equal(got, want) {
			t.Errorf("%q, %v", got, err)
		}
	})
	taken := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(taken, []byte("no folder"), 0o644); err != nil {
		t.Fatal(err)
	}
	if failed := run(t, taken); failed != 3 {
		t.Errorf("a file in the place of the folder: %d pages say that they could not be copied", failed)
	}
}
