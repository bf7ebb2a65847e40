package main

import (
	"bytes"
	"context"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/lede-news/lede/internal/cli"
	"github.com/lede-news/lede/internal/lab/testkit"
)

// exportStories returns all stories of an index as lines of JSON.
func exportStories(t *testing.T, index string) []byte {
	t.Helper()
	out, err := tool(t, "stories", "list", index, "--limit", "0", "--json").Output()
	if err != nil || len(out) == 0 {
		t.Fatalf("%s: %v", index, err)
	}
	return out
}

// TestBatchStoriesKill kills batches with --stories and resumes them. Every line has the
// fields that it has without kills, although originals come after their copies, and
// so has the index. LEDE_KILLS is the number of kills.
func TestBatchStoriesKill(t *testing.T) {
	testkit.SkipRace(t)
	kills := testkit.Kills(8, 2)
	dir := t.TempDir()
	pages := filepath.Join(dir, "pages.jsonl")
	writeWirePages(t, pages, wireArticles(min(150+20*kills, 1500), 3))
	whole, wholeDB := filepath.Join(dir, "whole.jsonl"), filepath.Join(dir, "whole.db")
	runTool(t, "batch", pages, "--out", whole, "--quiet", "--stories", wholeDB)
	one := filepath.Join(dir, "one.sqlite")
	runTool(t, "batch", pages, "--out", one, "--quiet", "--stories", filepath.Join(dir, "one.db"), "--one-per-story")
	for i, run := range []struct {
		name string
		args []string
	}{{"out.jsonl", nil}, {"out.sqlite", []string{"--one-per-story"}}} {
		t.Run(run.name, func(t *testing.T) {
			folder := t.TempDir()
			out, index := filepath.Join(folder, run.name), filepath.Join(folder, "index", "stories.db")
			k := killer{random: rand.New(rand.NewPCG(uint64(i), 18)), left: kills / 2, args: append([]string{"batch", pages, "--out", out, "--resume", "--quiet",
				"--workers", "3", "--checkpoint", "20ms", "--stories", index}, run.args...)}
			for k.left > 0 {
				k.untilComplete(t, out)
				if run.name == "out.jsonl" && !bytes.Equal(readFile(t, out), readFile(t, whole)) {
					t.Fatal("the lines differ from those without kills")
				}
				if run.name == "out.sqlite" && !slices.Equal(idsOfDatabase(t, out), idsOfDatabase(t, one)) {
					t.Fatal("the rows differ from those without kills")
				}
				if !bytes.Equal(exportStories(t, index), exportStories(t, wholeDB)) {
					t.Fatal("the index differs from the one without kills")
				}
				if left, _ := filepath.Glob(out + ".*"); len(left) > 0 {
					t.Errorf("left behind: %v", left)
				}
				if err := os.RemoveAll(filepath.Dir(index)); err != nil {
					t.Fatal(err)
				}
				if err := os.Remove(out); err != nil {
					t.Fatal(err)
				}
			}
			t.Logf("%d kills, %d of them after the first commit; %d complete outputs", k.done, k.later, k.outputs)
		})
	}
}

// TestStoriesKill kills lede stories and runs it again. The result is the same as
// without kills, for an index and for a file of lines.
func TestStoriesKill(t *testing.T) {
	testkit.SkipRace(t)
	kills := testkit.Kills(6, 2)
	dir := t.TempDir()
	in := filepath.Join(dir, "in.jsonl")
	writeArticles(t, in, wireArticles(600, 4))
	whole, wholeDB := filepath.Join(dir, "whole.jsonl"), filepath.Join(dir, "whole.db")
	runTool(t, "stories", in, "--out", whole, "--quiet")
	runTool(t, "stories", in, "--out", wholeDB, "--quiet")
	random := rand.New(rand.NewPCG(18, 2))
	done := 0
	for round := 0; done < kills; round++ {
		out := filepath.Join(dir, strconv.Itoa(round)+[]string{".jsonl", ".db"}[round%2])
		for begun, limit := time.Now(), 400*time.Millisecond; ; limit *= 2 {
			cmd := tool(t, "stories", in, "--out", out, "--quiet")
			var said bytes.Buffer
			cmd.Stderr = &said
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			stop := time.AfterFunc(time.Duration(random.Int64N(int64(limit))), func() { _ = cmd.Process.Kill() })
			err := cmd.Wait()
			stop.Stop()
			if err == nil {
				break
			}
			if cmd.ProcessState.ExitCode() >= 0 {
				t.Fatalf("%v: %s", err, said.String())
			}
			if _, err := os.Stat(out); err == nil && round%2 == 0 {
				break // lines have their name when they are complete: it was killed after that
			}
			if done++; time.Since(begun) > 5*time.Minute {
				t.Fatal("it never ends")
			}
		}
		if round%2 == 0 && !bytes.Equal(readFile(t, out), readFile(t, whole)) {
			t.Fatalf("%d kills: other lines than without", done)
		}
		if round%2 == 1 && !bytes.Equal(exportStories(t, out), exportStories(t, wholeDB)) {
			t.Fatalf("%d kills: another index than without", done)
		}
	}
	if left, _ := filepath.Glob(filepath.Join(dir, "*.partial*")); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
	t.Logf("%d kills", done)
}

