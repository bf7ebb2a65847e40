package batch_test

import (
	"context"
	"fmt"
	"io"
	"log"
	"os"
	"path/filepath"

	"github.com/lede-news/lede"
	"github.com/lede-news/lede/article"
	"github.com/lede-news/lede/batch"
)

const page = `<title>Bridge stays closed</title><h1>Bridge stays closed</h1>
<p>The bridge over the harbour stays closed until March, the council said on Monday.</p>
<p>Engineers found rust in two of the four main cables when they inspected it in May.</p>`

// folder returns a folder with two pages.
func folder() string {
	dir, err := os.MkdirTemp("", "batch")
	if err != nil {
		log.Fatal(err)
	}
	for name, text := range map[string]string{"bridge.html": page, "empty.html": ""} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			log.Fatal(err)
		}
	}
	return dir
}

func extract(ctx context.Context, in batch.Input, r io.Reader) (*article.Article, error) {
	return lede.Extract(ctx, r, lede.WithURL(in.URL), lede.WithHeaderCharset(in.Charset))
}

func Example() {
	dir := folder()
	defer os.RemoveAll(dir)
	source := &batch.Source{Paths: []string{dir}} // or files, or archives
	write := func(r *batch.Result) error {
		if r.Err != nil {
			fmt.Printf("%s has no article\n", r.Line.ID)
		} else {
			fmt.Printf("%s: %s\n", r.Line.ID, r.Line.Title)
		}
		return nil
	}
	stats, err := batch.Run(context.Background(), source.Inputs(), extract, write, batch.Options{})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%d pages, %d failed\n", stats.Done, stats.Failed)
	// Output:
	// bridge: Bridge stays closed
	// empty has no article
	// 2 pages, 1 failed
}

// A fileSink writes JSON lines to a file. Its mark is the size of the file.
type fileSink struct {
	*os.File
	size int64
}

func (s *fileSink) Write(r *batch.Result) error {
	n, err := s.File.WriteAt(r.JSON, s.size)
	s.size += int64(n)
	return err
}

func (s *fileSink) Commit() (int64, error) { return s.size, s.Sync() }

func (s *fileSink) Finish() error { return s.Close() }

func ExampleJournal() {
	dir := folder()
	defer os.RemoveAll(dir)
	output := filepath.Join(dir, "articles.jsonl")

	source := &batch.Source{Paths: []string{dir}}
	journal, err := batch.OpenJournal(output+".journal", source, nil, batch.Resume)
	if err != nil {
		log.Fatal(err)
	}
	file, err := os.OpenFile(output, os.O_CREATE|os.O_RDWR, 0o644)
	if err != nil {
		log.Fatal(err)
	}
	// Remove what was written after the last commit of an interrupted run.
	size := journal.State().Mark
	if err := file.Truncate(size); err != nil {
		log.Fatal(err)
	}
	stats, err := journal.Run(context.Background(), extract, &fileSink{file, size}, batch.Options{})
	if err != nil {
		journal.Close() // the next call with batch.Resume continues
		log.Fatal(err)
	}
	if err := journal.Remove(); err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%d pages, %d failed\n", stats.Done, stats.Failed)
	// Output: 2 pages, 1 failed
}
