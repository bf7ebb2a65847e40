package main

import (
	"bytes"
	"cmp"
	"context"
	"io"
	"strings"

	"github.com/lede-news/lede/batch"
	"github.com/lede-news/lede/fetch"
	"github.com/lede-news/lede/internal/browser"
)

// source is an open page.
type source struct {
	io.ReadCloser
	url, charset string
}

// opener opens what is named on the command line.
type opener struct {
	ctx    context.Context
	stdin  io.Reader
	client *fetch.Client
	url    string // given by the user
	// render fetches with a browser; nil when that is not wanted.
	render func(ctx context.Context, url string) (*browser.Rendered, error)
}

func (o opener) open(arg string) (source, error) {
	switch {
	case arg == "-":
		return source{ReadCloser: io.NopCloser(o.stdin), url: o.url}, nil
	case strings.Contains(arg, "://") && o.render != nil:
		page, err := o.render(o.ctx, arg)
		if err != nil {
			return source{}, err
		}
		return source{ReadCloser: io.NopCloser(bytes.NewReader(page.HTML)), url: cmp.Or(o.url, page.URL), charset: "utf-8"}, nil
	case strings.Contains(arg, "://"):
		resp, err := o.client.Get(o.ctx, arg)
		if err != nil {
			return source{}, err
		}
		s := source{ReadCloser: io.NopCloser(bytes.NewReader(resp.Body)), url: resp.URL, charset: resp.Charset}
		if o.url != "" {
			s.url = o.url
		}
		return s, nil
	}
	r, err := batch.Open(arg)
	return source{ReadCloser: r, url: o.url}, err
}
