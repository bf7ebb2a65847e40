package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"html"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/lede-news/lede/batch"
	"github.com/lede-news/lede/internal/cli"
	"github.com/lede-news/lede/internal/lab/newsroom"
	"github.com/lede-news/lede/internal/output/sink"
)

// wireArticles returns articles of a wire in a random order, so that originals come
// after their copies.
func wireArticles(n int, seed uint64) []newsroom.WireArticle {
	list := slices.Collect(newsroom.NewWire(seed, newsroom.WireOptions{Articles: n, PerDay: 10, Langs: []string{"en"}}).Articles())
	rand.New(rand.NewPCG(seed, 18)).Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
	return list
}

// writeArticles writes articles as lede batch would.
func writeArticles(t *testing.T, file string, list []newsroom.WireArticle) {
	t.Helper()
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	for _, a := range list {
		l := batch.Line{ID: a.ID, URL: a.URL, Site: a.Site, Title: a.Title, Text: a.Text, Lang: a.Lang, Type: "article"}
		if !a.Published.IsZero() {
			l.Date = a.Published.Format("2006-01-02T15:04:05Z07:00")
		}
		if err := enc.Encode(l); err != nil {
			t.Fatal(err)
		}
	}
	writeTestFile(t, file, b.Bytes())
}

// writeWirePages writes articles as pages for lede batch.
func writeWirePages(t *testing.T, file string, list []newsroom.WireArticle) {
	t.Helper()
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	for _, a := range list {
		var page strings.Builder
		fmt.Fprintf(&page, "<html lang=%s><title>%s</title><meta property='article:published_time' content='%s'><article><h1>%s</h1>", a.Lang, html.EscapeString(a.Title), a.Published.Format("2006-01-02T15:04:05Z07:00"), html.EscapeString(a.Title))
		for line := range strings.Lines(a.Text) {
			fmt.Fprintf(&page, "<p>%s</p>", html.EscapeString(strings.TrimSpace(line)))
		}
		if err := enc.Encode(map[string]string{"id": a.ID, "url": a.URL, "html": page.String()}); err != nil {
			t.Fatal(err)
		}
	}
	writeTestFile(t, file, b.Bytes())
}

func writeTestFile(t *testing.T, file string, content []byte) {
	t.Helper()
	if err := os.WriteFile(file, content, 0o644); err != nil {
		t.Fatal(err)
	}
}

