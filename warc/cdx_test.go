package warc

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"
	"time"
)

func TestCDXLines(t *testing.T) {
	at := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	whole := CDXEntry{Key: "com,example)/a", URL: "http://example.com/a", Date: at, MIME: "text/html", Status: 200,
		Digest: "ABC", Filename: "x.warc.gz", Offset: 77, Length: 1234}
	noLength, bare := whole, CDXEntry{Filename: "x.warc.gz", Offset: 77}
	noLength.Length = 0
	for _, c := range []struct {
		name, lines string
		want        CDXEntry
		skipped     int64
	}{
		{"11 fields", "com,example)/a 20260102030405 http://example.com/a text/html 200 ABC - - 1234 77 x.warc.gz\n", whole, 0},
		{"10 fields", "com,example)/a 20260102030405 http://example.com/a text/html 200 ABC - - 77 x.warc.gz\n", noLength, 0},
		{"9 fields", "com,example)/a 20260102030405 http://example.com/a text/html 200 ABC - 77 x.warc.gz", noLength, 0},
		{"header", " CDX g V\nx.warc.gz 77\n", bare, 0},
		{"CDXJ", `com,example)/a 20260102030405123 {"url": "http://example.com/a", "mime": "text/html", "status": "200", "digest": "ABC", "length": "1234", "offset": "77", "filename": "x.warc.gz", "more": [1]}`, whole, 0},
		{"CDXJ with numbers", "!OpenWayback-CDXJ 1.0\n" + `com,example)/a 20260102030405 {"url": "http://example.com/a", "mime": "text/html", "status": 200, "digest": "ABC", "length": 1234, "offset": 77, "filename": "x.warc.gz"}`, whole, 0},
		{"JSON", `{"urlkey": "com,example)/a", "timestamp": "20260102030405", "url": "http://example.com/a", "mime": "text/html", "status": "200", "digest": "ABC", "length": "1234", "offset": "77", "filename": "x.warc.gz"}`, whole, 0},
		{"null", `{"offset": 77, "filename": "x.warc.gz", "length": null, "status": "-"}`, bare, 0},
		{"bad lines before", "nonsense\n\n{\"offset\": \n{\"offset\": -1, \"filename\": \"x\"}\n{\"offset\": 1}\n{\"filename\": \"x\"}\n" +
			strings.Repeat("x", maxCDXLine+1) + "\n" + `{"offset": 77, "filename": "x.warc.gz"}`, bare, 6},
	} {
		for _, lines := range [][]byte{[]byte(c.lines), gzipped(t, []byte(c.lines))} {
			var reported int64
			index := NewCDXReader(bytes.NewReader(lines), Options{OnError: func(*Error) { reported++ }})
			if e, err := index.Next(); err != nil || e != c.want {
				t.Errorf("%s: %+v, %v; want %+v", c.name, e, err, c.want)
			}
			if e, err := index.Next(); err != io.EOF || index.Skipped() != c.skipped || reported != c.skipped {
				t.Errorf("%s: %+v, %v, %d skipped, %d reported", c.name, e, err, index.Skipped(), reported)
			}
		}
	}
}

func TestCDXReadErrors(t *testing.T) {
	line := []byte("com,example)/a 20260102030405 http://example.com/a text/html 200 ABC - - 1234 77 x.warc.gz\n")
	packed := gzipped(t, line)
	for _, c := range []struct {
		in   io.Reader
		want error
	}{
		{bytes.NewReader(packed[:len(packed)-4]), ErrTruncated},
		{bytes.NewReader(packed[:5]), ErrTruncated},
		{&failingReader{bytes.NewReader(line), len(line)}, ErrInput},
	} {
		index := NewCDXReader(c.in, Options{})
		var err error
		for n := 0; err == nil && n < 3; n++ {
			_, err = index.Next()
		}
		if _, again := index.Next(); !errors.Is(err, c.want) || again != err {
			t.Errorf("%v and then %v, want %v", err, again, c.want)
		}
	}
}
