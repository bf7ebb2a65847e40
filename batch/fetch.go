package batch

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"iter"
	"os"
	"strings"
	"sync/atomic"
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

// listFile returns the file of an input that is a list.
func (s *Source) listFile(input int) file {
	path := s.Lists[input-len(s.Paths)]
	f := file{at: position{Input: input}, path: path, kind: linesFile, isList: true, inputName: inputName{name: path}}
	if fi, err := os.Stat(path); path == "-" || err == nil && !fi.Mode().IsRegular() {
		f.kind = streamFile
	} else if err == nil {
		f.size = fi.Size()
	}
	return f
}

// maxAddress is the length of the longest address that is read.
const maxAddress = 64 << 10

// readList reads an address from each line, but for empty lines and those that begin
// with #.
func (a *archive) readList() {
	plain, compressed, err := decompress(bufio.NewReaderSize(a.input, 64<<10))
	if err != nil {
		a.fail(err)
		return
	}
	fromStart := compressed || a.file.kind == streamFile
	a.eachLine(bufio.NewReaderSize(plain, 64<<10), maxAddress, fromStart, func(number int64, line []byte, err error) bool {
		text := bytes.TrimSpace(bytes.TrimPrefix(line, []byte("\ufeff")))
		if err == nil && (len(text) == 0 || text[0] == '#') {
			return true
		}
		if err != nil {
			return a.emit(Input{ID: fmt.Sprintf("%s:%d", a.file.path, number), Err: err})
		}
		return a.emit(a.src.addressInput(string(text)))
	})
}

// What is fetched ahead of the workers: addresses, and bytes of pages that wait. Most
// addresses wait for others of the same host.
const (
	maxAhead      = 64
	maxAheadBytes = 32 << 20
)

// feed calls send with the inputs, in order, until it returns false, which it must
// if ctx is cancelled. Pages to be fetched are fetched ahead. They are not sent if ctx
// was cancelled before they were there.
func feed(ctx context.Context, inputs iter.Seq[Input], send func(Input) bool) {
	var queue *fetchQueue
	for page := range inputs {
		if queue == nil {
			if page.fetch == nil {
				if !send(page) {
					return
				}
				continue
			}
			queue = newFetchQueue(ctx, send)
			defer queue.close()
		}
		if !queue.add(page) {
			return
		}
	}
}

// fetchQueue fetches pages and sends them in order.
type fetchQueue struct {
	ctx   context.Context
	pages chan *fetching
	bytes atomic.Int64  // of pages that are fetched and not sent
	sent  chan struct{} // has a value after a page was sent
	over  chan struct{} // closed after the last
}

type fetching struct {
	page Input
	done chan struct{}
}

func newFetchQueue(ctx context.Context, send func(Input) bool) *fetchQueue {
	q := &fetchQueue{ctx: ctx, pages: make(chan *fetching, maxAhead), sent: make(chan struct{}, 1), over: make(chan struct{})}
	go func() {
		defer close(q.over)
		for f := range q.pages {
			if <-f.done; ctx.Err() != nil || !send(f.page) {
				return
			}
			q.bytes.Add(-int64(len(f.page.Body)))
			select {
			case q.sent <- struct{}{}:
			default:
			}
		}
	}()
	return q
}

// add waits until there is space, starts to fetch a page and reports whether to
// continue.
func (q *fetchQueue) add(page Input) bool {
	for q.bytes.Load() > maxAheadBytes {
		select {
		case <-q.sent:
		case <-q.ctx.Done():
			return false
		}
	}
	f := &fetching{page: page, done: make(chan struct{})}
	go func() {
		defer close(f.done)
		if f.page.Err == nil {
			f.page.Err = f.page.get(q.ctx)
		}
		q.bytes.Add(int64(len(f.page.Body)))
	}()
	select {
	case q.pages <- f:
		return true
	case <-q.ctx.Done():
		return false
	}
}

// close waits until all pages are sent.
func (q *fetchQueue) close() {
	close(q.pages)
	<-q.over
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
