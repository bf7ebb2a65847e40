package batch

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
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

// maxAhead is the number of pages that are fetched at the same time. Most of them wait for
// others of the same host.
const maxAhead = 64

// get fetches the page. It recovers from a panic, which would end the run.
func (in *Input) get(ctx context.Context) (err error) {
	defer func() {
		if x := recover(); x != nil {
			err = fmt.Errorf("%w: while it was fetched: %v", ErrCrash, x)
		}
	}()
	if err := in.fetch(ctx, in); err != nil {
		return err
	}
	if in.Body == nil {
		in.Body = []byte{} // nil would mean a file
	}
	return nil
}
