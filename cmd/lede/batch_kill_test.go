package main

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/parquet-go/parquet-go"
	"github.com/spf13/cobra"

	"github.com/lede-news/lede"
	"github.com/lede-news/lede/article"
	"github.com/lede-news/lede/batch"
	"github.com/lede-news/lede/internal/cli"
	"github.com/lede-news/lede/internal/lab/testkit"
	"github.com/lede-news/lede/internal/sites"
)

// tool returns a command that runs this test binary as lede.
func tool(t *testing.T, args ...string) *exec.Cmd {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(self, args...)
	cmd.Args[0] = "lede"
	if args[0] == "newsroom" {
		cmd.Args[0] = "lede-lab"
	}
	return cmd
}

func runTool(t *testing.T, args ...string) {
	t.Helper()
	if out, err := tool(t, args...).CombinedOutput(); err != nil {
		t.Fatalf("lede %s: %v\n%s", strings.Join(args, " "), err, out)
	}
}

// TestKill kills batches with SIGKILL at random moments and resumes them until
// the output is complete. It must be the same as without kills: no record lost or
// written twice. LEDE_KILLS is the number of kills.
func TestKill(t *testing.T) {
	kills := testkit.Kills(t, 5)
	dir := t.TempDir()
	archive := filepath.Join(dir, "pages.warc.gz")
	runTool(t, "newsroom", "write", "--pages", strconv.Itoa(min(6+kills, 80)), archive)
	whole := filepath.Join(dir, "whole.jsonl")
	runTool(t, "batch", archive, "--out", whole, "--quiet")
	want := idsOfLines(t, whole)
	for i, sink := range []struct {
		name string
		ids  func(*testing.T, string) []string
		part int // of the kills, in tenths
	}{
		{"out.jsonl", idsOfLines, 4},
		{"out.sqlite", idsOfDatabase, 2},
		{"out.parquet", idsOfParquet, 2},
	} {
		t.Run(sink.name, func(t *testing.T) {
			out := filepath.Join(t.TempDir(), sink.name)
			k := killer{random: rand.New(rand.NewPCG(uint64(i), 4)), left: max(kills*sink.part/10, 1), args: []string{"batch", archive, "--out", out, "--resume", "--quiet",
				"--workers", "3", "--checkpoint", "20ms"}}
			for k.left > 0 {
				k.untilComplete(t, out)
				if got := sink.ids(t, out); !slices.Equal(got, want) {
					t.Fatalf("%d kills: %d records, want %d, or different ones", k.done, len(got), len(want))
				}
				if sink.name == "out.jsonl" && !bytes.Equal(readFile(t, out), readFile(t, whole)) {
					t.Error("the records differ from those without kills")
				}
				left, _ := filepath.Glob(out + ".*")
				if left = slices.DeleteFunc(left, isLock); len(left) > 0 {
					t.Errorf("left behind: %v", left)
				}
				if err := os.Remove(out); err != nil {
					t.Fatal(err)
				}
			}
			t.Logf("%d kills, %d of them after the first commit; %d complete outputs of %d records, none lost, none twice", k.done, k.later, k.outputs, len(want))
		})
	}
}

// isLock reports whether a file is the lock of a journal. A process that is killed at its very
// end leaves it, and nobody holds it.
func isLock(file string) bool { return strings.HasSuffix(file, ".journal.lock") }

// killer kills batches at random moments.
type killer struct {
	random                     *rand.Rand
	left, done, later, outputs int
	args                       []string
}

// untilComplete runs and kills a batch until its output is complete.
func (k *killer) untilComplete(t *testing.T, out string) {
	t.Helper()
	for {
		cmd := tool(t, k.args...)
		var said bytes.Buffer
		cmd.Stderr = &said
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		if k.left > 0 {
			k.wait(out)
			_ = cmd.Process.Kill() // it may be done
		}
		err := cmd.Wait()
		if err == nil {
			k.outputs++
			return
		}
		if cmd.ProcessState.ExitCode() >= 0 { // it was not killed
			t.Fatalf("%v: %s", err, said.String())
		}
		k.left--
		k.done++
		if b, err := os.ReadFile(out + ".journal"); err == nil && !bytes.Contains(b, []byte(`"done":0`)) {
			k.later++
		}
	}
}

