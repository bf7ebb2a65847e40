package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
	"github.com/parquet-go/parquet-go"

	"github.com/lede-news/lede/batch"
	"github.com/lede-news/lede/internal/cli"
	"github.com/lede-news/lede/internal/lab/newsroom"
	"github.com/lede-news/lede/internal/lab/testkit"
	"github.com/lede-news/lede/site/store"
)

// runLede runs a command line and returns its output. The exit status must be want.
func runLede(t *testing.T, want int, in []byte, args ...string) []byte {
	t.Helper()
	var out, errs bytes.Buffer
	if code := run(t.Context(), args, bytes.NewReader(in), &out, &errs); code != want {
		t.Fatalf("lede %s: exit status %d, want %d: %s", strings.Join(args, " "), code, want, errs.String())
	}
	return out.Bytes()
}

// sitePages returns pages as JSON lines: those of the first site are half of all, every
// tenth page is there twice, and some have no address, fail or are of no site.
func sitePages(n int) (lines [][]byte) {
	rnd := rand.New(rand.NewPCG(7, 8))
	sites := append(newsroom.New(1).Sites()[:6], newsroom.Cluttered(2).Sites()[:6]...)
	add := func(id int, fields map[string]string) {
		fields["id"] = fmt.Sprint(id)
		line, err := json.Marshal(fields)
		if err != nil {
			panic(err)
		}
		lines = append(lines, append(line, '\n'))
	}
	for i := range n {
		s := sites[0]
		if i%2 == 1 {
			s = sites[1+rnd.IntN(len(sites)-1)]
		}
		p := s.Page(i)
		fields := map[string]string{"url": p.Gold.URL, "html": string(p.HTML)}
		switch {
		case i%10 == 3:
			add(n+i, map[string]string{"url": p.Gold.URL, "html": string(p.HTML)})
		case i%40 == 5:
			fields = map[string]string{"site": "named.example", "html": string(p.HTML)}
		case i%40 == 6:
			fields = map[string]string{"url": "https://empty.example/" + fmt.Sprint(i), "html": " "}
		case i%40 == 8:
			fields = map[string]string{"html": "<p>This page has no address and no site.</p>"}
		case i%40 == 10:
			fields["url"] = fmt.Sprintf("https://%s.example/%d", strings.Repeat("long-", 50), i)
		}
		add(i, fields)
	}
	rnd.Shuffle(len(lines), func(i, k int) { lines[i], lines[k] = lines[k], lines[i] })
	return lines
}

// writeArchives writes pages to some archives.
func writeArchives(t *testing.T, dir string, lines [][]byte, n int) (paths []string) {
	t.Helper()
	for i := range n {
		path := filepath.Join(dir, fmt.Sprintf("a%d.jsonl", i))
		if err := os.WriteFile(path, bytes.Join(lines[i*len(lines)/n:(i+1)*len(lines)/n], nil), 0o644); err != nil {
			t.Fatal(err)
		}
		paths = append(paths, path)
	}
	return paths
}

// rowsOf returns the records of files of one format, sorted.
func rowsOf(t *testing.T, files ...string) (rows []string) {
	t.Helper()
	for _, file := range files {
		if filepath.Ext(file) != ".parquet" {
			rows = append(rows, strings.SplitAfter(string(readFile(t, file)), "\n")...)
			rows = rows[:len(rows)-1]
			continue
		}
		all, err := parquet.ReadFile[batch.Line](file)
		if err != nil {
			t.Fatal(err)
		}
		for i := range all {
			line, err := json.Marshal(&all[i])
			if err != nil {
				t.Fatal(err)
			}
			rows = append(rows, string(line))
		}
	}
	slices.Sort(rows)
	return rows
}

