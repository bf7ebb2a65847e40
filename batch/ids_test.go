package batch

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// idsOf returns the IDs of the pages of a source.
func idsOf(s *Source) (ids []string) {
	for p := range s.Inputs() {
		ids = append(ids, p.ID)
	}
	return ids
}

// checkIDs checks the IDs of a source, also when it is read from the middle.
func checkIDs(t *testing.T, s *Source, want ...string) {
	t.Helper()
	if got := idsOf(s); !slices.Equal(got, want) {
		t.Errorf("%v: got  %q\nwant %q", s.Paths, got, want)
	}
	n := 0
	for p := range s.Inputs() {
		n++
		var rest []string
		for q := range s.from(p.next) {
			rest = append(rest, q.ID)
		}
		if !slices.Equal(rest, want[n:]) {
			t.Errorf("%v: resumed after %d pages: got %q, want %q", s.Paths, n, rest, want[n:])
		}
	}
}

func tarNames(t *testing.T, file string, names ...string) {
	t.Helper()
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	for _, name := range names {
		if err := w.WriteHeader(&tar.Header{Name: name, Mode: 0o644, Size: 3}); err != nil {
			t.Fatal(err)
		}
		w.Write([]byte("<p>"))
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	writeBytes(t, file, b.Bytes())
}

func zipNames(t *testing.T, file string, names ...string) {
	t.Helper()
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for _, name := range names {
		f, err := w.Create(name)
		if err != nil {
			t.Fatal(err)
		}
		f.Write([]byte("<p>"))
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	writeBytes(t, file, b.Bytes())
}

func writeBytes(t *testing.T, file string, b []byte) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, b, 0o644); err != nil {
		t.Fatal(err)
	}
}

func TestIDsArePathsWithinTheInput(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, page := range []string{"x/a/index.html", "x/b/index.html", "x/c.HTM", "y/a/index.html", "z/x/d.html"} {
		write(t, page, "story")
	}
	checkIDs(t, source("x"), "a/index", "b/index", "c")
	checkIDs(t, source("./x/b/../a/"), "index")
	checkIDs(t, source("x/a/index.html"), "index")
	names := []string{"a/index.html", "./b/index.html.gz", "../../c.htm", "/d/index.html"}
	want := []string{"a/index", "b/index", "c", "d/index"}
	tarNames(t, "one.tar", names...)
	zipNames(t, "one.zip", names...)
	checkIDs(t, source("one.tar"), want...)
	checkIDs(t, source("one.zip"), want...)

	// Several inputs.
	checkIDs(t, source("x/a", "y"), "a/index", "y/a/index")
	checkIDs(t, source("x/a", "y/a", "."), append([]string{"x/a/index", "y/a/index"}, in(t, ".", idsOf(source("."))...)...)...)
	checkIDs(t, source("x/a/index.html", "y/a/index.html", "x/c.HTM"), "x/a/index", "y/a/index", "c")
	checkIDs(t, source("x/a", "z/x"), "a/index", "x/d")
	zipNames(t, "y/one.zip", "a/index.html")
	checkIDs(t, source("one.tar", "y/one.zip"), append(in(t, "one.tar", want...), "one.zip/a/index")...)
	checkIDs(t, source("one.zip", "y/one.zip"), append(in(t, "one.zip", want...), "y/one.zip/a/index")...)

	// Addresses are IDs, and do not change those of other inputs.
	fetching := source("https://paper.example/a/index.html", "x/a/index.html", "https://paper.example/a/index.html")
	fetching.Fetch = func(context.Context, *Input) error { return errors.New("not fetched here") }
	checkIDs(t, fetching, "https://paper.example/a/index.html", "index", "https://paper.example/a/index.html")

	// Lines without an ID.
	write(t, "x/l.jsonl", "{\"html\":\"<p>\"}\n")
	write(t, "y/l.jsonl", "{\"html\":\"<p>\"}\n")
	checkIDs(t, source("x/l.jsonl"), "l.jsonl:1")
	checkIDs(t, source("x/l.jsonl", "y/l.jsonl"), "x/l.jsonl:1", "y/l.jsonl:1")
}

func wd(t *testing.T) string {
	t.Helper()
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

// in returns IDs after the name of an input.
func in(t *testing.T, name string, ids ...string) []string {
	t.Helper()
	if name == "." {
		name = filepath.Base(wd(t))
	}
	var list []string
	for _, id := range ids {
		list = append(list, name+"/"+id)
	}
	return list
}

func TestIDsOfCorpora(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, c := range []string{"one", "two"} {
		write(t, c+"/gold.jsonl", "{\"id\":\"a\",\"url\":\"https://"+c+".example/\"}\n{\"id\":\"deep/b\"}\n{\"id\":\"c\"}\n{\"id\":\""+c+"\"}\n")
		for _, page := range []string{"a.html", "deep/b.html", "deep/c.html", "deep/d.html", c + ".html"} {
			write(t, c+"/pages/"+page, "story")
		}
	}
	checkIDs(t, source("one"), "a", "deep/b", "c", "deep/d", "one")
	checkIDs(t, source("one/pages"), "a", "deep/b", "c", "deep/d", "one")
	both := source("one", "two")
	checkIDs(t, both, "a", "deep/b", "c", "one/deep/d", "one", "a", "deep/b", "c", "two/deep/d", "two")
	named := &Source{Paths: both.Paths[:1], Name: both.Names()[0]}
	checkIDs(t, named, "a", "deep/b", "c", "one/deep/d", "one")
}
