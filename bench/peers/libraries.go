package main

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"runtime/debug"
	"strings"
	"time"

	"codeberg.org/readeck/go-readability/v2"
	distiller "github.com/markusmobius/go-domdistiller"
	"github.com/markusmobius/go-trafilatura"
	"golang.org/x/net/html"

	"github.com/lede-news/lede"
	"github.com/lede-news/lede/dom"
)

// page is a page to extract.
type page struct{ ID, URL, HTML string }

// answer is what a library found on a page.
type answer struct {
	ID      string   `json:"id"`
	Title   string   `json:"title"`
	Text    string   `json:"text"`
	Authors []string `json:"authors"`
	Date    string   `json:"date"`
	Error   string   `json:"error"`
	ParseMS float64  `json:"parse_ms"`
	TimeMS  float64  `json:"time_ms"`
}

// library is a library for Go.
type library struct {
	name, module string
	extract      extractFunc
}

// extractFunc extracts the article of a page, and calls parsed when it has parsed it. The
// function write converts the result into an answer and is not timed.
type extractFunc func(p page, parsed func()) (write func(*answer) error, err error)

var libraries = []library{
	{"lede", "github.com/lede-news/lede", extractLede},
	{"go-trafilatura", "github.com/markusmobius/go-trafilatura", onTree(goTrafilatura(false))},
	{"go-trafilatura+fallback", "github.com/markusmobius/go-trafilatura", onTree(goTrafilatura(true))},
	{"go-readability", "codeberg.org/readeck/go-readability/v2", onTree(goReadability)},
	{"go-domdistiller", "github.com/markusmobius/go-domdistiller", onTree(goDomDistiller)},
}

// version returns the version of the library.
func (l library) version() string {
	if build, ok := debug.ReadBuildInfo(); ok {
		for _, m := range build.Deps {
			if m.Path == l.module {
				return m.Version
			}
		}
	}
	return ""
}

// answer extracts a page. A page without text is an error.
func (l library) answer(p page) (a answer) {
	start := time.Now()
	since := func() float64 { return float64(time.Since(start)) / float64(time.Millisecond) }
	defer func() {
		if x := recover(); x != nil {
			a = answer{ID: p.ID, Error: fmt.Sprintf("panic: %.200v", x), ParseMS: a.ParseMS, TimeMS: since()}
		}
	}()
	a.ID = p.ID
	write, err := l.extract(p, func() { a.ParseMS = since() })
	a.TimeMS = since()
	if err == nil {
		err = write(&a)
	}
	if err == nil && strings.TrimSpace(a.Text) == "" {
		err = errors.New("no text found")
	}
	if err != nil {
		a.Error = err.Error()
	}
	return a
}

// extractor is lede with its default method.
var extractor = func() *lede.Extractor {
	x, err := lede.New()
	if err != nil {
		panic(err)
	}
	return x
}()

// extractLede does what lede.Extract does, in two steps that are timed apart.
func extractLede(p page, parsed func()) (func(*answer) error, error) {
	ctx := context.Background()
	d, err := dom.Parse(ctx, []byte(p.HTML), dom.Options{Charset: "utf-8", NoCopy: true})
	if err != nil {
		return nil, err
	}
	parsed()
	found, err := extractor.ExtractDocument(ctx, d, lede.WithURL(p.URL))
	if err != nil {
		return nil, err
	}
	return func(a *answer) error {
		a.Title, a.Text, a.Date = found.Title, found.Text(), found.Published.String()
		for _, author := range found.Authors {
			a.Authors = append(a.Authors, author.Name)
		}
		return nil
	}, nil
}

// onTree extracts with a library that accepts a page parsed by x/net, which it may change.
func onTree(extract func(tree *html.Node, base *url.URL) (func(*answer) error, error)) extractFunc {
	return func(p page, parsed func()) (func(*answer) error, error) {
		tree, err := html.Parse(strings.NewReader(p.HTML))
		if err != nil {
			return nil, err
		}
		parsed()
		base, err := url.Parse(p.URL)
		if err != nil || !base.IsAbs() {
			base = nil // some libraries panic on a relative URL
		}
		return extract(tree, base)
	}
}

// formatDate formats a date for an answer.
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
func goTrafilatura(fallback bool) func(*html.Node, *url.URL) (func(*answer) error, error) {
	return func(page *html.Node, base *url.URL) (func(*answer) error, error) {
		r, err := trafilatura.ExtractDocument(page, trafilatura.Options{OriginalURL: base, EnableFallback: fallback})
		if err != nil {
			return nil, err
		}
		return func(a *answer) error {
			a.Title, a.Text = r.Metadata.Title, r.ContentText
			a.Authors = splitNames(r.Metadata.Author, ";")
			a.Date = formatDate(r.Metadata.Date)
			return nil
		}, nil
	}
}

// goReadability is codeberg.org/readeck/go-readability. It may change the page, as
// in its own FromReader, so that it need not copy it.
func goReadability(page *html.Node, base *url.URL) (func(*answer) error, error) {
	parser := readability.NewParser()
	found, err := parser.ParseAndMutate(page, base)
	if err != nil {
		return nil, err
	}
	return func(a *answer) error {
		a.Title, a.Authors = found.Title(), splitNames(found.Byline(), "\n")
		if t, err := found.PublishedTime(); err == nil {
			a.Date = formatDate(t)
		}
		if found.Node == nil {
			return nil
		}
		var text strings.Builder
		err := found.RenderText(&text)
		a.Text = text.String()
		return err
	}, nil
}

// goDomDistiller is github.com/markusmobius/go-domdistiller. By default, it also
// searches for the next page of an article, which takes time but adds no text.
func goDomDistiller(page *html.Node, base *url.URL) (func(*answer) error, error) {
	r, err := distiller.Apply(page, &distiller.Options{OriginalURL: base})
	if err != nil {
		return nil, err
	}
	return func(a *answer) error {
		a.Title, a.Text = r.Title, r.Text
		if a.Authors = r.MarkupInfo.Article.Authors; len(a.Authors) == 0 {
			a.Authors = splitNames(r.MarkupInfo.Author, "\n")
		}
		a.Date = r.MarkupInfo.Article.PublishedTime
		return nil
	}, nil
}
