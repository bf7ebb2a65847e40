package batch

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/lede-news/lede/article"
)

// echo is an extractor that returns the page as the title.
func echo(_ context.Context, _ Input, r io.Reader) (*article.Article, error) {
	b, err := io.ReadAll(r)
	if err != nil {
		return nil, err
	}
	switch s := string(b); s {
	case "fail":
		return nil, errors.New("no story\nhere")
	case "panic":
		panic("boom")
	default:
		return &article.Article{Title: s, Type: article.TypeArticle, Method: "echo"}, nil
	}
}

func write(t *testing.T, path, content string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	b := []byte(content)
	if strings.HasSuffix(path, ".gz") {
		var z bytes.Buffer
		w := gzip.NewWriter(&z)
		fmt.Fprint(w, content)
		w.Close()
		b = z.Bytes()
	}
	if err := os.WriteFile(path, b, 0o644); err != nil {
		t.Fatal(err)
	}
}

func parseLines(t *testing.T, b []byte) map[string]Line {
	t.Helper()
	out := map[string]Line{}
	sc := bufio.NewScanner(bytes.NewReader(b))
	for sc.Scan() {
		var l Line
		if err := json.Unmarshal(sc.Bytes(), &l); err != nil {
			t.Fatalf("line %q: %v", sc.Text(), err)
		}
		if _, twice := out[l.ID]; twice {
			t.Fatalf("id %q twice", l.ID)
		}
		out[l.ID] = l
	}
	return out
}

func TestRunWritesEveryPage(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "a.html"), "first")
	write(t, filepath.Join(dir, "sub/b.htm"), "second")
	write(t, filepath.Join(dir, "c.html.gz"), "third")
	write(t, filepath.Join(dir, "d.html"), "fail")
	write(t, filepath.Join(dir, "e.html"), "panic")
	write(t, filepath.Join(dir, "f.html.gz"), "x")
	if err := os.WriteFile(filepath.Join(dir, "f.html.gz"), []byte("\x1f\x8bbroken"), 0o644); err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(dir, "notes.txt"), "not a page")
	in := source(dir, filepath.Join(dir, "gone.html"))
	var out bytes.Buffer
	var calls int
	stats, err := Run(t.Context(), in.Inputs(), echo, writeTo(&out), Options{Workers: 3, Progress: func(Stats) { calls++ }})
	if err != nil {
		t.Fatal(err)
	}
	if stats.Done != 7 || stats.Failed != 4 || calls != 7 {
		t.Errorf("stats %+v, %d calls of Progress; want 7 done, 4 failed, 7 calls", stats, calls)
	}
	got := parseLines(t, out.Bytes())
	pages := filepath.Base(dir) + "/" // of two inputs
	for id, title := range map[string]string{pages + "a": "first", pages + "sub/b": "second", pages + "c": "third"} {
		if l := got[id]; l.Title != title || l.Error != "" {
			t.Errorf("%s: got %+v, want title %q", id, l, title)
		}
	}
	for id, want := range map[string]string{pages + "d": "no story here", pages + "e": "crashed", pages + "f": "corrupt compressed file", "gone": "no such file"} {
		if l, ok := got[id]; !ok || !strings.Contains(l.Error, want) || strings.Contains(l.Error, "\n") {
			t.Errorf("%s: error %q, want one line with %q", id, l.Error, want)
		}
	}
	for _, l := range strings.Split(out.String(), "\n") {
		if strings.Contains(l, `"error"`) && strings.Contains(l, `"title"`) {
			t.Errorf("a line with an error has fields of an article: %s", l)
		}
	}
}

func TestLineHasEveryField(t *testing.T) {
	a := &article.Article{
		Canonical: "https://paper.example/c", NextPage: "https://paper.example/c/2",
		Title: "T", Authors: []article.Author{{Name: "Ann Lee"}}, Lang: "en", Site: "Paper",
		Body: []article.Block{
			{Kind: article.Paragraph, Spans: []article.Span{{Text: "One."}}},
			{Kind: article.Picture, Image: &article.Image{URL: "https://paper.example/p.jpg", Caption: "A pier"}},
		},
		Type: article.TypeArticle, Confidence: 0.5, Method: "m",
		Standfirst: "S", Description: "D", Section: "Sport", Tags: []string{"sea"}, Lead: &article.Image{URL: "https://paper.example/p.jpg"},
	}
	b, err := json.Marshal(NewLine("x", "", a))
	if err != nil {
		t.Fatal(err)
	}
	want := `{"id":"x","url":"https://paper.example/c","title":"T","text":"S\nOne.","authors":["Ann Lee"],"date":"","modified":"",` +
		`"lang":"en","site":"Paper","images":[{"url":"https://paper.example/p.jpg","caption":"A pier"}],"comments":[],` +
		`"standfirst":"S","description":"D","section":"Sport","tags":["sea"],"canonical":"https://paper.example/c","next_page":"https://paper.example/c/2","lead":{"url":"https://paper.example/p.jpg","caption":"A pier"},` +
		`"type":"article","confidence":0.5,"method":"m"}`
	if string(b) != want {
		t.Errorf("got  %s\nwant %s", b, want)
	}
}

