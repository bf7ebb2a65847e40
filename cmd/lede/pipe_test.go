package main

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/pflag"

	"github.com/lede-news/lede/internal/cli"
)

// pipeFrame is a frame of lede pipe. Only some fields of heads are here.
type pipeFrame struct {
	ID    any // a number, or the text of --read
	Error string
	Kind  string
	End   bool
	URL   string
	body  string
}

// appendFrame appends a request.
func appendFrame(b []byte, head any, body []byte) []byte {
	text, _ := json.Marshal(head)
	b = binary.BigEndian.AppendUint32(b, uint32(len(text)))
	b = binary.BigEndian.AppendUint32(b, uint32(len(body)))
	return append(append(b, text...), body...)
}

// readFrame reads a frame.
func readFrame(t testing.TB, r io.Reader) (f pipeFrame) {
	t.Helper()
	sizes := make([]byte, 8)
	if _, err := io.ReadFull(r, sizes); err != nil {
		t.Fatal(err)
	}
	head := make([]byte, binary.BigEndian.Uint32(sizes))
	body := make([]byte, binary.BigEndian.Uint32(sizes[4:]))
	for _, b := range [][]byte{head, body} {
		if _, err := io.ReadFull(r, b); err != nil {
			t.Fatal(err)
		}
	}
	if err := json.Unmarshal(head, &f); err != nil {
		t.Fatalf("%s: %v", head, err)
	}
	f.body = string(body)
	return f
}

// readFrames reads all frames after the hello.
func readFrames(t *testing.T, out []byte) (frames []pipeFrame) {
	t.Helper()
	r := bytes.NewReader(out)
	for readFrame(t, r); r.Len() > 0; {
		frames = append(frames, readFrame(t, r))
	}
	return frames
}

// runPipe answers requests, which are numbered from 1, and returns the answers in their
// order.
func runPipe(t *testing.T, requests []byte, args ...string) []pipeFrame {
	t.Helper()
	var out, messages bytes.Buffer
	if code := run(t.Context(), append([]string{"pipe", "--page-time", "1h"}, args...), bytes.NewReader(requests), &out, &messages); code != cli.ExitOK || messages.Len() > 0 {
		t.Fatalf("exit status %d: %s", code, &messages)
	}
	frames := readFrames(t, out.Bytes())
	slices.SortFunc(frames, func(a, b pipeFrame) int { return int(a.ID.(float64) - b.ID.(float64)) })
	for i, f := range frames {
		if f.ID != float64(i+1) {
			t.Fatalf("answer %d has the number %v", i+1, f.ID)
		}
	}
	return frames
}

// ownPages returns our own pages.
func ownPages(t *testing.T) (pages [][]byte) {
	t.Helper()
	files, err := filepath.Glob("../../testdata/pages/*/source.html")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	for _, name := range files {
		pages = append(pages, readFile(t, name))
	}
	return pages
}

// TestPipeSame checks that lede pipe answers byte for byte what lede extract prints: for a
// page, its links, and articles that were sent back.
func TestPipeSame(t *testing.T) {
	t.Parallel()
	own := ownPages(t)
	var in []byte
	var want []string
	add := func(head map[string]any, body []byte, args ...string) {
		text, _ := command(t, own[len(want)%len(own)], append(args, "-")...)
		want = append(want, text)
		head["id"] = len(want)
		in = appendFrame(in, head, body)
	}
	extract := []string{"extract", "--page-time", "1h", "--url", "https://paper.example/"}
	add(map[string]any{"do": "extract", "format": "json", "explain": true, "method": "coreex", "url": "https://paper.example/"}, own[0],
		append(extract, "-f", "json", "--explain", "--method", "coreex")...)
	add(map[string]any{"do": "links", "url": "https://paper.example/"}, own[len(want)%len(own)], "links", "--json", "--url", "https://paper.example/")
	for flags, head := range map[string]map[string]any{
		"-f text --with links": {"format": "text", "with": "links"}, "-f md --body-only": {"format": "md", "body_only": true}, "-f html": {"format": "html"}, "-f json": {"format": "json"},
	} {
		page := own[len(want)%len(own)]
		article := runPipe(t, appendFrame(nil, map[string]any{"id": 1, "do": "extract", "url": "https://paper.example/"}, page))[0]
		if strings.Count(article.body, "\n") != 1 || !strings.HasSuffix(article.body, "}\n") {
			t.Errorf("an article is not one line: %.1000s", article.body)
		}
		head["do"] = "format"
		add(head, []byte(article.body), append(extract, strings.Fields(flags)...)...)
	}
	for i, got := range runPipe(t, in) {
		if got.body != want[i] {
			t.Errorf("request %d: lede pipe answers %s\n%.3000s\nand the command prints\n%.3000s", i+1, got.Error, got.body, want[i])
		}
	}
}

