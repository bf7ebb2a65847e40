package label

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/lede-news/lede/dom"
	"github.com/lede-news/lede/internal/lab/testkit"
)

func TestReadWrite(t *testing.T) {
	file := filepath.Join(t.TempDir(), "labels.jsonl")
	want := []Label{
		{Page: "b/<two>", URL: "https://www.trial.example/?a=1&b=2", Title: newTestMark("/html[1]/body[1]/h1[1]"), Body: newTestMark("/html[1]/body[1]"), Done: true, Saved: time.Date(2026, 3, 2, 0, 0, 0, 0, time.UTC)},
		{Page: "a", Skipped: true},
	}
	want[0].Title.Box = Box{1, 2, 3, 4}
	if err := writeLabels(file, want); err != nil {
		t.Fatal(err)
	}
	got, err := ReadLabels(file)
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%+v, %v", got, err)
	}
	text, _ := os.ReadFile(file)
	if !strings.Contains(string(text), `"page":"b/<two>","url":"https://www.trial.example/?a=1&b=2"`) || strings.Count(string(text), "\n") != 2 {
		t.Errorf("escaped:\n%s", text)
	}
	if err := writeLabels(file, []Label{{}}); err == nil {
		t.Error("label without page: no error")
	}
	if again, _ := os.ReadFile(file); string(again) != string(text) {
		t.Error("a failed write has changed the file")
	}
}

// TestBadLabels checks that errors contain the file and the line.
func TestBadLabels(t *testing.T) {
	const good = `{"page":"a","done":true}` + "\n"
	mark := func(fields string) string { return good + `{"page":"b","title":{` + fields + `},"done":true}` }
	for name, c := range map[string]struct{ text, want string }{
		"no JSON":       {good + "title: x\n", "labels.jsonl:2:"},
		"truncated":     {good + good[:len(good)-9], "labels.jsonl:2: invalid labels: unexpected end of line"},
		"two values":    {good + `{"page":"b","done":false} {"page":"c","done":false}`, "labels.jsonl:2: invalid labels: more than one value"},
		"no page":       {"\n\n" + `{"done":true}`, `labels.jsonl:3: invalid labels: missing "page"`},
		"repeated":      {good + `{"page":"b","done":false}` + "\n" + good, "labels.jsonl:3: invalid labels: page a is also on line 1"},
		"unknown field": {`{"page":"a","titel":{}}`, `labels.jsonl:1: invalid labels: unknown field "titel"`},
		"wrong type":    {`{"page":7}`, "labels.jsonl:1:"},
		"path":          {mark(`"path":"body","hash":"0123456789abcdef"`), `labels.jsonl:2: invalid labels: page b, title: want a path such as`},
		"hash":          {mark(`"path":"/html[1]","hash":"xyz"`), "hash"},
		"chars":         {mark(`"path":"/html[1]","hash":"0123456789abcdef","chars":-1`), "chars is -1"},
		"sketch":        {mark(`"path":"/html[1]","hash":"0123456789abcdef","sketch":"AA"`), "sketch"},
		"box":           {mark(`"path":"/html[1]","hash":"0123456789abcdef","box":[0,0,-1,0]`), "box"},
	} {
		_, err := readLabels("labels.jsonl", strings.NewReader(c.text))
		if !errors.Is(err, ErrBadLabels) || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), "labels.jsonl:") {
			t.Errorf("%s: %v", name, err)
		}
	}
	if l, err := readLabels("x", strings.NewReader("\uFEFF"+strings.ReplaceAll(good, "\n", "\r\n")+"\r\n")); err != nil || len(l) != 1 {
		t.Errorf("byte order mark and CRLF: %v", err)
	}
}

// TestKilled kills a program that keeps writing labels. The file is complete.
func TestKilled(t *testing.T) {
	const long = 400
	if file := os.Getenv("LABEL_TEST_WRITE"); file != "" {
		for round := 0; ; round++ {
			list := make([]Label, long)
			for i := range list {
				list[i] = Label{Page: fmt.Sprint(i), URL: fmt.Sprint("https://www.trial.example/", round), Done: true}
			}
			if err := writeLabels(file, list); err != nil {
				t.Fatal(err)
			}
		}
	}
	dir := t.TempDir()
	file := filepath.Join(dir, "labels.jsonl")
	for round := range 8 {
		cmd := exec.Command(os.Args[0], "-test.run=^TestKilled$")
		cmd.Env = append(os.Environ(), "LABEL_TEST_WRITE="+file)
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		var last time.Time
		changes := 0
		testkit.WaitFor(t, "changes of the file", func() bool {
			if fi, err := os.Stat(file); err == nil && fi.ModTime() != last {
				last = fi.ModTime()
				changes++
			}
			return changes > round
		})
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
		list, err := ReadLabels(file)
		if err != nil || len(list) != long {
			t.Fatalf("%d labels, %v", len(list), err)
		}
		for _, l := range list {
			if l.URL != list[0].URL {
				t.Fatalf("labels of two files: %s, %s", l.URL, list[0].URL)
			}
		}
	}
}

func TestLinkAndMode(t *testing.T) {
	dir := t.TempDir()
	file, link := filepath.Join(dir, "real.jsonl"), filepath.Join(dir, "labels.jsonl")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("real.jsonl", link); err != nil {
		t.Skip("no links here: ", err)
	}
	if err := writeLabels(link, []Label{{Page: "a"}}); err != nil {
		t.Fatal(err)
	}
	if fi, err := os.Lstat(link); err != nil || fi.Mode()&os.ModeSymlink == 0 {
		t.Error("the link was replaced")
	}
	if fi, err := os.Stat(file); err != nil || fi.Mode().Perm() != 0o600 || fi.Size() == 0 {
		t.Errorf("%v, %v", fi.Mode(), err)
	}
}

// source returns a page of testdata.
func source(t testing.TB, name string) string {
	t.Helper()
	page, err := os.ReadFile(filepath.Join("testdata", "pages", name+".html"))
	if err != nil {
		t.Fatal(err)
	}
	return string(page)
}

func parse(t testing.TB, page string) *dom.Document {
	t.Helper()
	d, err := dom.Parse(context.Background(), []byte(page), dom.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// byClass returns the first element with a class.
func byClass(t testing.TB, d *dom.Document, class string) dom.Node {
	t.Helper()
	for i := 1; i < d.Len(); i++ {
		if n := dom.Node(i); d.HasClass(n, class) {
			return n
		}
	}
	t.Fatalf("no element of class %s", class)
	return dom.None
}

// openStore opens a store in an empty folder, with a fixed time.
func openStore(t testing.TB) *Store {
	t.Helper()
	s, err := OpenStore(filepath.Join(t.TempDir(), "labels.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	s.now = func() time.Time { return time.Date(2026, 3, 2, 10, 30, 0, 0, time.UTC) }
	return s
}

// newTestMark returns a mark with a path.
func newTestMark(path string) *Mark {
	return &Mark{Path: path, Hash: "0123456789abcdef", Chars: 3, Text: "abc"}
}
