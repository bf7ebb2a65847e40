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
	Corpus, ID string
	URL        string
	Charset    string // of HTML; empty if unknown
	HTML       []byte

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
	for _, author := range a.Authors {
		out.Authors = append(out.Authors, author.Name)
	}
	out.Structure = newStructure(a.Body, a.Lead, a.Standfirst)
	return out
}

func newStructure(body []article.Block, lead *article.Image, standfirst string) *measure.Structure {
	s := &measure.Structure{Blocks: flatten(nil, body, false), Standfirst: standfirst}
	if lead != nil {
		s.Lead = lead.URL
	}
	return s
}

// flatten appends blocks without their nesting: those of quotes one by one, lists
// and tables with the texts of their items and cells, and after them their pictures.
func flatten(list []measure.Block, blocks []article.Block, quoted bool) []measure.Block {
	for i := range blocks {
		b := &blocks[i]
		out := measure.Block{Kind: b.Kind.String()}
		switch b.Kind {
		case article.Paragraph:
			if quoted {
				out.Kind = article.Quote.String()
			}
			out.Text = article.SpanText(b.Spans)
		case article.Heading:
			out.Text = article.SpanText(b.Spans)
		case article.Code:
			out.Text = b.Code
		case article.Quote:
			list = flatten(list, b.Blocks, true)
			continue
		case article.List:
			for _, item := range b.Items {
				out.Items = append(out.Items, texts(item)...)
			}
		case article.Table:
			for _, row := range b.Rows {
				for j := range row {
					out.Items = append(out.Items, texts(row[j].Blocks)...)
				}
			}
		case article.Picture:
			if b.Image != nil {
				out.URL = b.Image.URL
			}
		}
		list = append(list, out)
		if b.Kind == article.List || b.Kind == article.Table {
			for inner := range (&article.Article{Body: blocks[i : i+1]}).Blocks() {
				if inner.Kind == article.Picture && inner.Image != nil {
					list = append(list, measure.Block{Kind: inner.Kind.String(), URL: inner.Image.URL})
				}
			}
		}
	}
	return list
}

// texts returns the texts of blocks.
func texts(blocks []article.Block) []string {
	var all []string
	for _, b := range flatten(nil, blocks, false) {
		if all = append(all, b.Items...); b.Text != "" {
			all = append(all, b.Text)
		}
	}
	return all
}
