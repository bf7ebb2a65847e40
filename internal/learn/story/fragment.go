package story

import (
	"context"

	"github.com/lede-news/lede/dom"
	"github.com/lede-news/lede/internal/blend"
	"github.com/lede-news/lede/internal/blend/blocks"
	"github.com/lede-news/lede/internal/eval/corpus"
	"github.com/lede-news/lede/method"
)

// fragment makes another example of a page: the part of it around its story and
// nothing else. Small pages, and parts of pages that users cut out themselves,
// lack the menus and sidebars by which the rest of the training pages tell what
// is no story. It is nil where there is no such part.
func (x *Example) fragment(ctx context.Context) *Example {
	d := x.Doc
	v := blocks.Read(d, new(blocks.Tables))
	home := dom.None
	for i := range v.Blocks {
		switch {
		case x.Story[i] < 0.5:
		case home == dom.None:
			home = v.Blocks[i].Owner
		default:
			home = d.CommonAncestor(home, v.Blocks[i].Owner)
		}
	}
	if home == dom.None {
		return nil
	}
	// One page in four is cut at the story itself, the others further out.
	for range corpus.Fold(x.Gold.ID, 4) {
		if p := d.Parent(home); p != dom.None {
			home = p
		}
	}
	if tag := d.Tag(home); tag == dom.Root || tag == dom.HTML || tag == dom.Body {
		return nil
	}
	part, err := dom.FromNode(d.HTML(home), dom.Limits{})
	if err != nil {
		return nil
	}
	y := &Example{Gold: x.Gold, Site: x.Site, Fold: x.Fold, Doc: part, part: true}
	y.Signals = blend.Ask(ctx, &method.Page{Doc: part, URL: x.Gold.URL})
	y.label()
	return y
}
