package pipe

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"runtime/debug"
	"sync"
	"time"

	"github.com/lede-news/lede"
	"github.com/lede-news/lede/fetch"
	"github.com/lede-news/lede/format"
	"github.com/lede-news/lede/internal/api/request"
	"github.com/lede-news/lede/internal/sites"
)

// windowSize is the number of requests that are read for each worker. Python
// extracted some 5 % more pages a second with 8 than with 4.
const windowSize = 8

// Options are the options of Serve.
type Options struct {
	Extractor *lede.Extractor
	Sites     *sites.Sites // what is known about sites; nil if that is nothing
	// Fetch fetches pages that are requested by URL.
	Fetch    func(ctx context.Context, url string) (*fetch.Response, error)
	Workers  int             // pages at once
	MaxBytes int             // of a page
	PageTime time.Duration   // to write a page; that of its extraction is the extractor's
	Stop     <-chan struct{} // once closed, no more requests are read; may be nil
	Log      *slog.Logger
}

// server answers requests. One goroutine reads them, one writes the answers, and one for
// each request is between them.
type server struct {
	opts    Options
	pages   request.Extractor
	window  chan struct{} // has an element for each request without an answer
	workers chan struct{} // has an element for each page that is extracted
}

// answer is an answer to a request.
type answer struct {
	ID    int64  `json:"id"`
	Error string `json:"error,omitempty"`
	Kind  string `json:"kind,omitempty"`

	body bytes.Buffer
}

// Serve answers the requests of r until its end. It then finishes the answers, as it
// does if Options.Stop is closed. It ends at once if an answer cannot be written, or if
// ctx is done.
func Serve(ctx context.Context, r io.Reader, w io.Writer, opts Options) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	s := &server{
		opts:    opts,
		pages:   request.Extractor{Lede: opts.Extractor, Sites: opts.Sites, MaxBytes: opts.MaxBytes, PageTime: opts.PageTime},
		window:  make(chan struct{}, windowSize*opts.Workers),
		workers: make(chan struct{}, opts.Workers),
	}
	out := bufio.NewWriterSize(w, bufferSize)
	if err := writeHello(out, cap(s.window)); err != nil {
		return writeError(err)
	}
	jobs, answers := make(chan *job), make(chan *answer, cap(s.window)) // which is never full
	var readErr error
	go func() { // it may never end, if the client neither sends nor ends
		readErr = s.read(ctx, r, jobs)
		close(jobs)
	}()
	var pages, writer sync.WaitGroup
	writer.Go(func() {
		if err := s.write(out, answers); err != nil {
			cancel(writeError(err))
		}
	})
	ended := false
	for running := true; running; {
		select {
		case j, ok := <-jobs:
			if running, ended = ok, !ok; ok {
				pages.Go(func() { answers <- s.answer(ctx, j) })
			}
		case <-opts.Stop:
			running = false
		case <-ctx.Done():
			running = false
		}
	}
	pages.Wait()
	close(answers)
	writer.Wait()
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	if ended {
		return readErr
	}
	return nil
}

// writeError is the error of an answer that cannot be written.
func writeError(err error) error { return fmt.Errorf("writing answers: %w", err) }

// read reads requests until the end of the input. It reads no further than the window.
func (s *server) read(ctx context.Context, r io.Reader, jobs chan<- *job) error {
	in := bufio.NewReaderSize(r, bufferSize)
	for {
		select {
		case s.window <- struct{}{}:
		case <-ctx.Done():
			return nil
		}
		j, err := s.readJob(in)
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		select {
		case jobs <- j:
		case <-ctx.Done():
			return nil
		}
	}
}

// answer returns the answer to a request, whatever happens.
func (s *server) answer(ctx context.Context, j *job) *answer {
	a := &answer{ID: j.id}
	err := s.try(ctx, j, &a.body)
	if err == nil && a.body.Len() > maxBody {
		err = fmt.Errorf("%w: an answer of %d bytes does not fit into a frame", lede.ErrOutput, a.body.Len())
	}
	if err != nil {
		a.body.Reset()
		a.Kind, a.Error = request.Describe(err)
		if known := (*lede.FactsError)(nil); errors.As(err, &known) {
			if err := format.JSON(&a.body, known.Facts(), format.Options{}); err != nil || a.body.Len() > maxBody {
				a.body.Reset()
			}
		}
	}
	return a
}

// try writes what a request asks for, and recovers from a panic.
func (s *server) try(ctx context.Context, j *job, out io.Writer) (err error) {
	defer func() {
		if p := recover(); p != nil {
			s.opts.Log.Error("panic", "panic", fmt.Sprint(p), "stack", string(debug.Stack()))
			err = fmt.Errorf("%w: %.200q", lede.ErrInternal, fmt.Sprint(p))
		}
	}()
	if j.err != nil {
		return j.err
	}
	if j.page.Content == nil { // no worker waits for a site
		resp, err := s.opts.Fetch(ctx, j.page.URL)
		if err != nil {
			return err
		}
		j.page.SetFetched(resp)
	}
	select {
	case s.workers <- struct{}{}:
		defer func() { <-s.workers }()
		return s.do(ctx, j, out)
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// write writes answers. What is written is sent when there is no further answer yet. An
// answer makes room for a request before it is sent: a client that has read it may send
// one at once, and read no other answer meanwhile.
func (s *server) write(out *bufio.Writer, answers <-chan *answer) error {
	for a := range answers {
		err := writeFrame(out, a, a.body.Bytes())
		<-s.window
		if err == nil && (len(answers) == 0 || out.Buffered() > bufferSize/2) {
			err = out.Flush()
		}
		if err != nil {
			return err
		}
	}
	return nil
}
