package batch

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/lede-news/lede/warc"
)

// told is all that a batch knows of the pages of an archive.
func told(t *testing.T, in *Inputs) (list []string, size int64) {
	t.Helper()
	for p := range in.All() {
		list = append(list, fmt.Sprintf("%s %s %v %d %s", p.ID, p.URL, p.Err, p.Lost, body(t, p)))
		size += p.Size
	}
	return list, size
}

// inParts has an archive be read in parts of so many bytes.
func inParts(path string, readers int, size int64) *Inputs {
	in := Find([]string{path}).WithMaxBytes(1 << 16).WithReaders(readers)
	in.partBytes = size
	return in
}

// firstDiff says where two lists differ; nothing when they do not.
func firstDiff(got, want []string) string {
	for i := range max(len(got), len(want)) {
		if i >= len(got) || i >= len(want) || got[i] != want[i] {
			return fmt.Sprintf("%d pages and %d, and at %d\ngot  %.400q\nwant %.400q", len(got), len(want), i, got[min(i, len(got)):], want[min(i, len(want)):])
		}
	}
	return ""
}

// checkParts is that parts make no difference.
func checkParts(t *testing.T, path string, content []byte) {
	t.Helper()
	if err := os.WriteFile(path, content, 0o644); err != nil {
		t.Fatal(err)
	}
	want, _ := told(t, inParts(path, 1, 1))
	for _, size := range []int64{300, 5000} {
		got, bytes := told(t, inParts(path, 4, size))
		if diff := firstDiff(got, want); diff != "" {
			t.Fatalf("in parts of %d bytes: %s", size, diff)
		}
		if bytes > int64(len(content)) {
			t.Errorf("%d bytes are read of %d", bytes, len(content))
		}
	}
	checkPlaces(t, func() *Inputs { return inParts(path, 3, 2000) })
}

func TestParts(t *testing.T) {
	for _, packing := range []warc.Packing{warc.Gzip, warc.Zstd, warc.Plain} {
		whole, entries := longArchive(t, packing)
		ext := []string{".warc.gz", ".warc.zst", ".warc"}[packing]
		at := func(i int) int64 { return entries[i].Offset }
		for name, content := range map[string][]byte{
			"whole":   whole,
			"broken":  zeros(whole, at(4)+200, at(8)-10),
			"gap":     append(bytes.Clone(whole[:at(6)+300]), whole[at(9):]...),
			"cut":     whole[:at(14)+300],
			"ends":    append(bytes.Clone(whole[:at(9)]), bytes.Repeat([]byte("noise"), 2000)...),
			"nothing": bytes.Repeat([]byte("this is no archive "), 500),
		} {
			t.Run(name+ext, func(t *testing.T) { checkParts(t, filepath.Join(t.TempDir(), "a"+ext), content) })
		}
	}
	plain, _ := longArchive(t, warc.Plain)
	t.Run("in one piece", func(t *testing.T) { checkParts(t, filepath.Join(t.TempDir(), "a.warc.gz"), gzipped(plain)) })
}

// TestPartsWithRecordsInPages has pages that show archives. A part that begins
// within one must not take what it shows for records.
func TestPartsWithRecordsInPages(t *testing.T) {
	shown := "WARC/1.0\r\nWARC-Type: resource\r\nWARC-Record-ID: <urn:uuid:shown>\r\nWARC-Target-URI: https://paper.example/shown\r\n" +
		"Content-Type: text/html\r\nContent-Length: 24\r\n\r\n<p>It is in a page.</p>\r\n\r\n\r\n"
	var b bytes.Buffer
	w := warc.NewWriter(&b, warc.WriterOptions{Packing: warc.Plain})
	for n := range 20 {
		page := warc.Resource{URL: fmt.Sprintf("https://paper.example/%d", n), ContentType: "text/html", Body: []byte(strings.Repeat(shown, 30))}
		if _, err := w.WriteResource(page); err != nil {
			t.Fatal(err)
		}
	}
	path := filepath.Join(t.TempDir(), "a.warc")
	checkParts(t, path, b.Bytes())
	if got, _ := told(t, inParts(path, 4, 1000)); len(got) != 20 {
		t.Errorf("%d pages, want 20", len(got))
	}
}

// Who stops early leaves no reader behind that waits for ever.
func TestPartsLeft(t *testing.T) {
	content, _ := longArchive(t, warc.Gzip)
	path := filepath.Join(t.TempDir(), "a.warc.gz")
	if err := os.WriteFile(path, bytes.Repeat(content, 20), 0o644); err != nil {
		t.Fatal(err)
	}
	for stop := range 30 {
		n := 0
		for range inParts(path, 4, 5000).All() {
			if n++; n > stop {
				break
			}
		}
		if n != stop+1 {
			t.Fatalf("%d pages, want %d", n, stop+1)
		}
	}
	p := newPart(0)
	p.bytes = partAhead + 1
	p.leave()
	if p.put(Page{}) {
		t.Error("a part that was left takes pages")
	}
}

// FuzzParts is that parts make no difference, whatever the archive.
func FuzzParts(f *testing.F) {
	t := new(testing.T)
	for kind, seed := range [][]byte{warcOf(t, warc.Gzip), warcOf(t, warc.Plain), warcOf(t, warc.Zstd)} {
		f.Add(byte(kind), seed)
	}
	f.Fuzz(func(t *testing.T, kind byte, content []byte) {
		path := filepath.Join(t.TempDir(), []string{"a.warc.gz", "a.warc", "a.warc.zst"}[kind%3])
		if err := os.WriteFile(path, content, 0o644); err != nil {
			t.Fatal(err)
		}
		want, _ := told(t, inParts(path, 1, 1))
		got, _ := told(t, inParts(path, 3, 400))
		if diff := firstDiff(got, want); diff != "" {
			t.Fatal(diff)
		}
	})
}
