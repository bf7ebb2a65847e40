package pipe

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/lede-news/lede"
	"github.com/lede-news/lede/article"
	"github.com/lede-news/lede/fetch"
	"github.com/lede-news/lede/format"
	"github.com/lede-news/lede/internal/api/render"
	"github.com/lede-news/lede/internal/api/request"
)

// Kinds returns all kinds of errors of the protocol.
func Kinds() []string {
	return append(render.Kinds(), "scripts", "option", "method", "json", "file", "source", "other")
}

// answer is an answer to a request.
type answer struct {
	ID     int64  `json:"id"`
	Error  string `json:"error,omitempty"`
	Kind   string `json:"kind,omitempty"`
	Status int    `json:"site_status,omitempty"` // with which the site of a page answered

	body *bytes.Buffer
}

// answer returns the answer to a request, whatever happens.
func (s *server) answer(ctx context.Context, j *job) *answer {
	a := &answer{ID: j.id, body: s.results.get()}
	err := j.err
	if err == nil {
		err = s.try(ctx, j, a.body)
	}
	if err != nil {
		a.body.Reset()
		a.Error, a.Kind = describe(err)
		if site := (*fetch.StatusError)(nil); errors.As(err, &site) {
			a.Status = site.Code
		}
	}
	return a
}

// try writes what a request asks for, and recovers from a panic.
func (s *server) try(ctx context.Context, j *job, out io.Writer) (err error) {
	defer func() {
		if p := recover(); p != nil {
			s.opts.Log.LogAttrs(ctx, slog.LevelError, "panic", slog.String("panic", fmt.Sprint(p)), slog.String("stack", string(debug.Stack())))
			err = fmt.Errorf("%w: %.200q", lede.ErrInternal, fmt.Sprint(p))
		}
	}()
	q := j.page
	switch j.do {
	case doLinks:
		all, err := s.pages.Links(ctx, q)
		if err != nil {
			return err
		}
		return render.Lines(out, all...)
	case doFormat:
		return s.format(ctx, j, out)
	}
	indent := q.Format != ""
	q.Format = cmp.Or(q.Format, "json")
	return s.pages.Write(ctx, out, q, indent)
}

// format writes an article that the client has.
func (s *server) format(ctx context.Context, j *job, out io.Writer) error {
	var a *article.Article
	if err := json.Unmarshal(j.page.Content, &a); err != nil || a == nil {
		return request.Errorf("json", "the body is not the JSON of an article: %s; send what do=extract has answered", cmp.Or(jsonError(err), "it is null"))
	}
	ctx, cancel := s.pages.WithPageTime(ctx)
	defer cancel()
	q := j.page
	return render.Article(ctx, out, a, cmp.Or(q.Format, "json"), format.Options{
		BodyOnly: q.BodyOnly, Links: slices.Contains(q.With, "links"), Fragment: j.fragment, Indent: q.Format != "",
	})
}

// jsonError describes an error of encoding/json without the names of Go types.
func jsonError(err error) string {
	if e := (*json.UnmarshalTypeError)(nil); errors.As(err, &e) {
		return cmp.Or(e.Field, "it") + " has the wrong type, " + e.Value
	}
	if err == nil {
		return ""
	}
	return err.Error()
}

// describe returns the message and the kind of an error.
func describe(err error) (text, kind string) {
	text = strings.Join(strings.Fields(err.Error()), " ")
	if e := (*request.Error)(nil); errors.As(err, &e) {
		return text, e.Kind
	}
	switch {
	case errors.Is(err, lede.ErrUnknownMethod):
		return text, "method"
	case errors.Is(err, lede.ErrOption):
		return text, "option"
	case errors.Is(err, lede.ErrScripts):
		return text + "; send the page as a browser has it after its scripts have run", "scripts"
	case errors.Is(err, lede.ErrNotArticle):
		text, _, _ = strings.Cut(text, ";") // what follows names an option of Go
		return text + "; leave only_articles out to get its text", "not-article"
	}
	kind = cmp.Or(render.Kind(err), "other")
	if hint := hintFor(err, kind); hint != "" {
		text += "; " + hint
	}
	return text, kind
}

// hintFor returns what to do about an error of a page.
func hintFor(err error, kind string) string {
	switch {
	case errors.Is(err, fetch.ErrPrivateAddress):
		return "allow it with --allow-private"
	case kind == "no-content":
		return "try favor=recall, or another method"
	case kind == "timeout":
		return "raise the time for a page (--page-time), or try another method"
	case kind == "charset":
		return "leave charset out, or use a name such as windows-1252"
	case kind == "crash":
		return "please report it with the page"
	}
	return ""
}
