package serve

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"math"
	"net/http"
	"net/url"
	"os"
	"runtime/debug"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/lede-news/lede"
	"github.com/lede-news/lede/batch"
	"github.com/lede-news/lede/internal/api/render"
	"github.com/lede-news/lede/internal/api/request"
	"github.com/lede-news/lede/internal/crawl/coding"
	"github.com/lede-news/lede/internal/page/lines"
)

const (
	// maxBatches is the number of batches at once.
	maxBatches = 16
	// idleTimes is how many times Options.ReadTime a client may take between two lines.
	idleTimes = 10
	// ndjson is the type of JSON lines.
	ndjson = "application/x-ndjson"
)

// errStopping is the error of a batch that the service does not read to its end.
var errStopping = newProblem("stopping", "the service is stopping; send this line and those after it again")

// batch answers lines of pages with lines of articles, in their order, while further
// lines arrive.
func (s *server) batch(w http.ResponseWriter, r *http.Request) {
	q, in, err := s.readBatch(w, r)
	if err != nil {
		s.fail(w, r, err)
		return
	}
	select {
	case s.batches <- struct{}{}:
		defer func() { <-s.batches }()
	default:
		s.fail(w, r, newProblem("busy", "too many batches are running; try again later"))
		return
	}
	control := http.NewResponseController(w)
	_ = control.EnableFullDuplex() // HTTP/2 always is
	if strings.EqualFold(r.Header.Get("Expect"), "100-continue") {
		w.WriteHeader(http.StatusContinue) // the server does it only before any other header
	}
	w.Header().Set("Content-Type", ndjson)
	w.WriteHeader(http.StatusOK)
	_ = control.Flush() // the client may wait for the header before it sends a line
	// The server cancels the context of a request whenever its body cannot be read, also if
	// that is because of a deadline, so that it does not tell whether the client is gone.
	ctx, cancel := context.WithCancelCause(context.WithoutCancel(r.Context()))
	defer cancel(nil)
	b := &batchRun{
		server: s, options: q, in: in, w: w, control: control, ctx: ctx, cancel: cancel,
		slots: make(chan struct{}, 2*s.opts.Workers+2), freed: make(chan struct{}, 1),
	}
	stop := context.AfterFunc(r.Context(), func() {
		if b.in.isRead() {
			cancel(context.Cause(r.Context()))
		}
	})
	defer stop()
	b.run()
}

// readBatch reads the options of a batch, and returns the reader of its lines.
func (s *server) readBatch(w http.ResponseWriter, r *http.Request) (*pageRequest, *lineReader, error) {
	values, err := url.ParseQuery(r.URL.RawQuery)
	if err != nil {
		return nil, nil, errQuery(err)
	}
	q, err := newRequest(values, batchOptions)
	if err == nil {
		err = s.check(q)
	}
	if err != nil {
		return nil, nil, err
	}
	if media, _ := coding.ContentType(r.Header.Get("Content-Type")); media == "multipart/form-data" {
		return nil, nil, newProblem("media-type", "the body is a form; send the lines themselves (curl --data-binary @pages.jsonl)")
	}
	if chooseType(r.Header.Values("Accept"), []string{ndjson}) < 0 {
		return nil, nil, newProblem("not-acceptable", "a batch is answered with JSON lines; accept %s", ndjson)
	}
	in := &lineReader{paced: s.paced(w, r), time: idleTimes * s.opts.ReadTime}
	in.start()
	plain, err := coding.Decode(in, r.Header, coding.NewLimit(math.MaxInt64-1)) // lines have limits
	if err != nil {
		return nil, nil, bodyError(err, 0)
	}
	in.lines = bufio.NewReaderSize(plain, 64<<10)
	return q, in, nil
}

// lineReader reads lines, each within a limit of time.
type lineReader struct {
	lines *bufio.Reader // of what Read reads, decoded
	paced *pacedReader
	time  time.Duration

	failed bool // the client is gone

	lock    sync.Mutex
	stopped bool
	over    bool // all lines are read
}

// start begins the time of a line.
func (l *lineReader) start() { l.paced.end, l.paced.begun = time.Now().Add(l.time), false }