// TestSitesOnManyMachines checks that the steps give the records of --two-pass.
func TestSitesOnManyMachines(t *testing.T) {
	testkit.SkipRace(t)
	dir := t.TempDir()
	in := func(name string) string { return filepath.Join(dir, name) }
	lines := sitePages(320)
	archives := writeArchives(t, dir, lines, 4)
	extract := func(out string, args ...string) {
		t.Helper()
		runLede(t, cli.ExitFailed, nil, append([]string{"batch", "-q", "--page-time=1h", "--out", in(out)}, args...)...)
	}
	extract("two.jsonl", append([]string{"--two-pass", "--site-store", in("two.db")}, archives...)...)
	extract("two.parquet", append([]string{"--two-pass"}, archives...)...)
	extract("one.jsonl", archives...)
	if got := rowsOf(t, in("two.jsonl")); len(got) != len(lines) || slices.Equal(rowsOf(t, in("one.jsonl")), got) {
		t.Fatal("the first pass changes nothing, so that nothing is tested")
	}

	var observed [][]byte
	for i, path := range archives {
		name := "observed" + []string{".jsonl", ".jsonl.gz", ".jsonl.zst", ".ndjson"}[i]
		extract(name, "--observe", path)
		observed = append(observed, plainLines(t, in(name)))
		extract("again"+name, "--observe", "--workers=1", path)
		if !bytes.Equal(readFile(t, in(name)), readFile(t, in("again"+name))) {
			t.Errorf("%s: another run observes something else", path)
		}
	}
	sorted := func(parts ...[]byte) []byte { return sortLines(bytes.Join(parts, nil)) }
	profiles := runLede(t, cli.ExitOK, sorted(observed...), "step", "profiles")
	// Merged in another order, in groups, with lines that occur twice, by several workers.
	for _, input := range [][]byte{
		sorted(observed[3], observed[1], observed[0], observed[2], observed[1]),
		sorted(smallestOf(t, sorted(observed[0], observed[2])), smallestOf(t, sorted(observed[3], observed[1]))),
	} {
		if got := runLede(t, cli.ExitOK, input, "step", "profiles", "-w", "3"); !bytes.Equal(got, profiles) {
			t.Error("the order or the groups of observations matter")
		}
	}
	if got := runLede(t, cli.ExitOK, sorted(observed[1:]...), "step", "profiles"); bytes.Equal(got, profiles) {
		t.Error("an archive makes no difference")
	}

	// A profile is the same as in the store of --two-pass.
	if err := os.WriteFile(in("profiles.jsonl"), profiles, 0o644); err != nil {
		t.Fatal(err)
	}
	runLede(t, cli.ExitOK, nil, "site", "import", in("profiles.jsonl"), "--site-store", in("steps.db"))
	two, steps := storedProfiles(t, in("two.db")), storedProfiles(t, in("steps.db"))
	if len(two) < 12 || len(two) != len(steps) || len(two) != bytes.Count(profiles, []byte("\n")) {
		t.Fatalf("%d and %d sites", len(two), len(steps))
	}
	for name, data := range two {
		if !bytes.Equal(data, steps[name]) {
			t.Errorf("the profiles of %s differ", name)
		}
	}

	// The rows are those of the second pass, and the store is not changed.
	before := readFile(t, in("steps.db"))
	for _, form := range []string{".jsonl", ".parquet"} {
		var files []string
		for i, path := range archives {
			name := fmt.Sprintf("steps%d%s", i, form)
			extract(name, "--site-store", in("steps.db"), "--no-learn", path)
			files = append(files, in(name))
		}
		if got := rowsOf(t, files...); !slices.Equal(got, rowsOf(t, in("two"+form))) {
			t.Errorf("%s: %d rows, or they differ", form, len(got))
		}
	}
	if !bytes.Equal(readFile(t, in("steps.db")), before) {
		t.Error("--no-learn has changed the store")
	}
	if got := runLede(t, cli.ExitFailed, nil, "batch", "-q", "--page-time=1h", "--site-store", in("steps.db"), "--no-learn", "--out", "-", archives[2]); !bytes.Equal(got, readFile(t, in("steps2.jsonl"))) {
		t.Error("standard output differs")
	}
}

