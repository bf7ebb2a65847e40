package batch

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"time"
)

// Result is the outcome of one page.
type Result struct {
	Page Page // without its body
	Line Line
	JSON []byte // the line as it is written, with its newline
	// Number is the place of the line in the output, from 0 on.
	Number int64
	Bytes  int64 // of the page, unpacked

	hung        bool
	quarantined bool
}

// ErrCrash is said of a page that crashes the extractor.
var ErrCrash = errors.New("the extractor crashed on this page")

// ErrHang is said of a page that the extractor does not come back from.
var ErrHang = errors.New("the extractor hangs on this page")

// work does one page, whatever happens in it.
func (p *pipeline) work(ctx context.Context, w *worker, t task) *Result {
	page := t.page
	if max(int64(len(page.Body)), page.Size) > heavyBytes {
		p.heavy.Lock()
		defer p.heavy.Unlock()
	}
	if p.probe != nil {
		if err := p.probe(ctx, t.number, &page); errors.Is(err, ErrCrash) {
			return p.end(t.number, page, failed(err))
		}
	}
	if p.opts.Patience <= 0 {
		return p.end(t.number, page, p.try(ctx, &page))
	}
	h := w.hand
	if h == nil {
		h = p.newHand(ctx)
		w.hand = h
	}
	h.in <- page
	timer := time.NewTimer(p.opts.Patience)
	defer timer.Stop()
	select {
	case r := <-h.out:
		return p.end(t.number, r.Page, r)
	case <-timer.C:
		close(h.in) // it ends if ever it comes back
		w.hand = nil
		r := failed(fmt.Errorf("%w: given up after %v", ErrHang, p.opts.Patience))
		r.hung = true
		return p.end(t.number, page, r)
	}
}

// worker does page after page. With a limit of patience it has a hand that does
// them for it, which it can let go of.
type worker struct{ hand *hand }

type hand struct {
	in  chan Page
	out chan *Result
}

func (p *pipeline) newHand(ctx context.Context) *hand {
	h := &hand{make(chan Page), make(chan *Result, 1)}
	go func() {
		for page := range h.in {
			r := p.try(ctx, &page)
			r.Page = page
			h.out <- r
		}
	}()
	return h
}

func (w *worker) end() {
	if w.hand != nil {
		close(w.hand.in)
	}
}

// try extracts one page. It comes back also from a panic.
func (p *pipeline) try(ctx context.Context, page *Page) (r *Result) {
	defer func() {
		if x := recover(); x != nil {
			r = failed(fmt.Errorf("%w: %v", ErrCrash, x))
		}
	}()
	if page.Err != nil {
		return failed(page.Err)
	}
	if err := page.finish(); err != nil {
		return failed(err)
	}
	body, err := page.Open()
	if err != nil {
		return failed(err)
	}
	defer body.Close()
	counted := &tally{r: body}
	ctx, done := p.memory.enter(ctx)
	defer done()
	a, err := p.extract(ctx, *page, counted)
	switch cause := context.Cause(ctx); {
	case err != nil && errors.Is(cause, ErrMemory):
		r = failed(cause)
	case err != nil:
		r = failed(err)
	case a == nil:
		r = failed(errors.New("the extractor gave nothing"))
	default:
		r = &Result{Line: NewLine(*page, a)}
	}
	r.Bytes = counted.n
	return r
}

func failed(err error) *Result { return &Result{Line: Line{Error: oneLine(err.Error()), err: err}} }

// end writes the line, and puts a page aside that did harm.
func (p *pipeline) end(number int64, page Page, r *Result) *Result {
	l := &r.Line
	if l.err != nil {
		l.Kind = kindOfError(l.err, p.opts.Kind)
		if p.opts.Quarantine != "" && (l.Kind == KindCrash || l.Kind == KindHang) {
			if err := quarantine(p.opts.Quarantine, number, page, *l); err != nil {
				l.Error += oneLine("; it could not be put aside: " + err.Error())
			} else {
				r.quarantined = true
			}
		}
		l.err = nil
	}
	if l.Error != "" {
		l.ID, l.URL = page.ID, page.URL
	}
	r.JSON = l.encode()
	page.Body, page.load = nil, nil
	r.Page = page
	return r
}

// Kinds of errors.
const (
	KindCrash    = "crash"
	KindHang     = "hang"
	KindTooLarge = "too-large"
	KindMemory   = "memory"
	KindSource   = "source"
	KindStatus   = "status"
	KindFile     = "file"
	KindOther    = "other"
)

// kindOfError gives an error its short name.
func kindOfError(err error, more func(error) string) string {
	if more != nil {
		if kind := more(err); kind != "" {
			return kind
		}
	}
	var pe *fs.PathError
	switch {
	case errors.Is(err, ErrCrash):
		return KindCrash
	case errors.Is(err, ErrHang):
		return KindHang
	case errors.Is(err, ErrTooLarge):
		return KindTooLarge
	case errors.Is(err, ErrMemory):
		return KindMemory
	case errors.Is(err, ErrSource):
		return KindSource
	case errors.Is(err, ErrStatus):
		return KindStatus
	case errors.As(err, &pe):
		return KindFile
	}
	return KindOther
}

// encode is the line as it is written. A failed page has nothing of an article.
func (l *Line) encode() []byte {
	var b []byte
	var err error
	if l.Error == "" {
		b, err = json.Marshal(l)
	}
	if l.Error != "" || err != nil {
		if err != nil { // a number that JSON does not know
			*l = Line{ID: l.ID, URL: l.URL, Error: oneLine(err.Error()), Kind: KindOther}
		}
		b, _ = json.Marshal(failure{ID: l.ID, URL: l.URL, Error: l.Error, Kind: l.Kind}) // strings always marshal
	}
	return append(b, '\n')
}
