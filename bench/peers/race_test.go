package main

import (
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/lede-news/lede/warc"
)

func TestRace(t *testing.T) {
	page, err := os.ReadFile("rivals/testdata/page.html")
	if err != nil {
		t.Fatal(err)
	}
	name := filepath.Join(t.TempDir(), "made.warc.gz")
	f, err := os.Create(name)
	if err != nil {
		t.Fatal(err)
	}
	w := warc.NewWriter(f, warc.WriterOptions{})
	for range 3 {
		r := warc.Response{URL: "https://courier.example/lighthouse", Status: 200, Header: http.Header{"Content-Type": {"text/html"}}, Body: page}
		if _, err := w.WriteResponse(r); err != nil {
			t.Fatal(err)
		}
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	out, _, err := peers(t, "warc", name, "--home", t.TempDir(), "--rivals", "go-readability", "--limit", "2")
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"2 pages", "lede blend", "go-readability", "1.00"} {
		if !strings.Contains(out, want) {
			t.Errorf("no %q in\n%s", want, out)
		}
	}
	if _, _, err := peers(t, "warc", filepath.Join(t.TempDir(), "gone.warc"), "--rivals", "none"); err == nil {
		t.Error("missing archive: no error")
	}
}
