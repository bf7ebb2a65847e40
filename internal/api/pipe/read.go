package pipe

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"strings"

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

// Read writes the pages of a source as frames, in their order.
func Read(ctx context.Context, w io.Writer, src *batch.Source) error {
	done := make(chan error, 1)
	go func() { done <- readPages(ctx, w, src) }() // it may never end, if standard input does not
	select {
	case err := <-done:
		return err
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

func readPages(ctx context.Context, w io.Writer, src *batch.Source) error {
	out := bufio.NewWriterSize(w, bufferSize)
	if err := writeHello(out, 0); err != nil {
		return writeError(err)
	}
	kinds := batch.Options{ErrorKind: render.Kind}
	for in := range src.Inputs() {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		page, err := readPage(&in, src.MaxBytes)
		head := pageHead{ID: in.ID, URL: in.URL}
		if err != nil {
			head.Error, head.Kind = strings.Join(strings.Fields(err.Error()), " "), kinds.Kind(err)
		} else {
			head.Site, head.HeaderCharset, head.LinkText, head.Partial = in.Site, in.Charset, in.LinkText, in.Partial
		}
		if err := writeFrame(out, head, page); err != nil {
			return err
		}
		if err := out.Flush(); err != nil {
			return err
		}
	}
	_ = writeFrame(out, map[string]bool{"end": true}, nil)
	return out.Flush()
}

// readPage returns the page of an input, decompressed.
func readPage(in *batch.Input, maxBytes int64) ([]byte, error) {
	if in.Err != nil {
		return nil, in.Err
	}
	if err := in.Load(); err != nil {
		return nil, err
	}
	r, err := in.Open()
	if err != nil {
		return nil, err
	}
	defer r.Close()
	page, err := io.ReadAll(io.LimitReader(r, maxBytes+1))
	if err == nil && int64(len(page)) > maxBytes {
		err = fmt.Errorf("%w: more than %d bytes; raise the limit (--max-bytes)", lede.ErrTooLarge, maxBytes)
	}
	if err != nil {
		return nil, err
	}
	return page, nil
}
