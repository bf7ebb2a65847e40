package rivals

import (
	"bytes"
	"context"
	"fmt"
	"net/url"
	"runtime/debug"
	"strings"
	"time"

	"codeberg.org/readeck/go-readability/v2"
	distiller "github.com/markusmobius/go-domdistiller"
	"github.com/markusmobius/go-trafilatura"
	"golang.org/x/net/html"

	"github.com/lede-news/lede/internal/lab/eval"
	"github.com/lede-news/lede/internal/lab/eval/measure"
)

func compiled() []Rival {
	var list []Rival
	for _, l := range []library{
		{"go-trafilatura", "github.com/markusmobius/go-trafilatura", goTrafilatura(false)},
		{"go-trafilatura+fallback", "github.com/markusmobius/go-trafilatura", goTrafilatura(true)},
		{"go-readability", "codeberg.org/readeck/go-readability/v2", goReadability},
		{"go-domdistiller", "github.com/markusmobius/go-domdistiller", goDomDistiller},
	} {
		list = append(list, Rival{Name: l.name, Language: "Go", Open: func(string) (eval.System, error) { return l, nil }})
	}
	return list
}

// library is a Go library. All of them use the parser of x/net, which can therefore
// be timed separately.
type library struct {
	name, module string
	extract      extractFunc
}

// extractFunc extracts the article of a page, which it may change. The function
// write converts the result into an output and is not timed.
type extractFunc func(page *html.Node, base *url.URL) (write func(*measure.Output) error, err error)

func (l library) Name() string { return l.name }

// Info returns the version of the library.
func (l library) Info() eval.PipeInfo {
	info := eval.PipeInfo{Name: l.name, Language: "Go"}
	if build, ok := debug.ReadBuildInfo(); ok {
		for _, m := range build.Deps {
			if m.Path == l.module {
				info.Version = m.Version
			}
		}
	}
	return info
}

func (l library) Extract(_ context.Context, in *eval.Input) (out *measure.Output) {
	out = &measure.Output{}
	start := time.Now()
	defer func() {
		if p := recover(); p != nil {
			out = &measure.Output{Error: fmt.Sprintf("panic: %.200v", p), Parse: out.Parse, Time: time.Since(start)}
		}
	}()
	page, err := html.Parse(bytes.NewReader(in.HTML))
	out.Parse = time.Since(start)
	if err == nil {
		base, e := url.Parse(in.URL)
		if e != nil || !base.IsAbs() {
			base = nil // some libraries panic on a relative URL
		}
		var write func(*measure.Output) error
		write, err = l.extract(page, base)
		out.Time = time.Since(start)
		if err == nil {
			err = write(out)
		}
	}
	if err != nil {
		out.Error = err.Error()
	} else if strings.TrimSpace(out.Text) == "" {
		out.Error = "no text found"
	}
	return out
}

// formatDate formats a date for an output.
func formatDate(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.Format(time.RFC3339)
}

// splitNames splits a byline into names.
func splitNames(byline, separator string) []string {
	var names []string
	for name := range strings.SplitSeq(byline, separator) {
		if name = strings.TrimSpace(name); name != "" {
			names = append(names, name)
		}
	}
	return names
}

// goTrafilatura is github.com/markusmobius/go-trafilatura. The fallback, which also
// uses go-readability and go-domdistiller, is off by default in the library and on
// in its command.
func goTrafilatura(fallback bool) extractFunc {
	return func(page *html.Node, base *url.URL) (func(*measure.Output) error, error) {
		r, err := trafilatura.ExtractDocument(page, trafilatura.Options{OriginalURL: base, EnableFallback: fallback})
		if err != nil {
			return nil, err
		}
		return func(out *measure.Output) error {
			out.Title, out.Text = r.Metadata.Title, r.ContentText
			out.Authors = splitNames(r.Metadata.Author, ";")
			out.Date = formatDate(r.Metadata.Date)
			return nil
		}, nil
	}
}

// goReadability is codeberg.org/readeck/go-readability. It may change the page, as
// in its own FromReader, so that it need not copy it.
func goReadability(page *html.Node, base *url.URL) (func(*measure.Output) error, error) {
	parser := readability.NewParser()
	a, err := parser.ParseAndMutate(page, base)
	if err != nil {
		return nil, err
	}
	return func(out *measure.Output) error {
		out.Title, out.Authors = a.Title(), splitNames(a.Byline(), "\n")
		if t, err := a.PublishedTime(); err == nil {
			out.Date = formatDate(t)
		}
		if a.Node == nil {
			return nil
		}
		var text strings.Builder
		err := a.RenderText(&text)
		out.Text = text.String()
		return err
	}, nil
}

// goDomDistiller is github.com/markusmobius/go-domdistiller. By default, it also
// searches for the next page of an article, which takes time but adds no text.
func goDomDistiller(page *html.Node, base *url.URL) (func(*measure.Output) error, error) {
	r, err := distiller.Apply(page, &distiller.Options{OriginalURL: base})
	if err != nil {
		return nil, err
	}
	return func(out *measure.Output) error {
		out.Title, out.Text = r.Title, r.Text
		if out.Authors = r.MarkupInfo.Article.Authors; len(out.Authors) == 0 {
			out.Authors = splitNames(r.MarkupInfo.Author, "\n")
		}
		out.Date = r.MarkupInfo.Article.PublishedTime
		return nil
	}, nil
}
