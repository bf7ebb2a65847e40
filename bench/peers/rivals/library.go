package rivals

import (
	"bytes"
	"context"
	"fmt"
	"net/url"
	"runtime/debug"
	"strings"
	"time"

	"golang.org/x/net/html"

	"github.com/lede-news/lede/internal/eval"
	"github.com/lede-news/lede/internal/eval/measure"
)

func compiled() []Rival {
	var list []Rival
	for _, l := range []library{
		{"go-trafilatura", "github.com/markusmobius/go-trafilatura", goTrafilatura(false)},
		{"go-trafilatura+fallback", "github.com/markusmobius/go-trafilatura", goTrafilatura(true)},
		{"go-readability", "codeberg.org/readeck/go-readability/v2", goReadability},
		{"go-domdistiller", "github.com/markusmobius/go-domdistiller", goDomDistiller},
	} {
		list = append(list, Rival{Name: l.name, Language: "Go", open: func(string) (eval.System, error) { return l, nil }})
	}
	return list
}

// library is an extractor that is compiled in. All of them use the parser of
// x/net, so that it can be timed from outside.
type library struct {
	name, module string
	extract      extractFunc
}

// extractFunc extracts from a page, which it may change, and gives what turns
// the library's answer into an output. Only the extracting is timed, as it is
// for lede's own methods.
type extractFunc func(page *html.Node, at *url.URL) (write func(*measure.Output) error, err error)

func (l library) Name() string { return l.name }

// Info says what is compiled in, as a program at the end of a pipe does.
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
	write, err := l.run(in, out, start)
	if err == nil {
		err = write(out)
	}
	if err != nil {
		out.Error = err.Error()
	} else if strings.TrimSpace(out.Text) == "" {
		out.Error = "no text found"
	}
	return out
}

// run is the part that is timed.
func (l library) run(in *eval.Input, out *measure.Output, start time.Time) (func(*measure.Output) error, error) {
	defer func() { out.Time = time.Since(start) }()
	page, err := html.Parse(bytes.NewReader(in.HTML))
	out.Parse = time.Since(start)
	if err != nil {
		return nil, err
	}
	at, err := url.Parse(in.URL)
	if err != nil || !at.IsAbs() {
		at = nil // some of them crash on half an address
	}
	return l.extract(page, at)
}

// day is a date as outputs have it.
func day(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.Format(time.RFC3339)
}

// people splits a byline where the library joins names.
func people(byline, mark string) []string {
	var names []string
	for name := range strings.SplitSeq(byline, mark) {
		if name = strings.TrimSpace(name); name != "" {
			names = append(names, name)
		}
	}
	return names
}
