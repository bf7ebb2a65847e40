package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"github.com/lede-news/lede"
	"github.com/lede-news/lede/article"
	"github.com/lede-news/lede/batch"
)

// deadlyMain is lede batch with pages that kill the process. It is a program of
// the test binary alone.
func deadlyMain() {
	debug.SetMaxStack(1 << 20) // a gigabyte would take its time
	root := &cobra.Command{Use: "lede", SilenceUsage: true}
	root.AddCommand(newBatchOf(deadly))
	if root.Execute() != nil {
		os.Exit(exitFailed)
	}
}

// deadly dies of pages that say so: of what nobody can recover from, and as when
// the system is short of memory.
func deadly(ex *lede.Extractor, known *sites, learn bool) batch.Extract {
	usual := pageExtract(ex, known, learn)
	return func(ctx context.Context, p batch.Page, r io.Reader) (*article.Article, error) {
		page, err := io.ReadAll(r)
		if err != nil {
			return nil, err
		}
		switch {
		case bytes.Contains(page, []byte("no end of boxes")):
			b := &box{}
			b.in = b
			return nil, fmt.Errorf("%d boxes, and still alive", b.depth())
		case bytes.Contains(page, []byte("no end of memory")):
			self, err := os.FindProcess(os.Getpid())
			if err == nil {
				err = self.Kill()
			}
			return nil, fmt.Errorf("still alive: %w", err)
		case bytes.Contains(page, []byte("a mere panic")):
			panic("of the test")
		}
		return usual(ctx, p, bytes.NewReader(page))
	}
}

// box is in another box.
type box struct{ in *box }

func (b *box) depth() int {
	if b == nil {
		return 0
	}
	return b.in.depth() + 1
}

// TestDeadlyPages has pages on which the process dies. Each run that is resumed
// finds the page that killed the one before, puts it into quarantine and goes on,
// until every page has its one line.
func TestDeadlyPages(t *testing.T) {
	dir := t.TempDir()
	pages := filepath.Join(dir, "in")
	if err := os.Mkdir(pages, 0o755); err != nil {
		t.Fatal(err)
	}
	bad := map[string]string{"p012": "no end of boxes", "p031": "no end of memory", "p032": "a mere panic", "p055": "no end of boxes"}
	const n = 60
	var want []string
	for i := range n {
		id := fmt.Sprintf("p%03d", i)
		want = append(want, id)
		page := "<title>A page</title><p>The council said on Monday that the bridge stays closed. " + bad[id]
		if err := os.WriteFile(filepath.Join(pages, id+".html"), []byte(page), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	out := filepath.Join(dir, "out.jsonl")
	deaths := 0
	for done := false; !done; {
		cmd := tool(t, "batch", pages, "--out", out, "--resume", "--workers", "3", "--checkpoint", "1ms")
		cmd.Args[0] = "lede-deadly"
		said, err := cmd.CombinedOutput()
		_, missing := os.Stat(out)
		if done = missing == nil; done {
			if cmd.ProcessState.ExitCode() != exitFailed || !strings.Contains(string(said), "4 pages crashed lede or hang, and are in quarantine") {
				t.Errorf("%v: %s", err, said)
			}
		} else if deaths++; deaths > len(bad) {
			t.Fatalf("it dies again and again: %v: %.500s", err, said)
		}
	}
	// Several may be in work at once, and are then found together.
	if deaths < 1 || deaths > 3 {
		t.Errorf("it died %d times of three pages", deaths)
	}
	if got := idsOfLines(t, out, nil); !slices.Equal(got, want) {
		t.Errorf("lines of %v", got)
	}
	for line := range strings.Lines(string(readFile(t, out))) {
		var l struct{ ID, Kind, Error, Text string }
		if err := json.Unmarshal([]byte(line), &l); err != nil {
			t.Fatal(err)
		}
		if _, isBad := bad[l.ID]; isBad != (l.Kind == batch.KindCrash) || isBad == (l.Text != "") || isBad == (l.Error == "") {
			t.Errorf("%s", line)
		}
	}
	var kept []string
	files, _ := filepath.Glob(out + ".quarantine/*.html")
	for _, f := range files {
		_, name, _ := strings.Cut(filepath.Base(f), "-")
		id := strings.TrimSuffix(name, ".html")
		kept = append(kept, id)
		reason := readFile(t, strings.TrimSuffix(f, ".html")+".json")
		if !bytes.Contains(readFile(t, f), []byte(bad[id])) || !bytes.Contains(reason, []byte(`"kind": "crash"`)) {
			t.Errorf("%s: %s", f, reason)
		}
	}
	if !slices.Equal(kept, []string{"p012", "p031", "p032", "p055"}) {
		t.Errorf("in quarantine: %v", kept)
	}
	if left, _ := filepath.Glob(out + ".*"); !slices.Equal(left, []string{out + ".quarantine"}) {
		t.Errorf("left behind: %v", left)
	}
}
