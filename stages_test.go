package lede_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/lede-news/lede"
	"github.com/lede-news/lede/dom"
	"github.com/lede-news/lede/internal/page/steps"
	"github.com/lede-news/lede/internal/story/cleaned"
	"github.com/lede-news/lede/internal/story/comments"
	"github.com/lede-news/lede/internal/story/compose"
	"github.com/lede-news/lede/internal/story/metadata"
	"github.com/lede-news/lede/internal/story/styled"
	"github.com/lede-news/lede/method"
)

var errOver = errors.New("no time left")

// countedContext is done after a number of looks at it.
type countedContext struct {
	context.Context
	looks, most int // most < 0: never done
}

func (c *countedContext) Err() error {
	c.looks++
	if c.most >= 0 && c.looks > c.most {
		return errOver
	}
	return nil
}

// stage is a part of an extraction. It returns the error of its context.
type stage func(ctx context.Context, d *dom.Document, mask []bool) error

// stages are those after the method.
var stages = map[string]stage{
	"metadata": func(ctx context.Context, d *dom.Document, mask []bool) error {
		s := steps.New(ctx)
		metadata.Read(d, metadata.Options{Steps: s})
		return s.Err()
	},
	"compose": func(ctx context.Context, d *dom.Document, mask []bool) error {
		s := steps.New(ctx)
		compose.Blocks(d, mask, compose.Options{Pictures: true, Steps: s})
		return s.Err()
	},
	"tables": func(ctx context.Context, d *dom.Document, mask []bool) error {
		s := steps.New(ctx)
		compose.DataTables(d, mask, s)
		return s.Err()
	},
	"comments": func(ctx context.Context, d *dom.Document, mask []bool) error {
		s := steps.New(ctx)
		comments.Find(d, mask, s)
		return s.Err()
	},
	"cleaned": func(ctx context.Context, d *dom.Document, mask []bool) error {
		s := steps.New(ctx)
		cleaned.Page(d, &method.Selection{Keep: []dom.Node{d.Root()}, Title: dom.None}, cleaned.Options{Steps: s})
		return s.Err()
	},
	"styled": func(ctx context.Context, d *dom.Document, mask []bool) error {
		var nodes []dom.Node
		for n := range dom.Node(d.Len()) {
			if d.IsText(n) && mask[n] {
				nodes = append(nodes, n)
			}
		}
		return styled.Write(ctx, io.Discard, d, &lede.Article{Title: "The bridge stays closed"}, nodes, styled.Options{})
	},
}

// TestStagesEnd runs every stage on large pages with a context that is done at the
// beginning, in the middle and near the end. The stage must look at it all along and
// end with it.
func TestStagesEnd(t *testing.T) {
	t.Parallel()
	for kind, piece := range largePages {
		d := parsePage(t, piece.page(2_000))
		mask := make([]bool, d.Len())
		for i := range mask {
			mask[i] = piece.selected || i < d.Len()/2
		}
		for name, run := range stages {
			all := &countedContext{Context: t.Context(), most: -1}
			if err := run(all, d, mask); err != nil {
				t.Fatalf("%s, %s: %v", name, kind, err)
			}
			if rare := d.Len() / (8 * steps.Interval); all.looks < rare {
				t.Errorf("%s, %s: only %d looks at the context for %d nodes", name, kind, all.looks, d.Len())
			}
			for _, most := range []int{0, all.looks / 2, all.looks - 1} {
				ctx := &countedContext{Context: t.Context(), most: most}
				if err := run(ctx, d, mask); !errors.Is(err, errOver) {
					t.Errorf("%s, %s: not ended by its context after %d of %d looks: %v", name, kind, most, all.looks, err)
				}
			}
		}
	}
}

// pagePiece is what a large page repeats.
type pagePiece struct {
	before, html, after string // html may have a %d
	selected            bool   // all of it
}

var largePages = map[string]pagePiece{
	"tables":     {"", "<table><tr><td>a<td>b<tr><td>c<td>d</table>", "", false},
	"cells":      {"<table><tr><th>a<tr>", "<td>a", "</table>", true},
	"items":      {"<ul>", "<li>One item", "</ul>", true},
	"figures":    {"", "<figure><img src=/%d.jpg width=600><figcaption>The harbour</figcaption></figure>", "", false},
	"links":      {"<p>", "<a href=/%d>Story</a> ", "", true},
	"posts":      {"", "<blockquote class=twitter-tweet>A post <a href=https://twitter.com/ann/status/%d>May 1, 2020</a></blockquote>", "", false},
	"comments":   {"<div id=comments>", "<div class=comment id=comment-%d>Ann May 3, 2021 10:05<p>I agree with that.</div>", "</div>", false},
	"spans":      {"<p>", "<span>word</span> ", "", true},
	"paragraphs": {"", "<p>The bridge stays closed.", "", true},
}

// page returns a story with n pieces in it.
func (p pagePiece) page(n int) string {
	const story = "<p>The bridge stays closed, the council said on Monday, and people have to take the ferry. It opens again in May, said the mayor.</p>"
	var b strings.Builder
	b.WriteString("<title>The bridge stays closed</title><article><h1>The bridge stays closed</h1>" + story + p.before)
	for i := range n {
		if strings.Contains(p.html, "%d") {
			fmt.Fprintf(&b, p.html, i)
		} else {
			b.WriteString(p.html)
		}
	}
	b.WriteString(p.after + story + "</article>")
	return b.String()
}

func parsePage(t testing.TB, page string) *dom.Document {
	t.Helper()
	d, err := dom.Parse(t.Context(), []byte(page), dom.Options{Charset: "utf-8"})
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// lateMethod cancels the extraction when it has selected the page.
type lateMethod struct{ cancel context.CancelCauseFunc }

func (lateMethod) Name() string { return "late" }

func (m lateMethod) Select(_ context.Context, p *method.Page) (*method.Selection, error) {
	m.cancel(errOver)
	return &method.Selection{Keep: []dom.Node{p.Doc.Root()}, Title: dom.None}, nil
}

// TestEndAfterMethod checks that an extraction whose time is over after the method
// fails, whatever it still has to do.
func TestEndAfterMethod(t *testing.T) {
	t.Parallel()
	for _, opts := range [][]lede.Option{nil, {lede.WithTables(true)}, {lede.WithComments(true), lede.WithPictures(true)}} {
		ctx, cancel := context.WithCancelCause(t.Context())
		e, err := lede.New(lede.WithCustomMethod(lateMethod{cancel}))
		if err != nil {
			t.Fatal(err)
		}
		_, err = e.Extract(ctx, strings.NewReader(largePages["tables"].page(10)), opts...)
		if !errors.Is(err, errOver) {
			t.Errorf("%d options: %v, want %v", len(opts), err, errOver)
		}
	}
}