// next returns the next line.
func (l *lineReader) next(limit int64) (line []byte, err error) {
	l.start()
	line, _, err = lines.Read(l.lines, limit)
	return line, err
}

// Read implements io.Reader.
func (l *lineReader) Read(b []byte) (int, error) {
	l.lock.Lock()
	if l.stopped {
		l.lock.Unlock()
		return 0, errStopping
	}
	l.paced.extend()
	l.lock.Unlock()
	n, err := l.paced.in.Read(b)
	l.paced.unset += n
	l.failed = err != nil && err != io.EOF
	if err == io.EOF {
		l.lock.Lock()
		l.over = true
		l.lock.Unlock()
	}
	return n, err
}

// stop makes Read fail, also if it waits for the client.
func (l *lineReader) stop() {
	l.lock.Lock()
	defer l.lock.Unlock()
	if l.stopped = true; !l.over {
		_ = l.paced.control.SetReadDeadline(time.Unix(1, 0))
	}
}

// isRead reports whether all lines were read. The server then waits for the client to
// go away.
func (l *lineReader) isRead() bool {
	l.lock.Lock()
	defer l.lock.Unlock()
	return l.over && !l.stopped
}

// batchRun is a batch that is running. One goroutine reads lines, one for each page
// extracts it, and that of the request writes the answers.
type batchRun struct {
	server  *server
	options *pageRequest
	in      *lineReader
	w       http.ResponseWriter
	control *http.ResponseController
	ctx     context.Context // done when the client is gone
	cancel  context.CancelCauseFunc

	slots chan struct{} // has an element for each page that is not answered yet
	bytes atomic.Int64  // of these pages
	freed chan struct{} // has an element after a page was answered
	pages sync.WaitGroup
}

// batchPage is a page of a batch.
type batchPage struct {
	size   int64
	answer []byte
	done   chan struct{} // closed when there is an answer
}

func (b *batchRun) run() {
	pages := make(chan *batchPage, cap(b.slots))
	b.pages.Go(func() {
		defer close(pages)
		b.readLines(pages)
	})
	written := make(chan struct{})
	b.pages.Go(func() {
		// The reader may wait for the client, which nothing else ends.
		select {
		case <-b.server.opts.Stopping:
		case <-b.ctx.Done():
		case <-written:
			return
		}
		b.in.stop()
	})
	b.writeAnswers(pages)
	close(written)
	b.pages.Wait()
	b.in.paced.done()
}

// readLines reads lines and starts the work on them. It reads no further than there is
// room.
func (b *batchRun) readLines(pages chan<- *batchPage) {
	s := b.server
	limit := 2*int64(s.opts.MaxBytes) + 1<<16 // a page grows when it is escaped
	for number := 1; b.reserve(); number++ {
		line, err := b.in.next(limit)
		switch {
		case err == io.EOF:
			b.in.paced.done() // the server waits for the client to leave
			return
		case err == nil && len(bytes.TrimSpace(line)) == 0:
			<-b.slots
			continue
		case err == lines.ErrTooLong:
			err = newProblem("too-large", "line %d has more than %d bytes; send less, or start the service with a higher limit (lede serve --max-bytes)", number, limit)
		case err != nil && s.isStopping():
			err = errStopping
		case errors.Is(err, os.ErrDeadlineExceeded):
			err = newProblem("slow", "line %d did not arrive in time; send it at once, and the lines after it", number)
		case err != nil && b.in.failed:
			b.cancel(err)
			return
		case err != nil:
			err = newProblem("body", "line %d cannot be read: %v; check Content-Encoding", number, err)
		}
		if err == nil && number > 1 {
			err = s.pace(b.ctx)
		}
		p := &batchPage{size: int64(len(line)), done: make(chan struct{})}
		b.bytes.Add(p.size)
		pages <- p // there is room
		b.pages.Go(func() {
			defer close(p.done)
			p.answer = b.answer(number, line, err)
		})
		if kind := lineKind(err); kind == "slow" || kind == "stopping" || kind == "body" {
			return
		}
	}
}

// reserve waits until there is room for another page. It returns false if the client is
// gone.
func (b *batchRun) reserve() bool {
	select {
	case b.slots <- struct{}{}:
	case <-b.ctx.Done():
		return false
	}
	for b.bytes.Load() > int64(b.server.opts.MaxBytes) {
		select {
		case <-b.freed:
		case <-b.ctx.Done():
			return false
		}
	}
	return true
}

