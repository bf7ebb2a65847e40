package main

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/lede-news/lede/internal/cli"
)

// TestResumeWithoutIndex stops a batch, and resumes it with and without its index.
func TestResumeWithoutIndex(t *testing.T) {
	dir := t.TempDir()
	pages, out, index := filepath.Join(dir, "pages.jsonl"), filepath.Join(dir, "out.jsonl"), filepath.Join(dir, "stories.db")
	writeWirePages(t, pages, wireArticles(30, 6))
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	asked := make(chan struct{})
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/robots.txt" {
			http.NotFound(w, r)
			return
		}
		close(asked)
		<-ctx.Done() // the last page does not come before the batch is stopped
	}))
	defer site.Close()
	args := []string{"batch", pages, site.URL + "/last.html", "--allow-private", "--delay", "1ms", "--out", out, "--stories", index, "--checkpoint", "1ms"}
	go func() {
		<-asked
		for { // until pages are in the journal
			if b, err := os.ReadFile(out + ".journal"); err == nil && bytes.Count(b, []byte("\n")) > 1 {
				break
			}
			time.Sleep(time.Millisecond)
		}
		stop()
	}()
	var said bytes.Buffer
	if code := run(ctx, args, strings.NewReader(""), io.Discard, &said); code != cli.ExitAborted || !strings.Contains(said.String(), "which are saved; run the same command with --resume") {
		t.Fatalf("exit status %d: %s", code, said.String())
	}
	if err := os.Rename(index, index+".moved"); err != nil {
		t.Fatal(err)
	}
	again := append(slices.Clone(args), "--resume")
	said.Reset()
	if code := run(t.Context(), again, strings.NewReader(""), io.Discard, &said); code != cli.ExitAborted || !strings.Contains(said.String(), "the index of the interrupted run is missing") {
		t.Errorf("exit status %d: %s", code, said.String())
	}
	if _, err := os.Stat(index); err == nil {
		t.Error("another index was begun")
	}
	if err := os.Rename(index+".moved", index); err != nil {
		t.Fatal(err)
	}
	site.Close() // now the page fails
	said.Reset()
	if code := run(t.Context(), again, strings.NewReader(""), io.Discard, &said); code != cli.ExitFailed {
		t.Errorf("exit status %d: %s", code, said.String())
	}
	if n := len(idsOfLines(t, out)); n != 31 {
		t.Errorf("%d lines", n)
	}
}

// TestIndexInUse begins a batch while another process writes to the index, and resumes
// it afterwards.
func TestIndexInUse(t *testing.T) {
	dir := t.TempDir()
	pages, out, index := filepath.Join(dir, "pages.jsonl"), filepath.Join(dir, "out.jsonl"), filepath.Join(dir, "stories.db")
	writeWirePages(t, pages, wireArticles(10, 7))
	f := storyFlags{stories: index}
	other, err := f.open()
	if err != nil {
		t.Fatal(err)
	}
	args := []string{"batch", pages, "--out", out, "--stories", index, "--quiet"}
	said, err := tool(t, args...).CombinedOutput()
	if err == nil || !strings.Contains(string(said), "another process") || !strings.Contains(string(said), "run the same command with --resume to continue") {
		t.Errorf("%v: %s", err, said)
	}
	said, err = tool(t, "stories", pages, "--out", index).CombinedOutput()
	if err == nil || !strings.Contains(string(said), "wait until it ends, or use another file") {
		t.Errorf("%v: %s", err, said)
	}
	if err := other.Close(); err != nil {
		t.Fatal(err)
	}
	runTool(t, append(args, "--resume")...)
	if n := len(idsOfLines(t, out)); n != 10 {
		t.Errorf("%d lines", n)
	}
}
