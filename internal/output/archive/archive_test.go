package archive

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"math/rand/v2"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/lede-news/lede/internal/output/outfile"
	"github.com/lede-news/lede/warc"
)

func fetched(n int) (warc.Fetch, Found) {
	var body strings.Builder
	random := rand.New(rand.NewPCG(uint64(n), 1))
	for range 400 {
		fmt.Fprintf(&body, "<p>%x</p>", random.Uint32())
	}
	return warc.Fetch{
		Response: warc.Response{URL: fmt.Sprintf("https://paper.example/%d", n), Status: 200, Body: []byte(body.String()),
			Header: http.Header{"Content-Type": {"text/html"}}},
		Request: http.Header{"User-Agent": {"lede"}, "Cookie": {"secret"}, "Authorization": {"secret"}},
	}, Found{By: []string{"feed", "home"}, LinkText: fmt.Sprintf("Story %d", n), FirstSeen: time.Unix(1_800_000_000, 5), Changed: n%2 == 1}
}

func open(t *testing.T, dir string, mark outfile.Mark, opts Options) *Archive {
	t.Helper()
	a, err := Open(dir, mark, opts)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

func write(t *testing.T, a *Archive, from, to int) {
	t.Helper()
	for n := from; n < to; n++ {
		if err := a.Write(fetched(n)); err != nil {
			t.Fatal(err)
		}
	}
}

func commit(t *testing.T, a *Archive) outfile.Mark {
	t.Helper()
	m, err := a.Commit()
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// pages returns the link texts of the pages of an archive, in their order, and the
// number of its files.
func pages(t *testing.T, dir string) (texts []string, files int) {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(dir, "lede-*.warc.gz"))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		f, err := os.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		r := warc.NewReader(f, warc.Options{})
		var found Found
		for first := true; ; first = false {
			rec, err := r.Next()
			if err == io.EOF {
				break
			}
			if err != nil {
				t.Fatal(err)
			}
			if first != (rec.Type == "warcinfo") {
				t.Errorf("%s: a record of type %s", name, rec.Type)
			}
			switch rec.Type {
			case "request":
				if b, _ := io.ReadAll(rec.Block); bytes.Contains(b, []byte("secret")) || !bytes.Contains(b, []byte("User-Agent: lede\r\n")) {
					t.Errorf("request %s", b)
				}
			case "metadata":
				h, err := rec.Fields()
				if err != nil {
					t.Fatal(err)
				}
				found, _ = ReadFound(h)
			case "response":
				var n int
				fmt.Sscanf(found.LinkText, "Story %d", &n)
				want, about := fetched(n)
				p, err := rec.Page()
				if err != nil || p.URL != want.Response.URL || !bytes.Equal(p.Body, want.Response.Body) {
					t.Errorf("%s: page %d: %v", name, n, err)
				}
				if !slices.Equal(found.By, about.By) || found.Changed != about.Changed || found.FirstSeen.Unix() != about.FirstSeen.Unix() {
					t.Errorf("page %d: %+v", n, found)
				}
				texts, found = append(texts, found.LinkText), Found{}
			}
		}
		if s := r.Stats(); s.Damaged > 0 {
			t.Errorf("%s: %+v", name, s)
		}
		f.Close()
		files++
	}
	return texts, files
}

func checkPages(t *testing.T, dir string, n int) (files int) {
	t.Helper()
	var want []string
	for i := range n {
		want = append(want, fmt.Sprintf("Story %d", i))
	}
	got, files := pages(t, dir)
	if !slices.Equal(got, want) {
		t.Errorf("%d pages, want %d: %v", len(got), n, got)
	}
	return files
}

func TestArchive(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "new", "archive")
	a := open(t, dir, outfile.Mark{}, Options{Info: warc.Header{{Name: "software", Value: "lede"}}})
	if m := commit(t, a); m.File == "" || m.Size != 0 {
		t.Errorf("mark of an empty archive: %+v", m)
	}
	if _, err := Open(dir, outfile.Mark{}, Options{}); !errors.Is(err, outfile.ErrLocked) {
		t.Errorf("opened twice: %v", err)
	}
	write(t, a, 0, 3)
	mark := commit(t, a)
	write(t, a, 3, 5) // not committed
	if err := a.Close(); err != nil {
		t.Fatal(err)
	}
	a = open(t, dir, mark, Options{})
	write(t, a, 3, 4)
	commit(t, a)
	if err := a.Close(); err != nil {
		t.Fatal(err)
	}
	if files := checkPages(t, dir, 4); files != 1 {
		t.Errorf("%d files", files)
	}
	if entries, _ := os.ReadDir(dir); len(entries) != 1 {
		t.Errorf("left behind: %v", entries)
	}
}

// TestLostFile checks that a missing or damaged file does not stop anybody.
func TestLostFile(t *testing.T) {
	dir := t.TempDir()
	var log bytes.Buffer
	opts := Options{Log: slog.New(slog.NewTextHandler(&log, nil))}
	a := open(t, dir, outfile.Mark{}, opts)
	write(t, a, 0, 1)
	mark := commit(t, a)
	a.Close()
	if err := os.Truncate(filepath.Join(dir, mark.File), mark.Size-10); err != nil {
		t.Fatal(err)
	}
	a = open(t, dir, mark, opts)
	write(t, a, 1, 2)
	next := commit(t, a)
	a.Close()
	if next.File == mark.File || !strings.HasSuffix(next.File, "-00002.warc.gz") || !strings.Contains(log.String(), "a new one is begun") {
		t.Errorf("mark %+v after %+v: %s", next, mark, log.String())
	}
	if fi, err := os.Stat(filepath.Join(dir, mark.File)); err != nil || fi.Size() != mark.Size-10 {
		t.Errorf("the damaged file was changed: %v", err)
	}
}

// TestSeveralFiles checks that a full file is followed by another one, which is in the
// mark before it is begun, and that files of others are not changed.
func TestSeveralFiles(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	other := filepath.Join(dir, "lede-20200101000000-00009.mine")
	if err := os.WriteFile(other, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	mark := outfile.Mark{}
	for n := range 4 {
		a := open(t, dir, mark, Options{MaxBytes: 1})
		write(t, a, n, n+1)
		mark = commit(t, a)
		write(t, a, 7, 9)
		commit(t, a) // not recorded
		if err := a.Close(); err != nil {
			t.Fatal(err)
		}
	}
	open(t, dir, mark, Options{}).Close()
	if err := os.Remove(filepath.Join(dir, mark.File)); err != nil { // empty
		t.Fatal(err)
	}
	if files := checkPages(t, dir, 4); files != 4 {
		t.Errorf("%d files", files)
	}
	if _, err := os.Stat(other); err != nil {
		t.Error(err)
	}
}
