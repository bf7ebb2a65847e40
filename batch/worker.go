package batch

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"time"

	"github.com/lede-news/lede/article"
	"github.com/lede-news/lede/internal/page/limits"
)

// work returns the result of a page, whatever happens, or nil if ctx was cancelled
// before the extraction began.
func (p *pipeline) work(ctx context.Context, t task) *Result {
	page := t.page
	if err := readPage(&page); err != nil {
		return p.finish(t.number, page, &Result{Err: err})
	}
	if p.probe != nil {
		if err := p.probe(ctx, t.number, page); errors.Is(err, ErrCrash) {
			return p.finish(t.number, page, &Result{Err: err})
		}
	}
	cost, err := p.memory.admit(ctx, &page)
	switch {
	case errors.Is(err, ErrMemory):
		return p.finish(t.number, page, &Result{Err: err})
	case err != nil:
		return nil
	}
	done := make(chan *Result, 1)
	go func() {
		// A page that hangs has its memory until it ends, if it ever does.
		defer p.memory.Release(cost)
		// A page in progress is finished even if the run is cancelled. Its own time
		// limit bounds the wait.
		done <- p.try(context.WithoutCancel(ctx), page)
	}()
	var hangs <-chan time.Time
	if p.opts.HangTimeout > 0 {
		timer := time.NewTimer(p.opts.HangTimeout)
		defer timer.Stop()
		hangs = timer.C
	}
	select {
	case r := <-done:
		return p.finish(t.number, page, r)
	case <-hangs:
		p.hangs(cost)
		return p.finish(t.number, page, &Result{Err: fmt.Errorf("%w: abandoned after %v", ErrHang, p.opts.HangTimeout)})
	}
}

// try extracts a page and recovers from a panic.
func (p *pipeline) try(ctx context.Context, page Input) (r *Result) {
	r = &Result{}
	defer func() {
		if x := recover(); x != nil {
			r = &Result{Err: fmt.Errorf("%w: %v", ErrCrash, x)}
		}
	}()
	body, err := page.Open()
	if err != nil {
		r.Err = err
		return r
	}
	defer body.Close()
	a, err := p.extract(ctx, page, body)
	var known interface{ Facts() *article.Article } // a lede.FactsError
	switch {
	case errors.As(err, &known):
		r.Line, _ = p.opts.newLine(&page, known.Facts())
		r.Err = err
	case err != nil:
		r.Err = err
	case a == nil:
		r.Err = errors.New("the extractor returned no article")
	default:
		if r.Line, r.Err = p.opts.newLine(&page, a); r.Err != nil {
			r.Line = Line{}
		}
		if page.Partial != "" {
			r.Line.Partial, r.Line.PartialReason = true, page.Partial
		}
		if r.Err == nil && p.opts.Prepare != nil {
			r.Note = p.opts.Prepare(r)
		}
	}
	r.Bytes = int64(len(page.Body))
	return r
}

// finish completes a result, and copies the page to the quarantine if needed.
func (p *pipeline) finish(number int64, page Input, r *Result) *Result {
	if r.Err == nil {
		if r.JSON, r.Err = r.Line.encode(); r.Err != nil { // a confidence of NaN
			r.Line = Line{}
		}
	}
	if r.Err != nil {
		if page.Partial != "" && page.Err == nil {
			r.Err = fmt.Errorf("%w; %s", r.Err, page.Partial.Describe()) // which may be the cause
		}
		l := r.Line
		if l.Title == "" { // nothing is known
			l = Line{ID: page.ID, URL: page.URL}
			l.setFound(page.found)
		}
		l.Error, l.Kind = oneLine(r.Err.Error()), p.opts.kind(r.Err)
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
	page.Body, page.isLine = nil, false
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

var unsafe = regexp.MustCompile(`[^a-zA-Z0-9._-]|^\.`)

// fileName returns a file name that is valid on every file system.
func fileName(id string) string {
	return unsafe.ReplaceAllString(id[:min(len(id), 80)], "_")
}