func TestBodyForms(t *testing.T) {
	page := Input{ID: "x", Body: []byte("page")}
	extract := func(context.Context, Input, io.Reader) (*article.Article, error) {
		return &article.Article{Title: "T", Standfirst: "S", Body: []article.Block{
			{Kind: article.Heading, Level: 2, Spans: []article.Span{{Text: "H"}}},
			{Kind: article.Paragraph, Spans: []article.Span{{Text: "One "}, {Text: "two", Mark: article.Strong}}},
		}}, nil
	}
	for form, want := range map[string]string{
		"":       "",
		"text":   "",
		"md":     `"## H\n\nOne **two**"`,
		"html":   `"<article>\n<h2>H</h2>\n<p>One <strong>two</strong></p>\n</article>"`,
		"blocks": `[{"kind":"heading","level":2,"spans":[{"text":"H"}]},{"kind":"paragraph","spans":[{"text":"One "},{"text":"two","mark":"strong"}]}]`,
	} {
		_, err := Run(t.Context(), slices.Values([]Input{page}), extract, func(r *Result) error {
			var l struct {
				Text string
				Body json.RawMessage
			}
			if err := json.Unmarshal(r.JSON, &l); err != nil || l.Text != "S\nH\nOne two" {
				t.Errorf("%s: text %q, %v", form, l.Text, err)
			}
			var got, expected any
			_ = json.Unmarshal(l.Body, &got)
			_ = json.Unmarshal([]byte(want), &expected)
			if !reflect.DeepEqual(got, expected) {
				t.Errorf("%s: body %s, want %s", form, l.Body, want)
			}
			return nil
		}, Options{Body: form})
		if err != nil {
			t.Errorf("%s: %v", form, err)
		}
	}
	if _, err := Run(t.Context(), slices.Values([]Input{page}), extract, nil, Options{Body: "pdf"}); err == nil || !strings.Contains(err.Error(), "text, md, html, blocks") {
		t.Errorf("an unknown form: %v", err)
	}
}

func TestCorpusGivesURLs(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "gold.jsonl"), `{"id":"a","url":"https://paper.example/a"}`+"\n\n"+`{"id":"b"}`+"\n")
	write(t, filepath.Join(dir, "pages/a.html.gz"), "x")
	write(t, filepath.Join(dir, "pages/b.html"), "y")
	for _, arg := range []string{dir, filepath.Join(dir, "pages"), filepath.Join(dir, "pages") + "/"} {
		got := slices.Collect(source(arg).Inputs())
		if len(got) != 2 || got[0].URL != "https://paper.example/a" || got[1].URL != "" || got[0].ID != "a" {
			t.Errorf("%s: got %+v", arg, got)
		}
	}
	write(t, filepath.Join(dir, "gold.jsonl"), "{\"id\":\"a\"}\nbroken\n")
	got := slices.Collect(source(dir).Inputs())
	if len(got) != 3 || got[0].Err == nil || !strings.Contains(got[0].Err.Error(), "gold.jsonl:2") {
		t.Errorf("an invalid gold line is not reported with file and line: %+v", got)
	}
}

func TestOpenErrors(t *testing.T) {
	dir := t.TempDir()
	if _, err := (Input{Path: dir}).Open(); err == nil || !strings.Contains(err.Error(), "is a folder") {
		t.Errorf("folder: %v", err)
	}
	_, err := Input{Path: filepath.Join(dir, "gone.html")}.Open()
	if !errors.Is(err, fs.ErrNotExist) || strings.Contains(err.Error(), "open ") {
		t.Errorf("missing file: %v", err)
	}
}

func endless() iter.Seq[Input] {
	return func(yield func(Input) bool) {
		for i := 0; yield(Input{ID: fmt.Sprint(i), Path: os.DevNull}); i++ {
		}
	}
}

func TestCancelFinishesPagesInProgress(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	var started, finished atomic.Int64
	slow := func(ctx context.Context, _ Input, _ io.Reader) (*article.Article, error) {
		if started.Add(1) == 20 {
			cancel()
		}
		defer finished.Add(1)
		return &article.Article{}, ctx.Err()
	}
	var out bytes.Buffer
	stats, err := Run(ctx, endless(), slow, writeTo(&out), Options{Workers: 4})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, want context.Canceled", err)
	}
	if int64(stats.Done) != started.Load() || stats.Failed != 0 || started.Load() != finished.Load() {
		t.Errorf("%d started, %d finished, stats %+v: every page that was started must have a line", started.Load(), finished.Load(), stats)
	}
	if n := len(parseLines(t, out.Bytes())); n != stats.Done {
		t.Errorf("%d lines, %d done", n, stats.Done)
	}
}

// TestCancelWhileReading checks that a run ends although its reader blocks, as on a
// pipe.
func TestCancelWhileReading(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	release := make(chan struct{})
	defer close(release)
	waiting := func(yield func(Input) bool) {
		if yield(Input{ID: "one", Body: []byte("story")}) {
			<-release
		}
	}
	var out bytes.Buffer
	stats, err := Run(ctx, waiting, echo, writeTo(&out), Options{Workers: 2, Progress: func(Stats) { cancel() }})
	if !errors.Is(err, context.Canceled) || stats.Done != 1 || len(parseLines(t, out.Bytes())) != 1 {
		t.Errorf("%v, %+v: %s", err, stats, out.String())
	}
}

// full is a disk that is full after a few lines.
type full struct{ left int }

func (f *full) Write(p []byte) (int, error) {
	if f.left--; f.left < 0 {
		return 0, errors.New("no space left on device")
	}
	return len(p), nil
}

func TestFullDiskStopsTheRun(t *testing.T) {
	stats, err := Run(t.Context(), endless(), echo, writeTo(&full{left: 5}), Options{Workers: 2})
	if err == nil || !strings.Contains(err.Error(), "no space left") || stats.Done != 5 {
		t.Errorf("stats %+v, error %v; want 5 done and the disk's error", stats, err)
	}
}
