// Command library extracts pages with package lede, one at a time, for the comparison
// with the package for Python in throughput.py. It reads a file of JSON lines with the
// pages, and then lines with the numbers of the first page and of the one after the
// last. It answers each of these with the time in nanoseconds and with the bytes of
// titles and texts.
package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/lede-news/lede"
)

type page struct {
	URL  string `json:"url"`
	HTML string `json:"html"`
}

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "library:", err)
		os.Exit(1)
	}
}

func run() error {
	if len(os.Args) != 2 {
		return errors.New("usage: library PAGES.jsonl")
	}
	urls, pages, err := read(os.Args[1])
	if err != nil {
		return err
	}
	ex, err := lede.New()
	if err != nil {
		return err
	}
	requests := bufio.NewScanner(os.Stdin)
	for requests.Scan() {
		var from, to int
		if _, err := fmt.Sscan(requests.Text(), &from, &to); err != nil || from < 0 || to > len(pages) {
			return fmt.Errorf("%q does not name pages of %d", requests.Text(), len(pages))
		}
		size := 0
		start := time.Now()
		for i := from; i < to; i++ {
			a, err := ex.Extract(context.Background(), bytes.NewReader(pages[i]), lede.WithURL(urls[i]), lede.WithCharset("utf-8"))
			if err == nil { // pages without an article count too
				size += len(a.Title) + len(a.Text())
			}
		}
		fmt.Println(time.Since(start).Nanoseconds(), size)
	}
	return requests.Err()
}

// read reads the pages.
func read(name string) (urls []string, pages [][]byte, err error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, nil, err
	}
	defer f.Close()
	in := json.NewDecoder(bufio.NewReader(f))
	for {
		var p page
		if err := in.Decode(&p); errors.Is(err, io.EOF) {
			return urls, pages, nil
		} else if err != nil {
			return nil, nil, err
		}
		urls, pages = append(urls, p.URL), append(pages, []byte(p.HTML))
	}
}
