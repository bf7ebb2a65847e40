package eval

import (
	"context"
	"fmt"
	"time"

	"github.com/lede-news/lede/article"
	"github.com/lede-news/lede/dom"
	"github.com/lede-news/lede/internal/lab/eval/measure"
)

// Input is the page that a System extracts.
type Input struct {
	ID, URL string
	HTML    []byte // UTF-8

	// Doc is the parsed page, shared by all of lede's methods. It is nil if the
	// page cannot be parsed; DocErr is the reason.
	Doc     *dom.Document
	DocErr  error
	DocTime time.Duration // time to parse Doc
}

// System is an extractor to be measured.
type System interface {
	Name() string
	// Extract must be safe for concurrent use. Output.Error reports a failure.
	Extract(ctx context.Context, in *Input) *measure.Output
}

// extract calls a system. A panic is an error on this page only, and an output
// with an error is otherwise empty.
func extract(ctx context.Context, s System, in *Input) (out *measure.Output) {
	defer func() {
		if p := recover(); p != nil {
			out = &measure.Output{Error: fmt.Sprintf("panic: %.200v", p)}
		}
	}()
	out = s.Extract(ctx, in)
	if out.Error == "" {
		return out
	}
	empty := &measure.Output{Error: out.Error, Parse: out.Parse, Time: out.Time}
	if out.OwnTitle != nil {
		empty.OwnTitle = new(string)
	}
	if out.Structure != nil {
		empty.Structure = new(measure.Structure)
	}
	return empty
}

// Method returns a System for one of lede's methods. All of them use the same
// parsed document, and the time to parse it counts for each. The function extract
// returns the article, and the headline that the method itself found.
func Method(name string, extract func(ctx context.Context, in *Input) (a *article.Article, ownTitle string, err error)) System {
	return ledeMethod{name, extract}
}

type ledeMethod struct {
	name    string
	extract func(ctx context.Context, in *Input) (*article.Article, string, error)
}

func (m ledeMethod) Name() string { return m.name }

func (m ledeMethod) Extract(ctx context.Context, in *Input) *measure.Output {
	out := &measure.Output{OwnTitle: new(string), Structure: new(measure.Structure), Parse: in.DocTime}
	if in.DocErr != nil {
		out.Error = in.DocErr.Error()
		return out
	}
	start := time.Now()
	a, own, err := m.extract(ctx, in)
	out.Time = in.DocTime + time.Since(start)
	if err != nil {
		out.Error = err.Error()
		return out
	}
	out.Title, out.OwnTitle, out.Text, out.Date, out.Type = a.Title, &own, a.Text(), a.Published.String(), string(a.Type)
	out.Confidence = &a.Confidence
	for _, author := range a.Authors {
		out.Authors = append(out.Authors, author.Name)
	}
	out.Structure = newStructure(a)
	return out
}

func newStructure(a *article.Article) *measure.Structure {
	s := &measure.Structure{Blocks: flatten(nil, a.Body, false), Standfirst: a.Standfirst}
	if a.Lead != nil {
		s.Lead = a.Lead.URL
	}
	return s
}

// flatten appends the blocks with a text or a picture, also those inside quotes, lists
// and tables. A heading inside a list or table is not one of the article.
func flatten(list []measure.Block, blocks []article.Block, inside bool) []measure.Block {
	for i := range blocks {
		b := &blocks[i]
		switch {
		case b.Kind == article.Paragraph || b.Kind == article.Heading && inside:
			list = append(list, measure.Block{Kind: article.Paragraph.String(), Text: article.SpanText(b.Spans)})
		case b.Kind == article.Heading:
			list = append(list, measure.Block{Kind: b.Kind.String(), Text: article.SpanText(b.Spans)})
		case b.Kind == article.Code:
			list = append(list, measure.Block{Kind: b.Kind.String(), Text: b.Code})
		case b.Kind == article.Picture && b.Image != nil:
			list = append(list, measure.Block{Kind: b.Kind.String(), URL: b.Image.URL})
		}
		list = flatten(list, b.Blocks, inside)
		for _, item := range b.Items {
			list = flatten(list, item, true)
		}
		for _, row := range b.Rows {
			for j := range row {
				list = flatten(list, row[j].Blocks, true)
			}
		}
	}
	return list
}
