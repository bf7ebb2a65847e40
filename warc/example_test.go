package warc_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"log"
	"net/http"
	"time"

	"github.com/lede-news/lede/warc"
)

func Example() {
	var file bytes.Buffer
	w := warc.NewWriter(&file, warc.WriterOptions{})
	err := w.WriteResponse(warc.Response{
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
