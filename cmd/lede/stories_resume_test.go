package main

import (
	"bytes"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// TestKillStories kills batches with an index and resumes them, also without their index. No
// record is lost or written twice, and no article is missing in the index or in it twice.
func TestKillStories(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	pages, out, index := filepath.Join(dir, "pages.jsonl"), filepath.Join(dir, "out.jsonl"), filepath.Join(dir, "stories.db")
	list := wireArticles(60, 6)
	writeWirePages(t, pages, list)
	site := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		<-r.Context().Done() // so that the batch does not end before it is killed
	}))
	defer site.Close()
	args := []string{"batch", pages, site.URL + "/last.html", "--allow-private", "--delay", "1ms", "--out", out, "--stories", index, "--checkpoint", "1ms", "--resume"}
	for i := range 3 {
		cmd := tool(t, args...)
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		for !exists(out) { // until there was a commit
			if b, err := os.ReadFile(out + ".journal"); err == nil && !bytes.Contains(b, []byte(`"done":0`)) {
				break
			}
			time.Sleep(time.Millisecond)
		}
		time.Sleep(time.Duration(i) * 10 * time.Millisecond)
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	}
	if err := os.Rename(index, index+".moved"); err != nil {
		t.Fatal(err)
	}
	if said, err := tool(t, args...).CombinedOutput(); err == nil || !bytes.Contains(said, []byte("the index of the interrupted run")) || exists(index) {
		t.Errorf("%v: %s", err, said)
	}
	if err := os.Rename(index+".moved", index); err != nil {
		t.Fatal(err)
	}
	site.CloseClientConnections()
	site.Close() // now the page fails
	if said, err := tool(t, args...).CombinedOutput(); err == nil || !exists(out) {
		t.Fatalf("%v: %s", err, said)
	}
	want := []string{}
	for _, a := range list {
		want = append(want, a.ID)
	}
	slices.Sort(want)
	var indexed []string
	for line := range bytes.Lines(exportStories(t, index)) {
		var s storyLine
		if err := json.Unmarshal(line, &s); err != nil {
			t.Fatal(err)
		}
		for _, a := range s.Articles {
			indexed = append(indexed, a.ID)
		}
	}
	written := slices.DeleteFunc(idsOfLines(t, out), func(id string) bool { return strings.HasPrefix(id, site.URL) })
	slices.Sort(written)
	slices.Sort(indexed)
	if !slices.Equal(written, want) || !slices.Equal(indexed, want) {
		t.Errorf("%d records, %d articles in the index, want %d\n%v\n%v", len(written), len(indexed), len(want), written, indexed)
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
