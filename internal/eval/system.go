package eval

import (
	"context"
	"fmt"
	"time"

	"github.com/lede-news/lede/article"
	"github.com/lede-news/lede/dom"
	"github.com/lede-news/lede/internal/eval/measure"
)

// Input is a page as extractors get it.
type Input struct {
	Corpus, ID string
	URL        string
	Charset    string // of HTML; empty when nobody knows
	HTML       []byte

	// Doc is the page as lede reads it, parsed once for all of lede's methods,
	// and how long that took; nil when it cannot be parsed, for DocErr.
	Doc     *dom.Document
	DocErr  error
	DocTime time.Duration
}

// System is an extractor under test.
type System interface {
	Name() string
	// Extract never gives nil; a failure is the Error of the output. It must be
	// safe for concurrent use.
	Extract(ctx context.Context, in *Input) *measure.Output
}

// Method is a method of lede as a system. It works on the document that all of
// them share, and the time for parsing that counts for each.
func Method(name string, extract func(ctx context.Context, in *Input) (*article.Article, error)) System {
	return ledeMethod{name, extract}
}

type ledeMethod struct {
	name    string
	extract func(ctx context.Context, in *Input) (*article.Article, error)
}

func (m ledeMethod) Name() string { return m.name }

func (m ledeMethod) Extract(ctx context.Context, in *Input) *measure.Output {
	if in.DocErr != nil {
		return &measure.Output{Error: in.DocErr.Error()}
	}
	start := time.Now()
	a, err := m.extract(ctx, in)
	out := &measure.Output{Parse: in.DocTime, Time: in.DocTime + time.Since(start)}
	if err != nil {
		out.Error = err.Error()
		return out
	}
	out.Title, out.Text, out.Date, out.Type = a.Title, a.Text(), a.Published.String(), string(a.Type)
	for _, author := range a.Authors {
		out.Authors = append(out.Authors, author.Name)
	}
	return out
}

// guard calls a system; one that crashes has failed on this page only.
func guard(ctx context.Context, s System, in *Input) (out *measure.Output) {
	defer func() {
		if p := recover(); p != nil {
			out = &measure.Output{Error: fmt.Sprintf("crashed: %.200v", p)}
		}
	}()
	if out = s.Extract(ctx, in); out == nil {
		out = &measure.Output{Error: "gave no answer"}
	}
	return out
}