// The order of the input, its format, and the number of workers have no influence.
func TestStoriesDoNotDependOnOrder(t *testing.T) {
	dir := t.TempDir()
	list := wireArticles(400, 1)
	var want []byte
	for i, workers := range []string{"1", "3", "2"} {
		in, out := filepath.Join(dir, fmt.Sprintf("in%d.jsonl", i)), filepath.Join(dir, fmt.Sprintf("out%d.jsonl", i))
		args := []string{"stories", in, "--quiet", "--out", out, "--workers", workers}
		switch i {
		case 0:
			writeArticles(t, in, list)
		case 1:
			slices.Reverse(list)
			writeArticles(t, in, list)
		case 2: // in two files, and an index that grows is not used
			half := filepath.Join(dir, "half.jsonl")
			writeArticles(t, in, list[:150])
			writeArticles(t, half, list[150:])
			args = slices.Insert(args, 1, half)
		}
		runTool(t, args...)
		got := readFile(t, out)
		if i == 0 {
			want = got
		}
		if !bytes.Equal(got, want) {
			t.Errorf("run %d gives other stories", i)
		}
	}
	copies, several := 0, 0
	for line := range bytes.Lines(want) {
		var s storyLine
		if err := json.Unmarshal(line, &s); err != nil {
			t.Fatal(err)
		}
		copies += s.copies()
		if len(s.Papers) > 1 {
			several++
		}
	}
	if copies < 100 || several < 20 {
		t.Errorf("%d copies, %d stories of several papers", copies, several)
	}
	if left, _ := filepath.Glob(filepath.Join(dir, "*.partial*")); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

// Every line that --one-per-story keeps opened its story, every other one is left out,
// and pages without a story stay.
func TestOnePerStory(t *testing.T) {
	dir := t.TempDir()
	pages := filepath.Join(dir, "pages.jsonl")
	list := wireArticles(150, 2)
	list[7].Text = "" // a page without an article
	writeWirePages(t, pages, list)
	lines := func(name string, args ...string) (list []batch.Line) {
		out := filepath.Join(dir, name)
		said, err := tool(t, append([]string{"batch", pages, "--out", out, "--stories", filepath.Join(dir, name+".db")}, args...)...).CombinedOutput()
		if len(args) > 0 && !strings.Contains(string(said), "and were left out") {
			t.Errorf("%v: %s", err, said)
		}
		for line := range bytes.Lines(readFile(t, out)) {
			var l batch.Line
			if err := json.Unmarshal(line, &l); err != nil {
				t.Fatal(err)
			}
			list = append(list, l)
		}
		return list
	}
	var want []string
	seen := map[string]bool{}
	all := lines("all.jsonl")
	for _, l := range all {
		if l.Story == "" || !seen[l.Story] {
			want = append(want, l.ID)
		}
		seen[l.Story] = true
		if l.Story != "" && (l.StoryScore <= 0 || l.StoryScore > 1) {
			t.Errorf("%s has the score %v", l.ID, l.StoryScore)
		}
	}
	var got []string
	for _, l := range lines("one.jsonl", "--one-per-story") {
		got = append(got, l.ID)
		if l.CopyOf != "" {
			t.Errorf("%s is a copy of %s", l.ID, l.CopyOf)
		}
	}
	if len(all) != 150 || len(want) > 100 || !slices.Equal(got, want) || !slices.Contains(got, list[7].ID) {
		t.Errorf("of %d lines, %d open a story; kept %d", len(all), len(want), len(got))
	}
	// The output is the same in every format, and on standard output.
	runIgnoringPages(t, "batch", pages, "--out", filepath.Join(dir, "one.sqlite"), "--stories", filepath.Join(dir, "sqlite.db"), "--one-per-story", "--quiet")
	if ids := idsOfDatabase(t, filepath.Join(dir, "one.sqlite")); !slices.Equal(ids, want) {
		t.Errorf("%d rows, want %d", len(ids), len(want))
	}
	stream := runIgnoringPages(t, "batch", pages, "--out", "-", "--stories", filepath.Join(dir, "stream.db"), "--one-per-story", "--quiet")
	if !bytes.Equal(stream, readFile(t, filepath.Join(dir, "one.jsonl"))) {
		t.Error("standard output has other lines")
	}
	// A second run over the same pages changes nothing.
	before := readFile(t, filepath.Join(dir, "one.jsonl"))
	lines("one.jsonl", "--one-per-story", "--overwrite")
	if after := readFile(t, filepath.Join(dir, "one.jsonl")); !sameIDs(before, after) {
		t.Error("with an index that knows all articles, other lines are kept")
	}
}

// sameIDs reports whether two files of JSON lines have the same ids.
func sameIDs(a, b []byte) bool {
	ids := func(file []byte) (list []string) {
		for line := range bytes.Lines(file) {
			id, _, _ := bytes.Cut(line, []byte(","))
			list = append(list, string(id))
		}
		return list
	}
	return slices.Equal(ids(a), ids(b))
}

// runIgnoringPages runs lede, which may fail on pages, and returns its output.
func runIgnoringPages(t *testing.T, args ...string) []byte {
	t.Helper()
	cmd := tool(t, args...)
	var said bytes.Buffer
	cmd.Stderr = &said
	out, err := cmd.Output()
	if err != nil && cmd.ProcessState.ExitCode() != cli.ExitFailed {
		t.Fatalf("lede %s: %v\n%s", strings.Join(args, " "), err, said.String())
	}
	return out
}

// A date without a time is later than those of the day that have one, so that it does
// not make an article the original.
func TestPublished(t *testing.T) {
	for date, want := range map[sink.Text]string{
		"": "", "2026-11-09": "2026-11-09", "2026-11-09T00:00:00Z": "2026-11-09", "2026-11-09T00:00:00+05:30": "2026-11-09T18:29:59Z",
		"2026-11-09T23:10:00Z": "2026-11-09T23:10:00Z", "2026-11-09T23:10:00-02:00": "2026-11-10T01:10:00Z", "9999-01-01": "", "0001-01-01": "", "nonsense": "",
	} {
		got := published(date)
		if timeText(got) != want {
			t.Errorf("%s is %s, want %s", date, timeText(got), want)
		}
	}
	if !published("2026-11-09").After(published("2026-11-09T23:10:00Z")) || !published("2026-11-09").Before(published("2026-11-10T00:10:00Z")) {
		t.Error("a day does not end after its last article")
	}
}

// A command that waits for its standard input can be stopped.
func TestStoriesStopWhileReading(t *testing.T) {
	in, feed := io.Pipe()
	defer feed.Close()
	ctx, stop := context.WithCancel(t.Context())
	go func() {
		_, _ = io.WriteString(feed, "{\"id\":\"a\",\"text\":\"The lock opens.\"}\n") // returns when it was read
		stop()
	}()
	for _, args := range [][]string{{"stories", "-"}, {"stories", "-", "--out", filepath.Join(t.TempDir(), "stories.db")}} {
		var said bytes.Buffer
		if code := run(ctx, args, in, io.Discard, &said); code != cli.ExitAborted || !strings.Contains(said.String(), "lede: stopped\n") {
			t.Errorf("%v: exit status %d: %s", args, code, said.String())
		}
	}
}