// wait waits for a random moment: mostly after a few commits, which replace the
// journal, and until the output is complete at the latest.
func (k *killer) wait(out string) {
	changed := func() time.Time {
		fi, err := os.Stat(out + ".journal")
		if err != nil {
			return time.Time{}
		}
		return fi.ModTime()
	}
	was, end := changed(), time.Now().Add(time.Minute)
	for commits := k.random.IntN(6); commits > 0 && !exists(out) && time.Now().Before(end); time.Sleep(time.Millisecond) {
		if now := changed(); now != was {
			was = now
			commits--
		}
	}
	time.Sleep(time.Duration(k.random.IntN(20)) * time.Millisecond)
}

func readFile(t *testing.T, file string) []byte {
	t.Helper()
	b, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// idsOfLines returns the ids of a file of JSON lines.
func idsOfLines(t *testing.T, file string) (ids []string) {
	t.Helper()
	for line := range strings.Lines(string(readFile(t, file))) {
		id, _, ok := strings.Cut(strings.TrimPrefix(line, `{"id":"`), `"`)
		if !ok || !strings.HasSuffix(line, "}\n") {
			t.Fatalf("not a line of JSON: %q", line)
		}
		ids = append(ids, id)
	}
	return ids
}

func idsOfDatabase(t *testing.T, file string) (ids []string) {
	t.Helper()
	db, err := sql.Open("sqlite", file)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	rows, err := db.Query("SELECT record, id FROM articles ORDER BY record")
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	for n := 0; rows.Next(); n++ {
		var record int
		var id string
		if err := rows.Scan(&record, &id); err != nil {
			t.Fatal(err)
		}
		if record != n {
			t.Fatalf("row %d has number %d", n, record)
		}
		ids = append(ids, id)
	}
	return ids
}

func idsOfParquet(t *testing.T, file string) (ids []string) {
	t.Helper()
	rows, err := parquet.ReadFile[struct {
		ID   string `parquet:"id"`
		Text string `parquet:"text"`
	}](file)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range rows {
		if r.Text == "" {
			t.Fatal(fmt.Errorf("%s has no text", r.ID))
		}
		ids = append(ids, r.ID)
	}
	return ids
}

// deadlyMain runs lede batch with an extractor that dies on some pages.
func deadlyMain() {
	debug.SetMaxStack(1 << 20) // a gigabyte would take its time
	root := &cobra.Command{Use: "lede", SilenceUsage: true}
	root.AddCommand(newBatchOf(deadly))
	if root.Execute() != nil {
		os.Exit(cli.ExitFailed)
	}
}

// deadly kills the process on pages that ask for it: by a stack overflow, which
// cannot be recovered, or by a signal, like the out-of-memory killer.
func deadly(ex *lede.Extractor, known *sites.Sites, learn bool) batch.ExtractFunc {
	usual := pageExtract(ex, known, learn)
	return func(ctx context.Context, p batch.Input, r io.Reader) (*article.Article, error) {
		page, err := io.ReadAll(r)
		if err != nil {
			return nil, err
		}
		switch {
		case bytes.Contains(page, []byte("no end of boxes")):
			b := &box{}
			b.in = b
			return nil, fmt.Errorf("%d boxes, still alive", b.depth())
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

// box is a linked list that is walked recursively.
type box struct{ in *box }

func (b *box) depth() int {
	if b == nil {
		return 0
	}
	return b.in.depth() + 1
}

// TestDeadlyPages extracts pages that kill the process. Each resumed run finds the
// page that killed the one before, quarantines it and continues, until every page
// has one record.
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
			if cmd.ProcessState.ExitCode() != cli.ExitFailed || !strings.Contains(string(said), "4 pages crashed or hung lede and are in quarantine") {
				t.Errorf("%v: %s", err, said)
			}
		} else if deaths++; deaths > len(bad) {
			t.Fatalf("it keeps dying: %v: %.500s", err, said)
		}
	}
	// Pages that run concurrently are found together.
	if deaths < 1 || deaths > 3 {
		t.Errorf("it died %d times on three pages", deaths)
	}
	if got := idsOfLines(t, out); !slices.Equal(got, want) {
		t.Errorf("lines of %v", got)
	}
	for line := range strings.Lines(string(readFile(t, out))) {
		var l struct{ ID, Kind, Error, Text string }
		if err := json.Unmarshal([]byte(line), &l); err != nil {
			t.Fatal(err)
		}
		if _, isBad := bad[l.ID]; isBad != (l.Kind == "crash") || isBad == (l.Text != "") || isBad == (l.Error == "") {
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
