package main

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/parquet-go/parquet-go"

	"github.com/lede-news/lede/batch"
	"github.com/lede-news/lede/internal/cli"
	"github.com/lede-news/lede/internal/lab/testkit"
)

// linesOfParts returns the rows of Parquet files, one after the other.
func linesOfParts(t *testing.T, files ...string) (rows []batch.Line) {
	t.Helper()
	for _, file := range files {
		part, err := parquet.ReadFile[batch.Line](file)
		if err != nil {
			t.Fatal(file, err)
		}
		rows = append(rows, part...)
	}
	return rows
}

// checkParts compares the parts in a folder with a run over all archives.
func checkParts(t *testing.T, dir string, want []batch.Line) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "part-*.parquet"))
	if err != nil {
		t.Fatal(err)
	}
	got := linesOfParts(t, files...)
	for i := range max(len(got), len(want)) {
		if i >= len(got) || i >= len(want) || !reflect.DeepEqual(got[i], want[i]) {
			t.Fatalf("%d rows, want %d; row %d differs:\n%.500v\n%.500v", len(got), len(want), i, got[min(i, len(got)):], want[min(i, len(want)):])
		}
	}
	entries, _ := os.ReadDir(dir)
	entries = slices.DeleteFunc(entries, func(e os.DirEntry) bool { return isLock(e.Name()) })
	if len(entries) != 2*len(files) { // with a summary for each
		t.Errorf("left behind: %v", entries)
	}
}

