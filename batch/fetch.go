package batch

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"strings"
)

// isAddress reports whether a path is an address that Source.Fetch fetches.
func (s *Source) isAddress(path string) bool { return s.Fetch != nil && strings.Contains(path, "://") }

// addressInput returns the page at an address, which is fetched later.
func (s *Source) addressInput(address string) Input {
	in := Input{ID: address, URL: address, fetch: s.Fetch}
	if s.Fetch == nil {
		in.Err = errors.New("an address cannot be read without Source.Fetch")
	}
	return in
}

// maxAddress is the length of the longest address that is read.
const maxAddress = 64 << 10

// readList reads an address from each line, but for empty lines and those that begin
// with #.
func (a *archive) readList(r io.Reader) {
	a.eachLine(r, maxAddress, func(id string, line []byte, err error) bool {
		text := bytes.TrimSpace(bytes.TrimPrefix(line, []byte("\ufeff")))
		switch {
		case err != nil:
			return a.emit(Input{ID: id, Err: err})
		case len(text) == 0 || text[0] == '#':
			return true
		}
		return a.emit(a.src.addressInput(string(text)))
	})
}

// maxAhead is the number of pages that are fetched ahead of the workers. Most of them wait
// for others of the same host.
const maxAhead = 64

// feed calls send with the inputs, in order, until it returns false, which it must
// if ctx is cancelled. Pages to be fetched are fetched ahead. They are not sent if ctx
// was cancelled before they were there.
func feed(ctx context.Context, inputs iter.Seq[Input], send func(Input) bool) {
	var ahead chan chan Input // nil until a page is to be fetched
	for page := range inputs {
		switch {
		case ahead == nil && page.fetch == nil:
			if !send(page) {
				return
			}
			continue
		case ahead == nil:
			ahead = make(chan chan Input, maxAhead)
			over := make(chan struct{})
			defer func() { close(ahead); <-over }()
			go func() {
				defer close(over)
				for fetched := range ahead {
					if page := <-fetched; ctx.Err() != nil || !send(page) {
						return
					}
				}
			}()
		}
		fetched := make(chan Input, 1)
		go func() {
			if page.Err == nil {
				page.Err = page.get(ctx)
			}
			fetched <- page
		}()
		select {
		case ahead <- fetched:
		case <-ctx.Done():
			return
		}
	}
}

// get fetches the page, unless it is there. It recovers from a panic, which would end
// the run.
func (in *Input) get(ctx context.Context) (err error) {
	fetch := in.fetch
	if in.fetch = nil; fetch == nil {
		return nil
	}
	defer func() {
		if x := recover(); x != nil {
			err = fmt.Errorf("%w: while it was fetched: %v", ErrCrash, x)
		}
	}()
	if err := fetch(ctx, in); err != nil {
		return err
	}
	if in.Body == nil {
		in.Body = []byte{} // nil would mean a file
	}
	return nil
}