// plainLines returns the lines of a file that may be compressed.
func plainLines(t *testing.T, file string) []byte {
	t.Helper()
	var in io.Reader = bytes.NewReader(readFile(t, file))
	var err error
	switch filepath.Ext(file) {
	case ".gz":
		in, err = gzip.NewReader(in)
	case ".zst":
		in, err = zstd.NewReader(in)
	}
	if err != nil {
		t.Fatal(err)
	}
	all, err := io.ReadAll(in)
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// smallestOf keeps the first 64 different lines of each site, as a partial merge does.
func smallestOf(t *testing.T, lines []byte) []byte {
	t.Helper()
	type line struct {
		Site string
		Hash int64
	}
	all := map[string]map[int64][]byte{}
	for _, text := range bytes.SplitAfter(lines, []byte("\n")) {
		var l line
		if len(text) == 0 {
			continue
		}
		if err := json.Unmarshal(text, &l); err != nil {
			t.Fatal(err)
		}
		if all[l.Site] == nil {
			all[l.Site] = map[int64][]byte{}
		}
		all[l.Site][l.Hash] = text
	}
	var out []byte
	for _, texts := range all {
		var hashes []int64
		for h := range texts {
			hashes = append(hashes, h)
		}
		slices.Sort(hashes)
		for _, h := range hashes[:min(len(hashes), 64)] {
			out = append(out, texts[h]...)
		}
	}
	return out
}

// storedProfiles returns the profiles of a store in their binary form.
func storedProfiles(t *testing.T, path string) map[string][]byte {
	t.Helper()
	s, err := store.Open(path, store.Options{ReadOnly: true})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	all := map[string][]byte{}
	list, err := s.Sites(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, info := range list {
		p, err := s.Profile(t.Context(), info.Name)
		if err != nil {
			t.Fatal(err)
		}
		if all[info.Name], err = p.MarshalJSON(); err != nil {
			t.Fatal(err)
		}
	}
	return all
}

// A site whose pages could not be observed is named, since the second pass may succeed.
func TestObserveNamesSites(t *testing.T) {
	dir := t.TempDir()
	in, out := filepath.Join(dir, "in.jsonl"), filepath.Join(dir, "out.jsonl")
	page := newsroom.New(1).Sites()[0].Page(1)
	var lines []byte
	for url, html := range map[string]string{"https://b.example/1": "<p>Nothing here.</p>", page.Gold.URL: string(page.HTML), "https://a.example/1": "<p>Nor here.</p>"} {
		line, _ := json.Marshal(map[string]string{"url": url, "html": html})
		lines = append(append(lines, line...), '\n')
	}
	if err := os.WriteFile(in, lines, 0o644); err != nil {
		t.Fatal(err)
	}
	runLede(t, cli.ExitFailed, nil, "batch", "-q", "--observe", "--only-articles", in, "--out", out)
	got := string(readFile(t, out))
	if n := strings.Count(got, "\n"); n != 3 || !strings.HasPrefix(got, `{"site":"a.example","hash":0,"data":null}`+"\n"+`{"site":"b.example","hash":0,"data":null}`+"\n") {
		t.Errorf("%d lines: %s", n, got)
	}
	if profiles := string(runLede(t, cli.ExitOK, []byte(got), "step", "profiles")); strings.Count(profiles, "\n") != 1 || strings.Contains(profiles, "a.example") {
		t.Error(profiles)
	}
	if left, _ := filepath.Glob(out + ".*"); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}

	// Observations that cannot be used are refused.
	line := got[strings.LastIndex(strings.TrimSpace(got), "\n")+1:]
	for input, want := range map[string]string{
		line + `{"site":"a.example","hash":0,"data":null}`:                     "standard input, line 2: the lines are not sorted by site",
		regexp.MustCompile(`"hash":-?[0-9]`).ReplaceAllString(line, `"hash":`): "standard input, line 1: not an observation of lede batch --observe: the hash is not that",
		strings.Replace(line, `"data":"`, `"data":"!`, 1):                      "standard input, line 1: not an observation of lede batch --observe: illegal base64",
		`{"hash":1,"data":"TGRP"}`:                                             "standard input, line 1: not an observation of lede batch --observe: an observation without a site",
		line[:len(line)/2]:                                                     "standard input, line 1: not an observation of lede batch --observe: unexpected end",
	} {
		var errs bytes.Buffer
		if code := run(t.Context(), []string{"step", "profiles"}, strings.NewReader(input), io.Discard, &errs); code != cli.ExitAborted || !strings.Contains(errs.String(), want) {
			t.Errorf("exit status %d: %s, want %s", code, errs.String(), want)
		}
	}
}

// TestObserveRanges checks that the observations of ranges of an archive are those of the
// archive.
func TestObserveRanges(t *testing.T) {
	testkit.SkipRace(t)
	dir := t.TempDir()
	archive := filepath.Join(dir, "a.warc.gz")
	runTool(t, "newsroom", "write", archive, "--pages", "70", "--sites", "marston-gazette,orla-pulse")
	whole := filepath.Join(dir, "whole.jsonl")
	runLede(t, cli.ExitOK, nil, "batch", "-q", "--page-time=1h", "--observe", archive, "--out", whole)
	fi, err := os.Stat(archive)
	if err != nil {
		t.Fatal(err)
	}
	plan := runLede(t, cli.ExitOK, fmt.Appendf(nil, `{"path":%q,"size":%d}`, archive, fi.Size()), "step", "plan", "--split", fmt.Sprint(fi.Size()/5))
	var all []byte
	for i, text := range strings.Split(strings.TrimSpace(string(plan)), "\n") {
		var task struct {
			Name        string
			From, Until int64
		}
		if err := json.Unmarshal([]byte(text), &task); err != nil {
			t.Fatal(err)
		}
		out := filepath.Join(dir, fmt.Sprintf("%d.jsonl", i))
		runLede(t, cli.ExitOK, nil, "batch", "-q", "--page-time=1h", "--observe", archive, "--out", out, "--summary", out+".json",
			"--as", task.Name, "--from", fmt.Sprint(task.From), "--until", fmt.Sprint(task.Until))
		var sum struct{ Begin, Next int64 }
		if err := json.Unmarshal(readFile(t, out+".json"), &sum); err != nil || sum.Begin >= 0 && sum.Begin < task.From || sum.Next == 0 {
			t.Errorf("range %d: %+v, %v", i, sum, err)
		}
		all = append(all, readFile(t, out)...)
	}
	if n := strings.Count(string(plan), "\n"); n < 5 {
		t.Fatalf("only %d ranges", n)
	}
	if got, want := smallestOf(t, all), smallestOf(t, readFile(t, whole)); !bytes.Equal(sortLines(got), sortLines(want)) || len(got) == 0 {
		t.Errorf("%d bytes of observations, want %d, or they differ", len(got), len(want))
	}
}

func sortLines(text []byte) []byte {
	all := bytes.SplitAfter(text, []byte("\n"))
	slices.SortFunc(all, bytes.Compare)
	return bytes.Join(all, nil)
}

// TestKillObserve kills a first pass at random moments and resumes it. What it has
// observed must be the same as without kills.
func TestKillObserve(t *testing.T) {
	testkit.SkipRace(t)
	dir := t.TempDir()
	archive, whole, out := filepath.Join(dir, "a.warc.gz"), filepath.Join(dir, "whole.jsonl.gz"), filepath.Join(dir, "out.jsonl.gz")
	runTool(t, "newsroom", "write", archive, "-n", "200")
	runTool(t, "batch", "-q", "--observe", archive, "--out", whole)
	rnd := rand.New(rand.NewPCG(1, 2))
	kills := 0
	for range testkit.Kills(5, 3) {
		cmd := tool(t, "batch", "-q", "--observe", archive, "--out", out, "--resume", "--workers=2", "--checkpoint=10ms")
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		before, _ := os.ReadFile(out + ".learned.journal")
		for commits, until := rnd.IntN(8), time.Now().Add(time.Minute); time.Now().Before(until); time.Sleep(time.Millisecond) {
			now, _ := os.ReadFile(out + ".learned.journal")
			if _, err := os.Stat(out); err == nil || bytes.Count(now, []byte("\n")) > bytes.Count(before, []byte("\n"))+commits {
				break
			}
		}
		_ = cmd.Process.Kill() // it may be done
		if err := cmd.Wait(); err != nil {
			kills++
		}
	}
	runTool(t, "batch", "-q", "--observe", archive, "--out", out, "--resume")
	if !bytes.Equal(readFile(t, out), readFile(t, whole)) {
		t.Errorf("other observations after %d kills", kills)
	}
	if left, _ := filepath.Glob(out + ".*"); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
	t.Logf("%d kills", kills)
}
