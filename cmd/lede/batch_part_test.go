package main

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/parquet-go/parquet-go"

	"github.com/lede-news/lede/batch"
	"github.com/lede-news/lede/internal/cli"
	"github.com/lede-news/lede/internal/lab/testkit"
	"github.com/lede-news/lede/warc"
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

// partFiles returns the results in a folder, in order.
func partFiles(t *testing.T, dir string) []string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "part-*.parquet"))
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(files)
	return files
}

// checkParts compares the parts in a folder with a run over all archives.
func checkParts(t *testing.T, dir string, want []batch.Line) {
	t.Helper()
	got := linesOfParts(t, partFiles(t, dir)...)
	for i := range max(len(got), len(want)) {
		if i >= len(got) || i >= len(want) || !reflect.DeepEqual(got[i], want[i]) {
			t.Fatalf("%d rows, want %d; row %d differs:\n%.500v\n%.500v", len(got), len(want), i, got[min(i, len(got)):], want[min(i, len(want)):])
		}
	}
	if left, _ := filepath.Glob(filepath.Join(dir, "_lede", "tmp", "*")); len(left) > 0 {
		t.Errorf("left behind: %v", left)
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
	n := strconv.Itoa(pages)
	runTool(t, "newsroom", "write", "--warc", "-n", n, add("a.warc.gz"))
	whole := readFile(t, paths[0])
	runTool(t, "newsroom", "write", "--warc", "-n", n, "--seed", "2", add("b.warc"))
	for name, content := range map[string][]byte{
		"broken.warc.gz": slices.Concat(whole[:len(whole)/2], bytes.Repeat([]byte{0}, 3000), whole[len(whole)/2+3000:]),
		"shown.warc":     shownRecords(t, pages),
		"nothing.warc":   nil,
	} {
		if err := os.WriteFile(add(name), content, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	runTool(t, "newsroom", "write", "--pages", "1", filepath.Join(dir, "corpus"))
	if out, err := exec.Command("tar", "-C", filepath.Join(dir, "corpus"), "-cf", add("c.tar"), ".").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	var jsonl bytes.Buffer
	for i := range pages {
		fmt.Fprintf(&jsonl, "{\"html\":\"<title>Page %d</title><p>The council said on Monday that bridge %d stays closed.\",\"url\":\"https://paper.example/%d\"}\n", i, i, i)
	}
	if err := os.WriteFile(add("d.jsonl"), jsonl.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
	slices.Sort(paths)
	list = filepath.Join(dir, "list.txt")
	if err := os.WriteFile(list, []byte("# archives\n\n"+strings.Join(paths, "\n")+"\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	return list, paths
}

// shownRecords returns an archive whose pages show WARC records.
func shownRecords(t *testing.T, pages int) []byte {
	t.Helper()
	shown := "WARC/1.0\r\nWARC-Type: resource\r\nWARC-Record-ID: <urn:uuid:shown>\r\nWARC-Target-URI: https://paper.example/shown\r\n" +
		"Content-Type: text/html\r\nContent-Length: 24\r\n\r\n<p>It is in a page.</p>\r\n\r\n\r\n"
	var b bytes.Buffer
	w := warc.NewWriter(&b, warc.WriterOptions{Compression: warc.Uncompressed})
	for n := range pages {
		page := warc.Resource{URL: fmt.Sprintf("https://paper.example/%d", n), ContentType: "text/html", Body: []byte("<p>The council said so.</p>" + strings.Repeat(shown, 30))}
		if _, err := w.WriteResource(page); err != nil {
			t.Fatal(err)
		}
	}
	return b.Bytes()
}

// wholeRun returns the rows of one run over all archives.
func wholeRun(t *testing.T, list string) []batch.Line {
	t.Helper()
	out := filepath.Join(t.TempDir(), "whole.parquet")
	said, err := tool(t, "batch", "--archives", list, "--out", out, "--quiet").CombinedOutput()
	if cmd := exitCode(err); cmd > cli.ExitFailed {
		t.Fatalf("%v: %s", err, said)
	}
	return linesOfParts(t, out)
}

func exitCode(err error) int {
	if err == nil {
		return 0
	}
	if exit, ok := err.(*exec.ExitError); ok {
		return exit.ExitCode()
	}
	return -1
}

// TestPartsEqualOneRun compares parts and ranges with one run, row by row, also if all
// parts run at the same time, each twice.
func TestPartsEqualOneRun(t *testing.T) {
	list, _ := partArchives(t, 20)
	want := wholeRun(t, list)
	for _, c := range []struct {
		split    string
		n, times int
	}{{"30000", 3, 2}, {"0", 1, 1}, {"0", 3, 1}, {"20KB", 2, 1}} {
		t.Run(fmt.Sprintf("%s in %d", c.split, c.n), func(t *testing.T) {
			if c.times == 1 {
				testkit.SkipRace(t)
			}
			out := t.TempDir()
			var all sync.WaitGroup
			for i := range c.n * c.times {
				all.Go(func() {
					cmd := tool(t, "batch", "--archives", list, "--part", fmt.Sprintf("%d/%d", i%c.n+1, c.n), "--split", c.split, "--out", out, "--quiet", "--workers", "1")
					if said, err := cmd.CombinedOutput(); exitCode(err) < 0 || exitCode(err) > cli.ExitFailed {
						t.Errorf("%v: %s", err, said)
					}
				})
				if c.times == 1 {
					all.Wait()
				}
			}
			all.Wait()
			checkParts(t, out, want)
		})
	}
}

// TestPartsRefuse has runs that must not mix with others.
func TestPartsRefuse(t *testing.T) {
	list, paths := partArchives(t, 3)
	out := t.TempDir()
	run := func(args ...string) (string, int) {
		t.Helper()
		said, err := tool(t, append([]string{"batch", "--out", out + "/"}, args...)...).CombinedOutput()
		return string(said), exitCode(err)
	}
	if said, code := run("--archives", list, "--part", "1/2"); code > cli.ExitFailed {
		t.Fatal(said)
	}
	before := len(partFiles(t, out))
	for _, c := range []struct{ args, want string }{
		{"--archives LIST --part 1/2 --body md", "other settings: --body=text, and not --body=md"},
		{"--archives LIST --part 1/2 --split 1MB", "--split 0, and not 1048576"},
		{paths[0] + " --part 1/2", "another list"},
		{"--archives LIST --part 3/2", "use I/N"},
		{"--archives LIST --part 0/2", "use I/N"},
		{"--archives LIST --part 1/2 --resume", "--resume and --part exclude each other"},
		{"--archives LIST --part 1/2 --two-pass", "--two-pass and --part exclude each other"},
		{"--archives LIST --split 1MB", "--split requires --part"},
		{"s3a://bucket/a.warc.gz --part 1/1", "lede_news.spark"},
		{"--archives no-such-list --part 1/1", "no such file"},
	} {
		args := strings.Fields(strings.ReplaceAll(c.args, "LIST", list))
		if said, code := run(args...); code < 2 || !strings.Contains(said, c.want) {
			t.Errorf("%s: exit status %d, %s", c.args, code, said)
		}
	}
	if n := len(partFiles(t, out)); n != before {
		t.Errorf("%d results, there were %d", n, before)
	}
	// The same settings: only this part. Other settings: all anew.
	if said, code := run("--archives", list, "--part", "2/2", "--overwrite"); code > cli.ExitFailed || len(partFiles(t, out)) != len(paths) {
		t.Errorf("%d results: %s", len(partFiles(t, out)), said)
	}
	if said, code := run("--archives", list, "--part", "1/2", "--body", "md", "--overwrite"); code > cli.ExitFailed || len(partFiles(t, out)) != before {
		t.Errorf("%d results: %s", len(partFiles(t, out)), said)
	}
	// A folder with files of others.
	out = t.TempDir()
	if err := os.WriteFile(filepath.Join(out, "other.parquet"), []byte("PAR1"), 0o644); err != nil {
		t.Fatal(err)
	}
	if said, code := run("--archives", list, "--part", "1/2"); code != 3 || !strings.Contains(said, "other.parquet") {
		t.Errorf("%d: %s", code, said)
	}
}

// TestPartsMissingArchive has an archive that appears later.
func TestPartsMissingArchive(t *testing.T) {
	testkit.SkipRace(t)
	list, paths := partArchives(t, 5)
	want := wholeRun(t, list)
	out, away := t.TempDir(), paths[2]+".away"
	if err := os.Rename(paths[2], away); err != nil {
		t.Fatal(err)
	}
	args := []string{"batch", "--archives", list, "--part", "1/1", "--out", out}
	said, err := tool(t, args...).CombinedOutput()
	if exitCode(err) != 3 || !strings.Contains(string(said), paths[2]+": no such file or folder") {
		t.Errorf("%v: %s", err, said)
	}
	if n := len(partFiles(t, out)); n != len(paths)-1 {
		t.Errorf("%d results of %d archives", n, len(paths))
	}
	if err := os.Rename(away, paths[2]); err != nil {
		t.Fatal(err)
	}
	if said, err := tool(t, args...).CombinedOutput(); exitCode(err) > cli.ExitFailed || !strings.Contains(string(said), fmt.Sprintf("%d of them were done before", len(paths)-1)) {
		t.Errorf("%v: %s", err, said)
	}
	checkParts(t, out, want)
}

// TestPartsDeadlyPages has pages that kill the process of a task.
func TestPartsDeadlyPages(t *testing.T) {
	testkit.SkipRace(t)
	dir := t.TempDir()
	file, out := filepath.Join(dir, "in.jsonl"), filepath.Join(dir, "out")
	var pages strings.Builder
	for i := range 40 {
		bad := map[int]string{7: "no end of boxes", 20: "no end of memory", 33: "no end of boxes"}[i]
		fmt.Fprintf(&pages, "{\"id\":\"p%02d\",\"html\":\"<title>A page</title><p>The council said on Monday that the bridge stays closed. %s\"}\n", i, bad)
	}
	if err := os.WriteFile(file, []byte(pages.String()), 0o644); err != nil {
		t.Fatal(err)
	}
	cmd := tool(t, "batch", file, "--part", "1/1", "--out", out, "--workers", "2")
	cmd.Args[0] = "lede-deadly"
	if said, err := cmd.CombinedOutput(); exitCode(err) != cli.ExitFailed {
		t.Fatalf("%v: %s", err, said)
	}
	rows := linesOfParts(t, partFiles(t, out)...)
	crashes := 0
	for i, r := range rows {
		if r.ID != fmt.Sprintf("p%02d", i) {
			t.Errorf("row %d is %s", i, r.ID)
		}
		if r.Kind == "crash" {
			crashes++
		}
	}
	kept, _ := filepath.Glob(filepath.Join(out, "_lede", "quarantine", "part-00000", "*.html"))
	if len(rows) != 40 || crashes != 3 || len(kept) != 3 {
		t.Errorf("%d rows, %d crashes, %d in quarantine", len(rows), crashes, len(kept))
	}
}

// TestKillParts kills parts at random moments, some of them twice at the same time, and
// runs them again until all are done. LEDE_KILLS is the number of kills.
func TestKillParts(t *testing.T) {
	testkit.SkipRace(t)
	kills := testkit.Kills(8, 5)
	list, _ := partArchives(t, 40)
	want := wholeRun(t, list)
	random := rand.New(rand.NewPCG(21, 3))
	const n = 2
	for done := 0; done < kills; {
		out := t.TempDir()
		for {
			var running []*exec.Cmd
			for i := range n + random.IntN(2) {
				cmd := tool(t, "batch", "--archives", list, "--part", fmt.Sprintf("%d/%d", i%n+1, n), "--split", "15000", "--out", out, "--quiet", "--workers", "1")
				cmd.Stderr = &bytes.Buffer{}
				if err := cmd.Start(); err != nil {
					t.Fatal(err)
				}
				running = append(running, cmd)
			}
			if done < kills {
				time.Sleep(time.Duration(random.IntN(1500)) * time.Millisecond)
			}
			finished := 0
			for _, cmd := range running {
				if done < kills && cmd.Process.Kill() == nil {
					done++
				}
				err := cmd.Wait()
				switch code := exitCode(err); {
				case code >= 0 && code <= cli.ExitFailed:
					finished++
				case code >= 0:
					t.Fatalf("exit status %d: %s", code, cmd.Stderr)
				}
			}
			if finished == len(running) {
				break
			}
		}
		// What processes of killed parts still write ends within a second or two.
		end := time.Now().Add(20 * time.Second)
		for left := 1; left > 0 && time.Now().Before(end); time.Sleep(100 * time.Millisecond) {
			tmp, _ := filepath.Glob(filepath.Join(out, "_lede", "tmp", "*"))
			for _, dir := range tmp {
				_ = os.RemoveAll(dir) // of tasks that another process has done
			}
			left = len(tmp)
		}
		checkParts(t, out, want)
	}
	t.Logf("%d kills", kills)
}