// TestResumeWithoutIndex stops a batch, and resumes it with and without its index.
func TestResumeWithoutIndex(t *testing.T) {
	dir := t.TempDir()
	pages, out, index := filepath.Join(dir, "pages.jsonl"), filepath.Join(dir, "out.jsonl"), filepath.Join(dir, "stories.db")
	writeWirePages(t, pages, wireArticles(30, 6))
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	asked := make(chan struct{})
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/robots.txt" {
			http.NotFound(w, r)
			return
		}
		close(asked)
		<-ctx.Done() // the last page does not come before the batch is stopped
	}))
	defer site.Close()
	args := []string{"batch", pages, site.URL + "/last.html", "--allow-private", "--delay", "1ms", "--out", out, "--stories", index, "--checkpoint", "1ms"}
	go func() {
		<-asked
		for { // until pages are in the journal
			if b, err := os.ReadFile(out + ".journal"); err == nil && bytes.Count(b, []byte("\n")) > 1 {
				break
			}
			time.Sleep(time.Millisecond)
		}
		stop()
	}()
	var said bytes.Buffer
	if code := run(ctx, args, strings.NewReader(""), io.Discard, &said); code != cli.ExitAborted || !strings.Contains(said.String(), "which are saved; run the same command with --resume") {
		t.Fatalf("exit status %d: %s", code, said.String())
	}
	if err := os.Rename(index, index+".moved"); err != nil {
		t.Fatal(err)
	}
	again := append(slices.Clone(args), "--resume")
	said.Reset()
	if code := run(t.Context(), again, strings.NewReader(""), io.Discard, &said); code != cli.ExitAborted || !strings.Contains(said.String(), "the index of the interrupted run is missing") {
		t.Errorf("exit status %d: %s", code, said.String())
	}
	if _, err := os.Stat(index); err == nil {
		t.Error("another index was begun")
	}
	if err := os.Rename(index+".moved", index); err != nil {
		t.Fatal(err)
	}
	site.Close() // now the page fails
	said.Reset()
	if code := run(t.Context(), again, strings.NewReader(""), io.Discard, &said); code != cli.ExitFailed {
		t.Errorf("exit status %d: %s", code, said.String())
	}
	if n := len(idsOfLines(t, out, nil)); n != 31 {
		t.Errorf("%d lines", n)
	}
}

// TestIndexInUse begins a batch while another process writes to the index, and resumes
// it afterwards.
func TestIndexInUse(t *testing.T) {
	dir := t.TempDir()
	pages, out, index := filepath.Join(dir, "pages.jsonl"), filepath.Join(dir, "out.jsonl"), filepath.Join(dir, "stories.db")
	writeWirePages(t, pages, wireArticles(10, 7))
	f := storyFlags{stories: index}
	other, err := f.open()
	if err != nil {
		t.Fatal(err)
	}
	args := []string{"batch", pages, "--out", out, "--stories", index, "--quiet"}
	said, err := tool(t, args...).CombinedOutput()
	if err == nil || !strings.Contains(string(said), "another process") || !strings.Contains(string(said), "run the same command with --resume to continue") {
		t.Errorf("%v: %s", err, said)
	}
	said, err = tool(t, "stories", pages, "--out", index).CombinedOutput()
	if err == nil || !strings.Contains(string(said), "wait for it or use another file") {
		t.Errorf("%v: %s", err, said)
	}
	if err := other.Close(); err != nil {
		t.Fatal(err)
	}
	runTool(t, append(args, "--resume")...)
	if n := len(idsOfLines(t, out, nil)); n != 10 {
		t.Errorf("%d lines", n)
	}
}
