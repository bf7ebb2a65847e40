package batch

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"runtime/metrics"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/lede-news/lede/internal/limits"
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

// quarantine keeps a page that did harm, with the reason beside it. The names
// are made of the page's number, so that the same page is kept once.
func quarantine(folder string, number int64, p Page, l Line) error {
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	name := filepath.Join(folder, fmt.Sprintf("%09d-%s", number, fileName(p.ID)))
	reason, err := json.MarshalIndent(map[string]any{
		"id": p.ID, "url": p.URL, "input": p.Path, "kind": l.Kind, "error": l.Error,
	}, "", "  ")
	if err != nil {
		return err
	}
	if err := os.WriteFile(name+".json", append(reason, '\n'), 0o644); err != nil {
		return err
	}
	return keepBody(name+".html", p)
}

func keepBody(name string, p Page) error {
	r, err := p.Open()
	if err != nil {
		return err
	}
	defer r.Close()
	f, err := os.Create(name)
	if err != nil {
		return err
	}
	_, err = io.Copy(f, io.LimitReader(r, 2*limits.PageBytes))
	return errors.Join(err, f.Close())
}

// fileName makes a name that every file system takes.
func fileName(id string) string {
	const room = 80
	name := strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r >= '0' && r <= '9', r == '.', r == '-', r == '_':
			return r
		}
		return '_'
	}, id)
	return strings.TrimLeft(name[:min(len(name), room)], ".")
}

// ErrMemory is said of a page that took more memory than there is for it.
var ErrMemory = errors.New("the page takes too much memory")

// guard gives up a page when the process has more in use than it may. That page
// is the one that is longest in work: pages take milliseconds, and what fills the
// memory takes long.
type guard struct {
	limit int64

	mu    sync.Mutex
	pages []*inWork // the oldest first
}

type inWork struct {
	giveUp context.CancelCauseFunc
	given  time.Time // when it was given up; zero while it is not
}

// guardTime is how often the guard looks. A page can hardly ask for more than
// some 100 MB in that time.
const guardTime = 50 * time.Millisecond

// guardPatience is how long the guard waits for a page that it has given up. A
// page that hangs never goes.
const guardPatience = 5 * time.Second

// watch looks at the memory until ctx ends. Without a limit it does nothing.
func (g *guard) watch(ctx context.Context) {
	if g.limit <= 0 {
		return
	}
	live := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	for tick := time.NewTicker(guardTime); ; {
		select {
		case <-ctx.Done():
			tick.Stop()
			return
		case <-tick.C:
		}
		if metrics.Read(live); int64(live[0].Value.Uint64()) > g.limit {
			g.relieve(live[0].Value.Uint64())
		}
	}
}

// relieve gives up the oldest page, unless one that was given up may yet go.
func (g *guard) relieve(live uint64) {
	g.mu.Lock()
	defer g.mu.Unlock()
	for _, p := range g.pages {
		if p.given.IsZero() {
			p.given = time.Now()
			p.giveUp(fmt.Errorf("%w: %d MB were in use, and %d are allowed; allow more, or fewer bytes a page", ErrMemory, live>>20, g.limit>>20))
			return
		}
		if time.Since(p.given) < guardPatience {
			return
		}
	}
}

// enter puts a page under guard. The func is to be called when it is done.
func (g *guard) enter(ctx context.Context) (context.Context, func()) {
	if g.limit <= 0 {
		return ctx, func() {}
	}
	ctx, giveUp := context.WithCancelCause(ctx)
	page := &inWork{giveUp: giveUp}
	g.mu.Lock()
	g.pages = append(g.pages, page)
	g.mu.Unlock()
	return ctx, func() {
		if context.Cause(ctx) != nil {
			runtime.GC() // or the next page would pay for what is no longer in use
		}
		giveUp(nil)
		g.mu.Lock()
		g.pages = slices.DeleteFunc(g.pages, func(p *inWork) bool { return p == page })
		g.mu.Unlock()
	}
}
