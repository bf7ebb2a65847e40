package pipe

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"strconv"
	"sync"
	"sync/atomic"

	"github.com/lede-news/lede"
	"github.com/lede-news/lede/article"
	"github.com/lede-news/lede/batch"
	"github.com/lede-news/lede/internal/api/render"
)

// pageHead is the head of a frame with a page.
type pageHead struct {
	ID            string                `json:"id"`
	URL           string                `json:"url,omitempty"`
	Site          string                `json:"site,omitempty"`
	HeaderCharset string                `json:"header_charset,omitempty"`
	LinkText      string                `json:"link_text,omitempty"`
	Partial       article.PartialReason `json:"partial,omitempty"`
	Error         string                `json:"error,omitempty"`
	Kind          string                `json:"kind,omitempty"`
}

// Read writes the pages of a source as frames, in their order. Pages are read and
// decompressed by workers.
func Read(ctx context.Context, w io.Writer, src *batch.Source, workers int) error {
	out := bufio.NewWriterSize(w, bufferSize)
	if err := writeHello(out, 0); err != nil {
		return writeError(err)
	}
	r := pageReader{maxBytes: src.MaxBytes}
	_, err := batch.Run(ctx, src.Inputs(), r.read, func(result *batch.Result) error {
		head, page := r.take(result)
		if err := writeFrame(out, head, page); err != nil {
			return err
		}
		return out.Flush()
	}, batch.Options{Workers: workers, ErrorKind: render.Kind})
	if err != nil {
		return err
	}
	_ = writeFrame(out, map[string]bool{"end": true}, nil)
	return out.Flush()
}

// pageReader reads the pages of a batch. Results of a batch have no pages but articles,
// so each page is kept under a number, which is the title of an article.
type pageReader struct {
	maxBytes int64
	last     atomic.Int64
	pages    sync.Map // from titles to pages
}

// read is the batch.ExtractFunc.
func (r *pageReader) read(_ context.Context, in batch.Input, page io.Reader) (*article.Article, error) {
	text := in.Body
	if text == nil {
		var err error
		if text, err = io.ReadAll(io.LimitReader(page, r.maxBytes+1)); err != nil {
			return nil, err
		}
	}
	if int64(len(text)) > r.maxBytes {
		return nil, fmt.Errorf("%w: more than %d bytes; raise the limit (--max-bytes)", lede.ErrTooLarge, r.maxBytes)
	}
	title := strconv.FormatInt(r.last.Add(1), 10)
	r.pages.Store(title, text)
	return &article.Article{Title: title}, nil
}

// take returns the frame of a result.
func (r *pageReader) take(result *batch.Result) (head pageHead, page []byte) {
	if l := result.Line; result.Err != nil {
		return pageHead{ID: l.ID, URL: l.URL, Error: l.Error, Kind: l.Kind}, nil
	}
	in := result.Input
	kept, _ := r.pages.LoadAndDelete(result.Line.Title)
	page, _ = kept.([]byte)
	return pageHead{ID: in.ID, URL: in.URL, Site: in.Site, HeaderCharset: in.Charset, LinkText: in.LinkText, Partial: in.Partial}, page
}
