package batch

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/lede-news/lede/article"
)

// warcRecord returns a response record.
func warcRecord(id, fields, response string) string {
	return fmt.Sprintf("WARC/1.0\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:%s>\r\nWARC-Target-URI: https://paper.example/%s\r\n"+
		"Content-Type: application/http\r\n%sContent-Length: %d\r\n\r\n%s\r\n\r\n", id, id, fields, len(response), response)
}

// TestPartial checks that incomplete pages and responses without a page are told in
// their lines and counted.
func TestPartial(t *testing.T) {
	const html = "Content-Type: text/html\r\n"
	archive := warcRecord("whole", "", "HTTP/1.1 200 OK\r\n"+html+"\r\nwhole") +
		warcRecord("crawler", "WARC-Truncated: time\r\n", "HTTP/1.1 200 OK\r\n"+html+"\r\nstory") +
		warcRecord("part", "", "HTTP/1.1 206 Partial Content\r\n"+html+"\r\nstory") +
		warcRecord("short", "", "HTTP/1.1 200 OK\r\n"+html+"Content-Length: 99\r\n\r\nstory") +
		warcRecord("chunks", "", "HTTP/1.1 200 OK\r\n"+html+"Transfer-Encoding: chunked\r\n\r\nff\r\nstory") +
		warcRecord("gzip", "", "HTTP/1.1 200 OK\r\n"+html+"Content-Encoding: gzip\r\n\r\n"+string(gzipped([]byte("story"))[:17])) +
		warcRecord("failed", "WARC-Truncated: time\r\n", "HTTP/1.1 200 OK\r\n"+html+"\r\nfail") +
		warcRecord("gone", "", "HTTP/1.1 404 Not Found\r\n"+html+"\r\nstory") +
		warcRecord("moved", "", "HTTP/1.1 301 Moved Permanently\r\nLocation: /whole\r\n\r\n") +
		warcRecord("picture", "", "HTTP/1.1 404 Not Found\r\nContent-Type: image/png\r\n\r\nnone")
	dir := t.TempDir()
	path, cut := filepath.Join(dir, "a.warc"), filepath.Join(dir, "cut.html.gz")
	page := gzipped([]byte(strings.Repeat("A story that is cut off. ", 100)))
	if err := os.WriteFile(path, []byte(archive), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(cut, page[:len(page)-9], 0o644); err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	stats, err := Run(t.Context(), source(path, cut).Inputs(), echo, writeTo(&out), Options{})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for line := range strings.Lines(out.String()) {
		for _, l := range parseLines(t, []byte(line)) {
			got = append(got, strings.TrimSpace(fmt.Sprintln(strings.TrimPrefix(l.ID, "urn:"), l.Partial, l.PartialReason, l.Kind)))
			if l.ID == "urn:failed" && !strings.HasSuffix(l.Error, "; "+article.PartialRecord.Describe()) || l.ID == "cut" && !strings.HasSuffix(l.Error, "cut.html.gz: corrupt compressed file: unexpected EOF") {
				t.Errorf("%s: %q", l.ID, l.Error)
			}
		}
	}
	if want := []string{
		"whole false", "crawler true warc-truncated", "part true status-206", "short true content-length", "chunks true closed-early",
		"gzip true compressed-data", "failed false  other", "gone false  status", "moved false  status", "cut false  other",
	}; !slices.Equal(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
	if stats.Partial != 5 || stats.Failed != 4 || stats.Errors["status"] != 2 {
		t.Errorf("stats %+v", stats)
	}
}
