package warc

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// fetches writes a page with all three records, and one with the response only.
func fetches(t *testing.T, compression Compression) ([]byte, CDXEntry) {
	t.Helper()
	var b bytes.Buffer
	w := NewWriter(&b, WriterOptions{Compression: compression, Random: seeded()})
	response := Response{URL: storyURL(1) + "?q=a b", Date: day, Status: 200, Header: http.Header{"Content-Type": {"text/html"}}, Body: story(1, 3000)}
	e, err := w.WriteFetch(Fetch{Response: response,
		Request:  http.Header{"User-Agent": {"lede"}, "Accept": {"text/html"}},
		Metadata: Header{{"found_by", "feed"}, {"found_by", "home"}, {"link_text", "Brücke:\r\n closed"}}})
	if err != nil {
		t.Fatal(err)
	}
	response.Truncated = "disconnect"
	if _, err := w.WriteFetch(Fetch{Response: response}); err != nil {
		t.Fatal(err)
	}
	return b.Bytes(), e
}

func TestWriteFetch(t *testing.T) {
	for _, compression := range []Compression{Gzip, Zstd, Uncompressed} {
		archive, entry := fetches(t, compression)
		r := NewReader(bytes.NewReader(archive), Options{CheckDigests: true})
		var types, ids []string
		for {
			rec, err := r.Next()
			if err == io.EOF {
				break
			}
			if err != nil {
				t.Fatal(err)
			}
			types, ids = append(types, rec.Type), append(ids, rec.ID)
			if rec.TargetURI != storyURL(1)+"?q=a%20b" || !rec.Date.Equal(day) {
				t.Errorf("%s: %s of %v", rec.Type, rec.TargetURI, rec.Date)
			}
			switch rec.Type {
			case "request":
				block, err := io.ReadAll(rec.Block)
				if want := "GET /story/1?q=a%20b HTTP/1.1\r\nHost: news.example\r\nAccept: text/html\r\nUser-Agent: lede\r\n\r\n"; string(block) != want || err != nil {
					t.Errorf("request %q, want %q (%v)", block, want, err)
				}
			case "metadata":
				h, err := rec.Fields()
				if err != nil || !slices.Equal(h.Values("Found_By"), []string{"feed", "home"}) || h.Get("link_text") != "Brücke:  closed" {
					t.Errorf("metadata %q: %v", h, err)
				}
			case "response":
				if _, err := rec.Fields(); !errors.Is(err, ErrMalformed) {
					t.Errorf("fields of a response: %v", err)
				}
				if p, err := rec.Page(); err != nil || !bytes.Equal(p.Body, story(1, 3000)) || p.Truncated != (len(types) > 3) {
					t.Errorf("page: %v", err)
				}
			}
			if concurrent := trimBrackets(rec.Header.Get("WARC-Concurrent-To")); rec.Type != "response" && concurrent == "" {
				t.Errorf("%s belongs to no response", rec.Type)
			} else if len(types) == 3 {
				again, err := RecordAt(bytes.NewReader(archive), entry.Offset, Options{})
				if err != nil || again.ID != rec.ID {
					t.Errorf("the index entry points to %v: %v", again, err)
				}
			}
		}
		if got := strings.Join(types, " "); got != "request metadata response response" || r.Stats().Skipped() != 0 {
			t.Errorf("records: %s", got)
		}
		if slices.Sort(ids); len(slices.Compact(ids)) != 4 {
			t.Errorf("ids: %v", ids)
		}
	}
}

// TestWarcioReadsFetches checks the three records with another implementation.
func TestWarcioReadsFetches(t *testing.T) {
	python := pythonWithWarcio(t)
	archive, _ := fetches(t, Gzip)
	path := filepath.Join(t.TempDir(), "a.warc.gz")
	if err := os.WriteFile(path, archive, 0o600); err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command(python, "testdata/check.py", path).CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	type record struct{ Type, ID, URL, Concurrent, HTTP, Fields string }
	var records []record
	for line := range strings.Lines(string(out)) {
		var r record
		if err := json.Unmarshal([]byte(line), &r); err != nil {
			t.Fatal(line)
		}
		records = append(records, r)
	}
	if len(records) != 4 {
		t.Fatalf("%d records:\n%s", len(records), out)
	}
	request, metadata, response := records[0], records[1], records[2]
	if request.Type != "request" || !strings.HasPrefix(request.HTTP, "GET /story/1?q=a%20b HTTP/1.1\r\n") || request.Concurrent != response.ID {
		t.Errorf("%+v", request)
	}
	if metadata.Type != "metadata" || metadata.Concurrent != response.ID || metadata.Fields != "found_by: feed\r\nfound_by: home\r\nlink_text: Brücke:  closed\r\n" {
		t.Errorf("%+v", metadata)
	}
	if response.Type != "response" || response.Concurrent != "" || response.URL != request.URL {
		t.Errorf("%+v", response)
	}
}
