package main

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"html"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

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

// exportStories returns all stories of an index as lines of JSON.
func exportStories(t *testing.T, index string) []byte {
	t.Helper()
	out, err := tool(t, "stories", "list", index, "--limit", "0", "--json").Output()
	if err != nil || len(out) == 0 {
		t.Fatalf("%s: %v", index, err)
	}
	return out
}

// runStories runs lede stories and returns its output.
func runStories(t *testing.T, want int, args ...string) []byte {
	t.Helper()
	var out, said bytes.Buffer
	if code := run(t.Context(), append([]string{"stories"}, args...), strings.NewReader(""), &out, &said); code != want {
		t.Fatalf("%v: exit status %d: %s", args, code, said.String())
	}
	return out.Bytes()
}

// parseStories returns stories by their articles, and the original of each article.
func parseStories(t *testing.T, lines []byte) (story, original map[string]string) {
	t.Helper()
	story, original = map[string]string{}, map[string]string{}
	for line := range bytes.Lines(lines) {
		var s storyLine
		if err := json.Unmarshal(line, &s); err != nil {
			t.Fatal(err)
		}
		for _, a := range s.Articles {
			story[a.ID], original[a.ID] = s.Story, cmp.Or(a.CopyOf, a.ID)
		}
	}
	return story, original
}

// The number of workers has no influence, and articles need no order.
func TestStoriesWorkers(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	list := wireArticles(400, 1)
	var want []byte
	for _, workers := range []string{"1", "3"} {
		in, out := filepath.Join(dir, "in"+workers+".jsonl"), filepath.Join(dir, "out"+workers+".jsonl")
		writeArticles(t, in, list)
		runTool(t, "stories", in, "--quiet", "--out", out, "--workers", workers)
		if got := readFile(t, out); want == nil {
			want = got
		} else if !bytes.Equal(got, want) {
			t.Error("other stories")
		}
	}
	story, original := parseStories(t, want)
	copies, stories := 0, map[string]bool{}
	for id, of := range original {
		if stories[story[id]] = true; of != id {
			copies++
		}
	}
	if len(story) != 400 || copies < 100 || len(stories) > 200 {
		t.Errorf("%d articles, %d copies, %d stories", len(story), copies, len(stories))
	}
	if left, _ := filepath.Glob(filepath.Join(dir, "*.index*")); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

// TestStoriesJoin compares the stories of slices that were joined with those of all articles:
// 99 % of the pairs are the same. A slice has to know how common words are, so that with a
// quarter of the articles a day it joins more stories than one run does. LEDE_SLICES is the number of
// articles.
func TestStoriesJoin(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("compares thousands of articles, which other tests do on several goroutines too")
	}
	n := 4000
	if more, err := strconv.Atoi(os.Getenv("LEDE_SLICES")); err == nil {
		n = more
	}
	dir := t.TempDir()
	list := slices.Collect(newsroom.NewWire(21, newsroom.WireOptions{Articles: n, PerDay: 100}).Articles())
	times := map[string]time.Time{}
	for i := range list {
		a := &list[i]
		if times[a.ID] = a.Published; a.Published.IsZero() || a.Published.Sub(a.Seen) > 24*time.Hour {
			a.Published, times[a.ID] = a.Seen, a.Seen
		}
	}
	file := func(name string) string { return filepath.Join(dir, name) }
	var cpu [2]time.Duration
	stories := func(list []newsroom.WireArticle, name string) time.Duration {
		writeArticles(t, file("in.jsonl"), list)
		cmd := tool(t, "stories", file("in.jsonl"), "--quiet", "--out", file(name))
		if said, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, said)
		}
		return cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
	}
	cpu[0] = stories(list, "whole.jsonl")
	join := []string{"stories", "join", "--quiet", "--out", file("joined.jsonl")}
	start, end := list[0].Seen.Truncate(24*time.Hour), slices.MaxFunc(list, func(a, b newsroom.WireArticle) int { return a.Seen.Compare(b.Seen) }).Seen
	const length, overlap = 7 * 24 * time.Hour, 4 * 24 * time.Hour
	for from := start; from.Before(end); from = from.Add(length) {
		var slice []newsroom.WireArticle
		for _, a := range list {
			at := times[a.ID]
			if (at.Before(from.Add(length)) || !from.Add(length).Before(end)) && (from.Equal(start) || !at.Before(from.Add(-overlap))) {
				slice = append(slice, a)
			}
		}
		name := fmt.Sprintf("slice%d.jsonl.gz", len(join))
		cpu[1] += stories(slice, name)
		join = append(join, file(name))
	}
	runTool(t, join...)
	wholeStory, wholeCopy := parseStories(t, readFile(t, file("whole.jsonl")))
	story, original := parseStories(t, readFile(t, file("joined.jsonl")))
	if len(story) != n || len(wholeStory) != n {
		t.Fatalf("%d and %d articles of %d", len(story), len(wholeStory), n)
	}
	for _, c := range []struct {
		name        string
		whole, join map[string]string
	}{{"story", wholeStory, story}, {"copies", wholeCopy, original}} {
		var both, inWhole, inJoined float64
		for i := range list {
			for k := range i {
				a, b := list[i].ID, list[k].ID
				if d := times[a].Sub(times[b]).Abs(); d > overlap {
					continue
				}
				x, y := c.whole[a] == c.whole[b], c.join[a] == c.join[b]
				if x {
					inWhole++
				}
				if y {
					inJoined++
				}
				if x && y {
					both++
				}
			}
		}
		t.Logf("%s: %.0f pairs, recall %.4f, precision %.4f", c.name, inWhole, both/inWhole, both/inJoined)
		if inWhole < float64(n) || both < .99*inWhole || both < .99*inJoined {
			t.Errorf("%s: too few pairs", c.name)
		}
	}
	t.Logf("%d slices; processor time %v, of all articles at once %v", len(join)-5, cpu[1], cpu[0])
}

