package pipe

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"log/slog"
	"sync"
	"time"

	"github.com/lede-news/lede"
	"github.com/lede-news/lede/fetch"
	"github.com/lede-news/lede/internal/api/request"
	"github.com/lede-news/lede/internal/sites"
	"github.com/lede-news/lede/internal/version"
)

// Protocol is the version of the protocol.
const Protocol = 1

// windowSize is the number of requests that are read for each worker. Python
// extracted some 5 % more pages a second with 8 than with 4.
const windowSize = 8

// Options are the options of Serve.
type Options struct {
	Extractor *lede.Extractor
	Sites     *sites.Sites    // what is known about sites; nil if that is nothing
	Fetch     FetchFunc       // for pages that are requested by their address
	Workers   int             // pages at once
	MaxBytes  int             // of a page
	PageTime  time.Duration   // to write a page; that of its extraction is the extractor's
	Stop      <-chan struct{} // once closed, no more requests are read; may be nil
	Log       *slog.Logger
}

// FetchFunc fetches a page, as the method Get of fetch.Client does.
type FetchFunc func(ctx context.Context, url string) (*fetch.Response, error)

// hello is the head of the first frame that is written.
type hello struct {
	Hello    string   `json:"hello"`
	Protocol int      `json:"protocol"`
	Version  string   `json:"version"`
	Workers  int      `json:"workers"`
	Window   int      `json:"window"` // requests that are read without an answer being taken
	MaxBytes int      `json:"max_bytes"`
	Kinds    []string `json:"kinds"`
}

func newHello(workers, maxBytes int) hello {
	return hello{"lede pipe", Protocol, version.Get(), workers, windowSize * workers, maxBytes, Kinds()}
}

// Serve answers the requests of r until its end. It then finishes the answers, as it
// does if Options.Stop is closed. It ends at once if an answer cannot be written, or if
// ctx is done.
func Serve(ctx context.Context, r io.Reader, w io.Writer, opts Options) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	first := newHello(opts.Workers, opts.MaxBytes)
	s := &server{
		opts: opts, pages: request.Extractor{Lede: opts.Extractor, Sites: opts.Sites, MaxBytes: opts.MaxBytes, PageTime: opts.PageTime}, room: make(chan struct{}, first.Window), jobs: make(chan *job, first.Window), answers: make(chan *answer, first.Window),
	}
	out := bufio.NewWriterSize(w, bufferSize)
	_ = writeFrame(out, first, nil)
	if err := out.Flush(); err != nil {
		return writeError(err)
	}
	read := make(chan error, 1)
	go func() { read <- s.readAll(ctx, r) }() // it may never end, if the client neither sends nor ends
	var workers, writer sync.WaitGroup
	for range opts.Workers {
		workers.Go(func() { s.work(ctx) })
	}
	writer.Go(func() { s.write(out, cancel) })
	var err error
	select {
	case err = <-read:
	case <-opts.Stop:
	case <-ctx.Done():
	}
	s.stop()
	workers.Wait()
	close(s.answers)
	writer.Wait()
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return err
}

// writeError is the error of an answer that cannot be written.
func writeError(err error) error { return fmt.Errorf("writing answers: %w", err) }

// server answers requests. One goroutine reads them, one writes the answers, and workers
// are between them. None of the channels is ever full, since each request has a place in
// room until it is answered.
type server struct {
	opts    Options
	pages   request.Extractor
	room    chan struct{} // has an element for each request without an answer
	jobs    chan *job
	answers chan *answer
	bodies  bodies
	results buffers
	fetched sync.WaitGroup

	lock    sync.Mutex
	stopped bool // no more jobs are taken
}

// readAll reads requests until the end of the input. It reads no further than there is
// room.
func (s *server) readAll(ctx context.Context, r io.Reader) error {
	in := bufio.NewReaderSize(r, bufferSize)
	for {
		select {
		case s.room <- struct{}{}:
		case <-ctx.Done():
			return nil
		}
		j, err := s.read(in)
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		if !s.take(ctx, j) {
			return nil
		}
	}
}

