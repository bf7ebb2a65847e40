package warc_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"log"
	"net/http"
	"strings"
	"time"

	"github.com/lede-news/lede/warc"
)

func Example() {
	var file bytes.Buffer
	w := warc.NewWriter(&file, warc.WriterOptions{Compression: warc.Gzip})
	_, err := w.WriteResponse(warc.Response{
		URL:    "https://news.example/bridge",
		Date:   time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC),
		Status: 200,
		Header: http.Header{"Content-Type": {"text/html; charset=utf-8"}},
		Body:   []byte("<h1>Bridge stays closed</h1>"),
	})
	if err != nil {
		log.Fatal(err)
	}

	r := warc.NewReader(&file, warc.Options{})
	for {
		rec, err := r.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			log.Fatal(err)
		}
		page, err := rec.Page()
		if errors.Is(err, warc.ErrNotPage) {
			continue
		}
		if err != nil {
			log.Print(err)
			continue
		}
		fmt.Printf("%s %s %s\n", page.URL, page.Charset, page.Body)
	}
	// Output: https://news.example/bridge utf-8 <h1>Bridge stays closed</h1>
}

func ExampleCDXReader() {
	var file bytes.Buffer
	w := warc.NewWriter(&file, warc.WriterOptions{})
	for _, name := range []string{"bridge", "ferry"} {
		_, err := w.WriteResource(warc.Resource{URL: "https://news.example/" + name, ContentType: "text/html", Body: []byte("<h1>" + name + "</h1>")})
		if err != nil {
			log.Fatal(err)
		}
	}
	archive := bytes.NewReader(file.Bytes())
	index := warc.NewCDXReader(strings.NewReader(`{"url": "https://news.example/bridge", "filename": "news.warc.gz", "offset": 0}`), warc.Options{})
	for {
		entry, err := index.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			log.Fatal(err)
		}
		rec, err := warc.RecordAt(archive, entry.Offset, warc.Options{})
		if err != nil {
			log.Fatal(err)
		}
		page, err := rec.Page()
		if err != nil {
			log.Fatal(err)
		}
		fmt.Printf("%s in %s: %s\n", page.URL, entry.Filename, page.Body)
	}
	// Output: https://news.example/bridge in news.warc.gz: <h1>bridge</h1>
}
