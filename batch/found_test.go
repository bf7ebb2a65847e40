package batch

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/lede-news/lede/article"
	"github.com/lede-news/lede/warc"
)

// followed returns an archive as lede follow writes it, and the offsets of its pages.
// Every fifth page has the metadata of another crawler, every seventh is an error.
func followed(t *testing.T) (archive []byte, at []int64) {
	t.Helper()
	var b bytes.Buffer
	w := warc.NewWriter(&b, warc.WriterOptions{Random: rand.NewChaCha8([32]byte{})})
	random := rand.New(rand.NewPCG(1, 2))
	for n := range 30 {
		f := warc.Fetch{
			Response: warc.Response{URL: fmt.Sprintf("https://paper.example/%d", n), Date: time.Unix(1_800_000_000, 0), Status: 200, Header: http.Header{"Content-Type": {"text/html"}}},
			Request:  http.Header{"User-Agent": {"lede"}},
			Metadata: warc.Header{{Name: "lede-found",
				Value: fmt.Sprintf(`{"found_by":["feed","home"],"link_text":"Story %d","first_seen":"2026-11-16T06:25:00Z","changed":true}`, n)}},
		}
		for range 1 + random.IntN(60) {
			f.Response.Body = fmt.Appendf(f.Response.Body, "<p>Story %d: %x.</p>\n", n, random.Uint64())
		}
		if n%5 == 4 {
			f.Metadata = warc.Header{{Name: "via", Value: "https://paper.example/"}, {Name: "fetchTimeMs", Value: "70"}}
		}
		if n%7 == 6 {
			f.Response.Status = 404
		}
		if err := w.WriteFetch(f); err != nil {
			t.Fatal(err)
		}
	}
	archive = b.Bytes()
	for r := warc.NewReader(bytes.NewReader(archive), warc.Options{}); ; {
		rec, err := r.Next()
		if err != nil {
			return archive, at
		}
		if rec.Type == "response" {
			at = append(at, rec.Offset)
		}
	}
}

// TestFound checks that what lede follow knew about a page is in its result.
func TestFound(t *testing.T) {
	archive, _ := followed(t)
	path := filepath.Join(t.TempDir(), "a.warc.gz")
	if err := os.WriteFile(path, archive, 0o644); err != nil {
		t.Fatal(err)
	}
	checkPositions(t, func() *Source { return source(path) })
	var out bytes.Buffer
	if _, err := Run(t.Context(), source(path).Inputs(), titled, writeTo(&out), Options{}); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(out.String(), "\n")
	about := `"found_by":["feed","home"],"link_text":"Story %d","first_seen":"2026-11-16T06:25:00Z","changed":true`
	if !strings.Contains(lines[3], `"title":"Story 3"`) || !strings.Contains(lines[3], fmt.Sprintf(about, 3)) {
		t.Errorf("%s", lines[3])
	}
	if !strings.Contains(lines[6], fmt.Sprintf(about, 6)+`,"error":`) || strings.Contains(lines[4], "found_by") {
		t.Errorf("%s\n%s", lines[6], lines[4])
	}
}

// TestFoundElsewhere checks that a metadata record says nothing about another page.
func TestFoundElsewhere(t *testing.T) {
	archive, at := followed(t)
	var starts []int64
	r := warc.NewReader(bytes.NewReader(archive), warc.Options{})
	for {
		rec, err := r.Next()
		if err != nil {
			break
		}
		if rec.Type == "metadata" {
			starts = append(starts, rec.Offset)
		}
	}
	mixed := slices.Concat(archive[starts[0]:at[0]], archive[at[1]:]) // the response is missing
	path := filepath.Join(t.TempDir(), "a.warc.gz")
	if err := os.WriteFile(path, mixed, 0o644); err != nil {
		t.Fatal(err)
	}
	for in := range source(path).Inputs() {
		if in.LinkText != "" {
			t.Errorf("%s has the link text %q", in.URL, in.LinkText)
		}
		break
	}
}

// titled returns an article whose title is the link text of the page.
func titled(_ context.Context, in Input, _ io.Reader) (*article.Article, error) {
	return &article.Article{Title: in.LinkText}, nil
}