// partArchives makes archives of all kinds, and a list of them.
func partArchives(t *testing.T, pages int) (list string, paths []string) {
	t.Helper()
	dir := t.TempDir()
	add := func(name string) string {
		paths = append(paths, filepath.Join(dir, name))
		return paths[len(paths)-1]
	}
	runTool(t, "newsroom", "write", "--sites", "marston-gazette", "--pages", strconv.Itoa(pages), add("a.warc.gz"))
	whole := readFile(t, paths[0])
	var jsonl bytes.Buffer
	for i := range pages {
		fmt.Fprintf(&jsonl, "{\"html\":\"<title>Page %d</title><p>The council said on Monday that bridge %d stays closed.\"}\n", i, i)
	}
	for name, content := range map[string][]byte{
		"broken.warc.gz": slices.Concat(whole[:len(whole)/2], bytes.Repeat([]byte{0}, 3000), whole[len(whole)/2+3000:]),
		"nothing.warc":   nil,
		"c.jsonl":        jsonl.Bytes(),
		"d.jsonl":        jsonl.Bytes(),
	} {
		if err := os.WriteFile(add(name), content, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	slices.Sort(paths)
	list = filepath.Join(dir, "list.txt")
	if err := os.WriteFile(list, []byte("# archives\n\n"+strings.Join(paths, "\n")+"\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	return list, paths
}

// exitCode returns the exit status of a process, 0 if it ended well.
func exitCode(err error) int {
	if exit := new(exec.ExitError); errors.As(err, &exit) {
		return exit.ExitCode()
	}
	return 0
}

// wholeRun returns the rows of one run over all archives.
func wholeRun(t *testing.T, list string) []batch.Line {
	t.Helper()
	out := filepath.Join(t.TempDir(), "whole.parquet")
	if said, err := tool(t, "batch", "--archives", list, "--out", out, "--quiet").CombinedOutput(); exitCode(err) > cli.ExitFailed {
		t.Fatalf("%v: %s", err, said)
	}
	return linesOfParts(t, out)
}

// TestParts runs parts, one of them without an archive, then that part again.
func TestParts(t *testing.T) {
	t.Parallel()
	list, paths := partArchives(t, 5)
	want := wholeRun(t, list)
	out := filepath.Join(t.TempDir(), "out")
	part := func(i int, more ...string) (code int, said string) {
		args := append([]string{"batch", "--archives", list, "--part", fmt.Sprintf("%d/2", i), "--out", out + "/"}, more...)
		b, err := tool(t, args...).CombinedOutput()
		return exitCode(err), string(b)
	}
	if code, said := part(1); code > cli.ExitFailed {
		t.Fatalf("part 1: %d, %s", code, said)
	}
	if err := os.Rename(paths[3], paths[3]+".away"); err != nil {
		t.Fatal(err)
	}
	if code, said := part(2); code != cli.ExitAborted || !strings.Contains(said, "1 of 2 archives are not done") {
		t.Errorf("part 2 without an archive: %d, %s", code, said)
	}
	if err := os.Rename(paths[3]+".away", paths[3]); err != nil {
		t.Fatal(err)
	}
	if code, said := part(2); code > cli.ExitFailed || !strings.Contains(said, "2 archives, 1 of them were done before") {
		t.Errorf("part 2 again: %d, %s", code, said)
	}
	checkParts(t, out, want)
	if s := readSummary(filepath.Join(out, "_part-00002.json")); s == nil || !s.Complete || s.Pages != 5 || s.Archive != paths[2] {
		t.Errorf("summary %+v", s)
	}
	// Another list must not be mixed with this one.
	if err := os.WriteFile(list, []byte(strings.Join(append([]string{paths[1]}, paths...), "\n")), 0o644); err != nil {
		t.Fatal(err)
	}
	if code, said := part(1); code != cli.ExitAborted || !strings.Contains(said, "name another folder, or use --overwrite") {
		t.Errorf("another list: %d, %s", code, said)
	}
	if code, said := part(1, "--stories", "s.db"); code != cli.ExitUsage || !strings.Contains(said, "--stories and --part exclude each other") {
		t.Errorf("with --stories: %d, %s", code, said)
	}
	for _, bad := range []string{"0/2", "3/2", "1", "x/y"} {
		b, err := tool(t, "batch", "--archives", list, "--part", bad, "--out", out+"/").CombinedOutput()
		if exitCode(err) != cli.ExitUsage || !strings.Contains(string(b), "use I/N") {
			t.Errorf("--part %s: %v, %s", bad, err, b)
		}
	}
}

// TestPartLock checks that a lock that cannot be made is an error, and not a lock that is
// not needed.
func TestPartLock(t *testing.T) {
	t.Parallel()
	list, paths := partArchives(t, 5)
	out := t.TempDir()
	if err := os.Mkdir(filepath.Join(out, "part-00000.parquet.journal.lock"), 0o755); err != nil {
		t.Fatal(err)
	}
	b, err := tool(t, "batch", "--archives", list, "--part", "1/1", "--out", out, "--quiet").CombinedOutput()
	if exitCode(err) != cli.ExitAborted || !strings.Contains(string(b), paths[0]+": cannot write the result") {
		t.Errorf("%v: %s", err, b)
	}
	if files, _ := filepath.Glob(filepath.Join(out, "part-*.parquet")); len(files) > 0 {
		t.Errorf("written without a lock: %v", files)
	}
}

// TestKillParts kills parts at random moments, some of them while another process does
// the same part, and runs them again until all are done. LEDE_KILLS is the number of
// kills.
func TestKillParts(t *testing.T) {
	testkit.SkipRace(t)
	t.Parallel()
	kills := testkit.Kills(t, 6)
	list, _ := partArchives(t, 30)
	want := wholeRun(t, list)
	random := rand.New(rand.NewPCG(21, 3))
	out := t.TempDir()
	for killed, done := 0, false; !done; {
		var running []*exec.Cmd
		for _, part := range []string{"1/2", "2/2", "1/2"} {
			cmd := tool(t, "batch", "--archives", list, "--part", part, "--out", out, "--quiet", "--workers", "1", "--checkpoint", "10ms")
			cmd.Stderr = &bytes.Buffer{}
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			running = append(running, cmd)
		}
		time.Sleep(time.Duration(random.IntN(300)) * time.Millisecond)
		done = true
		for _, cmd := range running {
			if killed < kills && cmd.Process.Kill() == nil {
				killed++
			}
			code := exitCode(cmd.Wait())
			said := fmt.Sprint(cmd.Stderr)
			if code == cli.ExitAborted && !strings.Contains(said, "another process is writing this output") {
				t.Fatalf("exit status %d: %s", code, said)
			}
			done = done && code >= 0 && code <= cli.ExitFailed
		}
	}
	checkParts(t, out, want)
}
