// Package blend is lede's default method. It weighs every block of text by
// what it looks like, finds the element whose blocks weigh the most together,
// and takes out of it what is not the story.
//
// The weights are set by hand. They follow what is common to the published
// methods: prose is long, has punctuation and few links; navigation is short
// and made of links; and the story stands in one part of the tree.
package blend

import (
	"context"
	"fmt"

	"github.com/lede-news/lede/article"
	"github.com/lede-news/lede/dom"
	"github.com/lede-news/lede/method"
)

// Config holds the settings of the method. The zero value is the default.
type Config struct{}

// Blend is the method. It is safe for concurrent use.
type Blend struct{}

// New makes the method.
func New(Config) *Blend { return &Blend{} }

// Name is "blend".
func (*Blend) Name() string { return "blend" }

// Select chooses the story.
func (*Blend) Select(ctx context.Context, p *method.Page) (*method.Selection, error) {
	if err := ctx.Err(); err != nil {
		return nil, context.Cause(ctx)
	}
	d := p.Doc
	v := newView(d)
	if len(v.blocks) == 0 {
		return nil, method.ErrNoContent
	}
	home, weight := v.heaviest()
	if weight <= 0 {
		return nil, method.ErrNoContent
	}
	v.choose(home)
	s := &method.Selection{Title: headline(d, v, home), Keep: []dom.Node{home}}
	s.Reasons = append(s.Reasons, method.Reason{
		Node: home, Kept: true, Score: weight,
		Why: fmt.Sprintf("heaviest part of the page: prose outweighs the rest by %.0f", weight),
	})
	v.drop(s, home)
	v.explain(s, home)
	s.Type, s.Confidence = v.judge(home)
	return s, nil
}

// judge says what kind of page it is and how sure that is. A story is most of
// the prose of its page, and much of it stands together; on an index every line
// or two is followed by links.
func (v *view) judge(home dom.Node) (article.PageType, float64) {
	var kept, prose, run, longest int
	for i := range v.blocks {
		b := &v.blocks[i]
		if b.prose {
			prose += b.words()
		}
		switch {
		case b.kept:
			kept += b.words()
			run += b.words()
			longest = max(longest, run)
		case v.doc.Contains(home, b.first):
			run = 0
		}
	}
	const short, long = 40, 250 // words
	const many = 20             // links
	root := v.doc.Root()
	density := v.doc.LinkDensity(root)
	share := float64(kept) / float64(max(prose, 1))
	confidence := min(1, float64(kept)/long) * min(1, share) * (1 - density/2)
	linked := density > 0.35 && longest < 3*short/2 || v.doc.LinkDensity(home) > 0.2 && longest < 2*short
	switch {
	case linked && int(v.doc.Counts(root).Links) > many:
		return article.TypeIndex, confidence / 2
	case kept >= 3*short && (share > 0.5 || density < 0.5):
		return article.TypeArticle, max(confidence, 0.5)
	case kept >= short:
		return article.TypeArticle, confidence
	}
	return article.TypeOther, confidence / 2
}