// writeAnswers writes the answers in the order of the lines. What is written is sent
// when there is no further answer yet.
func (b *batchRun) writeAnswers(pages <-chan *batchPage) {
	sent := true
	flush := func() {
		if !sent {
			_ = b.control.Flush() // the next write fails, too
			sent = true
		}
	}
	for {
		var p *batchPage
		select {
		case p = <-pages:
		default:
			flush()
			p = <-pages
		}
		if p == nil {
			return
		}
		select {
		case <-p.done:
		default:
			flush()
			<-p.done
		}
		if b.ctx.Err() == nil {
			if _, err := b.w.Write(p.answer); err != nil {
				b.cancel(err) // the client is gone
			}
			sent = false
		}
		b.bytes.Add(-p.size)
		<-b.slots
		select {
		case b.freed <- struct{}{}:
		default:
		}
	}
}

// answer returns the answer to a line. err is what is wrong with it, if anything is.
func (b *batchRun) answer(number int, line []byte, err error) []byte {
	s := b.server
	id := strconv.Itoa(number)
	var page lines.Page
	if err == nil {
		if page, err = lines.ParsePage(line); err != nil {
			err = newProblem("json", "line %d is invalid JSON: %v", number, err)
		}
	}
	q := *b.options
	q.URL, q.LinkText = page.URL, page.LinkText
	var result *batch.Result
	switch {
	case err != nil:
	case page.HTML != nil:
		q.Content, q.HeaderCharset = []byte(*page.HTML), "utf-8"
	case page.URL == "":
		err = newProblem("json", "line %d has neither html nor url", number)
	default:
		id = page.URL
		err = b.fetch(&q)
	}
	if page.ID != "" {
		id = page.ID
	}
	if q.URL == "" && q.Site == "" {
		q.Site = page.Site
	}
	if err == nil {
		err = s.check(&q)
	}
	if err == nil {
		result, err = b.extract(&q, id)
	}
	if b.ctx.Err() != nil {
		return nil // it would not be read
	}
	s.metrics.countPage(err)
	if err != nil {
		result, _ = batch.NewResult(batch.Line{ID: id, URL: q.URL, Error: err.Error(), Kind: lineKind(err)}, nil, "")
	}
	return result.JSON
}

// fetch fetches a page as its site allows.
func (b *batchRun) fetch(q *pageRequest) error {
	s := b.server
	if s.opts.Fetch == nil {
		return errNoFetch
	}
	resp, err := s.polite.Get(b.ctx, q.URL)
	s.metrics.countFetch(err)
	if err != nil {
		return err
	}
	q.SetFetched(resp)
	return nil
}

// extract extracts a page when there is a worker for it.
func (b *batchRun) extract(q *pageRequest, id string) (result *batch.Result, err error) {
	s := b.server
	leave, err := s.gate.enterBatched(b.ctx)
	if err != nil {
		return nil, err
	}
	defer leave()
	defer func() {
		if p := recover(); p != nil {
			s.opts.Log.LogAttrs(b.ctx, slog.LevelError, "panic", slog.String("panic", fmt.Sprint(p)), slog.String("stack", string(debug.Stack())))
			err = lede.ErrInternal
		}
	}()
	x, err := s.pages.Explain(b.ctx, &q.Page)
	if err != nil {
		return nil, err
	}
	return batch.NewResult(batch.NewLine(id, q.URL, x.Article), x.Article, q.Body)
}

// isStopping reports whether the service is stopping.
func (s *server) isStopping() bool {
	select {
	case <-s.opts.Stopping:
		return true
	default:
		return false
	}
}

// lineKind returns the kind of the error of a page in a batch, or "" for none.
func lineKind(err error) string {
	if err == nil {
		return ""
	}
	if p := (*problem)(nil); errors.As(err, &p) {
		return p.kind
	}
	if e := (*request.Error)(nil); errors.As(err, &e) {
		return e.Kind
	}
	if kind := render.Kind(err); kind != "" {
		return kind
	}
	return "other"
}
