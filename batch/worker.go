package batch

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/lede-news/lede/internal/page/limits"
	"github.com/lede-news/lede/internal/page/owned"
)

// worker extracts one page after the other. With Options.HangTimeout it does so in
// another goroutine, its runner, which it can abandon.
type worker struct{ runner *runner }

type runner struct {
	in  chan Input
	out chan *Result
}

func (p *pipeline) newRunner(ctx context.Context) *runner {
	r := &runner{make(chan Input), make(chan *Result, 1)}
	go func() {
		for page := range r.in {
			result := p.try(ctx, &page)
			result.Input = page
			r.out <- result
		}
	}()
	return r
}

func (w *worker) close() {
	if w.runner != nil {
		close(w.runner.in)
	}
}

// work returns the result of a page, whatever happens.
func (p *pipeline) work(ctx context.Context, w *worker, t task) *Result {
	page := t.page
	if p.probe != nil {
		if err := p.probe(ctx, t.number, &page); errors.Is(err, ErrCrash) {
			return p.finish(t.number, page, &Result{Err: err})
		}
	}
	release, err := p.admit(&page)
	if err != nil {
		return p.finish(t.number, page, &Result{Err: err})
	}
	defer release()
	if p.opts.HangTimeout <= 0 {
		r := p.try(ctx, &page)
		return p.finish(t.number, page, r)
	}
	if w.runner == nil {
		w.runner = p.newRunner(ctx)
	}
	w.runner.in <- page
	timer := time.NewTimer(p.opts.HangTimeout)
	defer timer.Stop()
	select {
	case r := <-w.runner.out:
		return p.finish(t.number, r.Input, r)
	case <-timer.C:
		close(w.runner.in) // it ends if the page ever does
		w.runner = nil
		err := fmt.Errorf("%w: abandoned after %v", ErrHang, p.opts.HangTimeout)
		return p.finish(t.number, page, &Result{Err: err, hung: true})
	}
}

// try extracts a page and recovers from a panic.
func (p *pipeline) try(ctx context.Context, page *Input) (r *Result) {
	r = &Result{}
	defer func() {
		if x := recover(); x != nil {
			r = &Result{Err: fmt.Errorf("%w: %v", ErrCrash, x)}
		}
	}()
	if r.Err = page.Err; r.Err != nil {
		return r
	}
	if r.Err = p.opts.load(page); r.Err != nil {
		return r
	}
	body, err := page.Open()
	if err != nil {
		r.Err = err
		return r
	}
	defer body.Close()
	counter := &byteCounter{r: body}
	var in io.Reader = counter
	if page, ok := body.(*owned.Reader); ok { // which has no need of a copy
		in, counter.n = page, int64(page.Len())
	}
	ctx, done := p.memory.enter(ctx)
	defer done()
	a, err := p.extract(ctx, *page, in)
	switch cause := context.Cause(ctx); {
	case err != nil && errors.Is(cause, ErrMemory):
		r.Err = cause
	case err != nil:
		r.Err = err
	case a == nil:
		r.Err = errors.New("the extractor returned no article")
	default:
		r.Line, r.Err = p.opts.newLine(page, a)
		if page.Partial != "" {
			r.Line.Partial, r.Line.PartialReason = true, page.Partial
		}
		if r.Err == nil && p.opts.Prepare != nil {
			r.Note = p.opts.Prepare(r)
		}
	}
	r.Bytes = counter.n
	return r
}

// load loads a page and looks up the text of the link to it.
func (o *Options) load(page *Input) error {
	if err := page.finish(); err != nil {
		return err
	}
	if page.LinkText == "" && page.URL != "" && o.LinkText != nil {
		page.LinkText = o.LinkText(page.URL)
	}
	return nil
}

// finish completes a result, and copies the page to the quarantine if needed.
func (p *pipeline) finish(number int64, page Input, r *Result) *Result {
	if r.Err == nil {
		r.JSON, r.Err = r.Line.encode() // fails for a confidence of NaN
	}
	if r.Err != nil {
		if page.Partial != "" && page.Err == nil {
			r.Err = fmt.Errorf("%w; %s", r.Err, page.Partial.Describe()) // which may be the cause
		}
		l := Line{ID: page.ID, URL: page.URL, Error: oneLine(r.Err.Error()), Kind: p.opts.errorKind(r.Err)}
		l.setFound(page.found)
		if p.opts.Quarantine != "" && (l.Kind == "crash" || l.Kind == "hang") {
			if err := quarantine(p.opts.Quarantine, number, page, l); err != nil {
				l.Error += oneLine("; it could not be copied to the quarantine: " + err.Error())
			} else {
				r.quarantined = true
			}
		}
		r.Line = l
		r.JSON, _ = l.encode() // strings can always be encoded
	}
	page.Body, page.load = nil, nil
	r.Input = page
	return r
}

// quarantine writes a page and the reason to a folder. The names of the files begin
// with the number of the page, so that it is written once, however often it fails.
func quarantine(folder string, number int64, p Input, l Line) error {
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
	r, err := p.Open()
	if err != nil {
		return err
	}
	defer r.Close()
	f, err := os.Create(name + ".html")
	if err != nil {
		return err
	}
	_, err = io.Copy(f, io.LimitReader(r, 2*limits.PageBytes))
	return errors.Join(err, f.Close())
}

// fileName returns a file name that is valid on every file system.
func fileName(id string) string {
	const maxLen = 80
	name := strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r >= '0' && r <= '9', r == '.', r == '-', r == '_':
			return r
		}
		return '_'
	}, id)
	return strings.TrimLeft(name[:min(len(name), maxLen)], ".")
}