// TestPipeRead checks that --read gives the pages that lede batch extracts, in their
// order, and names those that cannot be read.
func TestPipeRead(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		return path
	}
	large := write("large.html", strings.Repeat("<p>Too much of a good thing.</p>", 10_000))
	inputs := []string{
		"../../testdata/pages", write("lines.jsonl", `{"id":"a","url":"https://paper.example/a","html":"<p>Grüße","link_text":"Hello","site":"paper"}`+"\n"+`{"id":"b"}`+"\n{\n"),
		write("damaged.html.gz", "\x1f\x8b\x08nothing"), filepath.Join(dir, "missing.html"), large, write("empty.html", ""),
	}
	var out, messages bytes.Buffer
	if code := run(t.Context(), append([]string{"pipe", "--max-bytes", "100000", "--read"}, inputs...), strings.NewReader(""), &out, &messages); code != cli.ExitOK || messages.Len() > 0 {
		t.Fatalf("exit status %d: %s", code, &messages)
	}
	frames := readFrames(t, out.Bytes())
	end := frames[len(frames)-1]
	if frames = frames[:len(frames)-1]; !end.End {
		t.Errorf("the last frame is %v", end)
	}
	lines, _ := command(t, nil, append([]string{"batch", "-q", "--page-time", "1h", "--max-bytes", "100000", "--out", "-"}, inputs...)...)
	var ids, want []any
	kinds := map[any]string{}
	for line := range strings.Lines(lines) {
		var l struct{ ID string }
		if err := json.Unmarshal([]byte(line), &l); err != nil {
			t.Fatal(err)
		}
		want = append(want, l.ID)
	}
	own := ownPages(t)
	for i, f := range frames {
		if ids = append(ids, f.ID); f.Kind != "" {
			kinds[f.ID] = f.Kind
		}
		if i < len(own) && f.body != string(own[i]) {
			t.Errorf("page %v is\n%s", f.ID, f.body)
		}
		if f.ID == "a" && (f.body != "<p>Grüße" || f.URL != "https://paper.example/a") {
			t.Errorf("the line is %+v", f)
		}
		if (f.Kind != "") != (f.Error != "") || f.Error != "" && f.body != "" {
			t.Errorf("frame %+v", f)
		}
	}
	if !slices.Equal(ids, want) {
		t.Errorf("the pages are %v, and those of lede batch %v", ids, want)
	}
	if want := map[any]string{"b": "other", "lines.jsonl:3": "other", "damaged": "other", "missing": "file", "large": "too-large"}; !maps.Equal(kinds, want) {
		t.Errorf("the kinds of errors are %v, want %v", kinds, want)
	}
}

// TestPipeDocs checks the flags that docs/pipe.md names, and its client if there is an
// interpreter for it.
func TestPipeDocs(t *testing.T) {
	t.Parallel()
	docs := string(readFile(t, "../../docs/pipe.md"))
	cmd, _, err := newRoot().Find([]string{"pipe"})
	if err != nil {
		t.Fatal(err)
	}
	known := map[string]bool{"--json": true} // of lede links
	cmd.Flags().VisitAll(func(fl *pflag.Flag) { known["--"+fl.Name] = true })
	for _, name := range regexp.MustCompile("--[a-z][a-z-]+").FindAllString(docs, -1) {
		if !known[name] {
			t.Errorf("docs/pipe.md has %s, which lede pipe does not know", name)
		}
	}
	t.Run("client", func(t *testing.T) { testDocsClient(t, docs) })
}

// testDocsClient runs the client in the documentation.
func testDocsClient(t *testing.T, docs string) {
	if testing.Short() {
		t.Skip("the client does what TestPipeSame does")
	}
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("node is not installed")
	}
	code := regexp.MustCompile("(?s)```js\n(.*?)```").FindStringSubmatch(docs)
	if code == nil {
		t.Fatal("docs/pipe.md has no client")
	}
	dir := t.TempDir()
	script := filepath.Join(dir, "titles.mjs")
	if err := os.WriteFile(script, []byte(code[1]), 0o644); err != nil {
		t.Fatal(err)
	}
	args := []string{script}
	want := map[string]bool{}
	for i := range 50 {
		file := filepath.Join(dir, fmt.Sprintf("%d.html", i))
		text := fmt.Sprintf("<title>Story %d</title><h1>Story %d</h1>", i, i) + strings.Repeat("<p>The ferry is back in service after a winter in the dock.</p>", 2000)
		if i == 7 {
			text = ""
		} else {
			want[fmt.Sprintf("%s: Story %d", file, i)] = true
		}
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		args = append(args, file)
	}
	cmd := exec.Command(node, args...)
	cmd.Env = append(os.Environ(), "PATH="+toolFolder(t)+string(filepath.ListSeparator)+os.Getenv("PATH"))
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v: %s", err, &stderr)
	}
	got := map[string]bool{}
	for line := range strings.Lines(string(out)) {
		got[strings.TrimSpace(line)] = true
	}
	if !maps.Equal(got, want) || !strings.Contains(stderr.String(), "7.html: the page is empty") {
		t.Errorf("the client prints\n%s\nand\n%s", out, &stderr)
	}
}

// toolFolder returns a folder with this test binary as lede.
func toolFolder(t *testing.T) string {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := os.Symlink(self, filepath.Join(dir, "lede")); err != nil {
		t.Skip(err)
	}
	return dir
}
