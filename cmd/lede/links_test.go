package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/lede-news/lede"
	"github.com/lede-news/lede/article"
	"github.com/lede-news/lede/batch"
	"github.com/lede-news/lede/internal/sites"
)

// TestResumeWithAnchors interrupts a batch and resumes it with other anchors, which
// is refused, and with the same ones in another place.
func TestResumeWithAnchors(t *testing.T) {
	const pages = 60
	dir := t.TempDir()
	file := func(name string) string { return filepath.Join(dir, name) }
	var in, anchors strings.Builder
	for i := range pages {
		fmt.Fprintf(&in, `{"url":"https://quay.example/%d","html":"<p>Boat number%d is here.<p>The cranes of berth%d are back, it says.<p>Ads, ads, ads."}`+"\n", i, i, i)
		fmt.Fprintf(&anchors, "http://www.quay.example/%d\tThe cranes of berth%d are back\n", i, i)
	}
	for name, text := range map[string]string{
		"in.jsonl": in.String(), "anchors.tsv": anchors.String(), "moved.tsv": anchors.String(), "other.tsv": strings.ReplaceAll(anchors.String(), "cranes", "boats"),
	} {
		if err := os.WriteFile(file(name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var done atomic.Int64
	interrupted := func(ex *lede.Extractor, known *sites.Sites, learn bool) batch.ExtractFunc {
		usual := pageExtract(ex, known, learn)
		return func(ctx context.Context, p batch.Input, r io.Reader) (*article.Article, error) {
			if done.Add(1) == pages/2 {
				cancel()
			}
			return usual(ctx, p, r)
		}
	}
	runBatch := func(ctx context.Context, extract extractWith, args ...string) error {
		cmd := newBatchOf(extract)
		cmd.SilenceUsage, cmd.SilenceErrors = true, true
		cmd.SetErr(io.Discard)
		cmd.SetArgs(append([]string{file("in.jsonl"), "--method", "twcem", "--workers", "1"}, args...))
		return cmd.ExecuteContext(ctx)
	}
	if err := runBatch(ctx, interrupted, "--anchors", file("anchors.tsv"), "--out", file("out.jsonl")); err == nil || !strings.Contains(err.Error(), "--resume") {
		t.Fatalf("not interrupted: %v", err)
	}
	for _, args := range [][]string{{"--anchors", file("other.tsv")}, nil} {
		err := runBatch(t.Context(), pageExtract, append(args, "--resume", "--out", file("out.jsonl"))...)
		if err == nil || !strings.Contains(err.Error(), "--anchors and --index with checksum ") {
			t.Errorf("%q: %v", args, err)
		}
	}
	if err := runBatch(t.Context(), pageExtract, "--anchors", file("moved.tsv"), "--resume", "--out", file("out.jsonl")); err != nil {
		t.Error(err)
	}
	if err := runBatch(t.Context(), pageExtract, "--anchors", file("anchors.tsv"), "--out", file("whole.jsonl")); err != nil {
		t.Fatal(err)
	}
	if got, want := readFile(t, file("out.jsonl")), readFile(t, file("whole.jsonl")); !bytes.Equal(got, want) || bytes.Count(want, []byte("are back")) < pages {
		t.Error("the records differ from those of a run without an interruption")
	}
}