// read reads a request.
func (s *server) read(in *bufio.Reader) (*job, error) {
	headSize, size, err := readSizes(in)
	if err != nil {
		return nil, err
	}
	head, err := readFull(in, nil, headSize)
	if err != nil {
		return nil, err
	}
	j := parseJob(head, size > 0)
	limit := int64(s.opts.MaxBytes)
	if j.do == doFormat {
		limit = articleBytes(limit)
	}
	switch {
	case j.err != nil:
	case s.opts.Sites == nil && (j.page.Memory == "use" || j.page.Memory == "learn"):
		j.err = request.Errorf("option", "memory=%s: nothing is remembered about sites; start lede pipe with --site-store, or leave memory out", j.page.Memory)
	case size > limit:
		j.err = fmt.Errorf("%w: it has %d bytes, and %d are allowed; raise the limit (--max-bytes)", lede.ErrTooLarge, size, limit)
	}
	if j.err != nil {
		return j, skip(in, size)
	}
	if size == 0 && (j.do == doFetch || j.do == doLinks) {
		return j, nil
	}
	if j.buffer, err = readFull(in, s.bodies.get(), size); err != nil {
		return nil, err
	}
	if j.page.Content = j.buffer; size == 0 {
		j.page.Content = []byte{}
	}
	return j, nil
}

// articleBytes returns the limit for the JSON of an article, which has the text of its
// page twice, with escapes.
func articleBytes(page int64) int64 { return 4*page + 1<<20 }

// take begins the work on a request, unless no more are taken.
func (s *server) take(ctx context.Context, j *job) bool {
	s.lock.Lock()
	defer s.lock.Unlock()
	if s.stopped {
		return false
	}
	if !j.fetches() {
		s.jobs <- j
		return true
	}
	s.fetched.Go(func() { // no worker waits for a site
		resp, err := s.opts.Fetch(ctx, j.page.URL)
		if err != nil {
			j.err = err
		} else {
			j.page.SetFetched(resp)
		}
		s.jobs <- j
	})
	return true
}

// stop lets the workers end when they have done what was taken.
func (s *server) stop() {
	s.lock.Lock()
	s.stopped = true
	s.lock.Unlock()
	s.fetched.Wait()
	close(s.jobs)
}

// work answers requests.
func (s *server) work(ctx context.Context) {
	for j := range s.jobs {
		if ctx.Err() != nil {
			continue
		}
		a := s.answer(ctx, j)
		s.bodies.put(j.buffer)
		s.answers <- a
	}
}

// write writes answers. What is written is sent when there is no further answer yet. An
// answer makes room for a request before it is sent: a client that has read it may send
// one at once, and read no other answer meanwhile.
func (s *server) write(out *bufio.Writer, cancel context.CancelCauseFunc) {
	var failed error
	for a := range s.answers {
		if failed == nil {
			failed = writeFrame(out, a, a.body.Bytes())
		}
		s.results.put(a.body)
		<-s.room
		if failed == nil && (len(s.answers) == 0 || out.Buffered() > bufferSize/2) {
			failed = out.Flush()
		}
		if failed != nil {
			cancel(writeError(failed))
		}
	}
}

// maxPooled is the capacity of the largest buffer that is used again.
const maxPooled = 1 << 20

// bodies holds the memory of pages, to be used again.
type bodies struct{ pool sync.Pool }

func (p *bodies) get() []byte {
	if b, ok := p.pool.Get().(*[]byte); ok {
		return *b
	}
	return nil
}

func (p *bodies) put(b []byte) {
	if cap(b) > 0 && cap(b) <= maxPooled {
		p.pool.Put(&b)
	}
}

// buffers holds buffers that are used again.
type buffers struct{ pool sync.Pool }

func (p *buffers) get() *bytes.Buffer {
	if b, ok := p.pool.Get().(*bytes.Buffer); ok {
		return b
	}
	return new(bytes.Buffer)
}

func (p *buffers) put(b *bytes.Buffer) {
	if b.Cap() <= maxPooled {
		b.Reset()
		p.pool.Put(b)
	}
}