// A copy or a story that was cut by the bounds of slices is put together again.
func TestStoryJoiner(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	slice := func(name string, lines ...string) string {
		writeTestFile(t, filepath.Join(dir, name), []byte(strings.Join(lines, "\n")+"\n"))
		return filepath.Join(dir, name)
	}
	one := slice("1.jsonl",
		`{"story":"s","headline":"S","papers":["A"],"start":"2026-11-01","end":"2026-11-07","count":2,"articles":[{"id":"a","date":"2026-11-01"},{"id":"b","date":"2026-11-07","copy_of":"a"}]}`,
		`{"story":"u","papers":["A"],"count":1,"articles":[{"id":"u","date":"2026-11-07"}]}`)
	two := slice("2.jsonl",
		`{"story":"t","papers":["B"],"start":"2026-11-07","end":"2026-11-09","count":3,"articles":[{"id":"b","date":"2026-11-07"},{"id":"c","date":"2026-11-09","copy_of":"b"},{"id":"b","date":"2026-11-08","copy_of":"b"}]}`,
		`{"story":"v","papers":["B"],"count":1,"articles":[{"id":"d"}]}`)
	out := runStories(t, cli.ExitOK, "join", one, two)
	story, original := parseStories(t, out)
	if len(story) != 5 || story["a"] != "s" || story["c"] != "s" || story["u"] != "u" || story["d"] != "v" || original["c"] != "a" {
		t.Errorf("%v %v", story, original)
	}
	// A new version of an article has the id of the old one.
	if !bytes.Contains(out, []byte(`"papers":["A","B"]`)) || !bytes.Contains(out, []byte(`"start":"2026-11-01","end":"2026-11-09"`)) || !bytes.Contains(out, []byte(`"count":4`)) {
		t.Errorf("%s", out)
	}
	runStories(t, cli.ExitAborted, "join", one, slice("3.jsonl", `{"id":"a"}`))
	runStories(t, cli.ExitAborted, "join", filepath.Join(dir, "4.jsonl"))
}

// An article without a time does not make a story of 2011 one of today.
func TestStoriesUndated(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	list := wireArticles(3, 3)
	list[0].Published = time.Date(2011, 12, 14, 8, 0, 0, 0, time.UTC)
	list[1].Published = time.Date(2026, 8, 2, 8, 0, 0, 0, time.UTC)
	list[2].Text, list[2].Published = list[0].Text, time.Time{}
	in, index := filepath.Join(dir, "in.jsonl"), filepath.Join(dir, "stories.db")
	writeArticles(t, in, list)
	runStories(t, cli.ExitOK, in, "--quiet", "--out", index)
	out := string(runStories(t, cli.ExitOK, "show", index, list[2].ID))
	if !strings.Contains(out, "2 articles") || strings.Contains(out, "2026-") || !strings.Contains(out, "(no date)") {
		t.Error(out)
	}
	if out := string(runStories(t, cli.ExitOK, "list", index, "--since", "3650d")); strings.Count(out, "\n") != 2 || strings.Contains(out, "2011") {
		t.Error(out)
	}
}

// When inOrder returns, no worker is running.
func TestInOrderWaits(t *testing.T) {
	t.Parallel()
	ctx, stop := context.WithCancel(t.Context())
	var running atomic.Int32
	err := inOrder(ctx, 4, func(yield func(int) error) error {
		for i := 0; ; i++ {
			if err := yield(i); err != nil {
				return err
			}
		}
	}, func(i int) int {
		running.Add(1)
		defer running.Add(-1)
		time.Sleep(time.Millisecond)
		return i
	}, func(i int) error {
		if i == 20 {
			stop()
		}
		return nil
	})
	if n := running.Load(); n != 0 || !errors.Is(err, context.Canceled) {
		t.Errorf("%d workers are running: %v", n, err)
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

// TestStoryArticle checks that pages of other types than article have no story, unless lede
// follow took them for one.
func TestStoryArticle(t *testing.T) {
	for _, c := range []struct {
		kind, seen, why string
	}{
		{"article", "", ""}, {"", "", ""}, {"other", "", noStoryType}, {"index", "", noStoryType}, {"other", "2026-03-02T10:00:00Z", ""},
	} {
		r := &sink.Record{ID: "a", Text: "The ferry is back.", Type: c.kind, FirstSeen: sink.Text(c.seen)}
		if a, why := storyArticle(r); why != c.why || (a == nil) != (why != "") {
			t.Errorf("type %q, first seen %q: %v, %q; want %q", c.kind, c.seen, a, why, c.why)
		}
	}
}
