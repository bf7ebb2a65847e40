// Package method is the contract between lede and its extraction methods.
//
// A method takes a page and says which nodes are the story, and why. It never
// changes the page, so methods can run side by side, be compared and be
// explained.
package method

import (
	"context"
	"errors"
	"slices"

	"github.com/lede-news/lede/article"
	"github.com/lede-news/lede/dom"
)

// ErrNoContent means that a method looked and found no story: the page is
// empty, or holds nothing but links.
var ErrNoContent = errors.New("no article text found on the page")

// Page is what a method gets to see.
type Page struct {
	Doc *dom.Document
	// URL is where the page was found; empty when nobody knows.
	URL string
	// LinkText is the text of the link that led to the page, from a home page
	// or a feed; empty when nobody knows.
	LinkText string
	// Site is what is known of the page's site; nil when nothing is.
	Site *Site
	// Layout is where the nodes stand in a browser; nil when none has looked.
	Layout *Layout
	// Favor is which mistake the reader would rather see. A method need not
	// heed it.
	Favor Favor
	// Brief says that nobody will read the reasons, so that a method may leave
	// them out where they cost something.
	Brief bool
	// TextOnly says that the headline is not asked for either.
	TextOnly bool
}

// Favor says which way to lean where a method is in doubt.
type Favor uint8

// A doubtful paragraph is judged on its merits, or left out, or kept.
const (
	Balanced Favor = iota
	FavorPrecision
	FavorRecall
)

// Method chooses the story of a page. Implementations are safe for
// concurrent use.
type Method interface {
	// Name is what the method is called on the command line.
	Name() string
	// Select looks at the page. It gives ErrNoContent when there is no story,
	// and the context's error when that ends first.
	Select(ctx context.Context, p *Page) (*Selection, error)
}

// Selection is a method's answer.
type Selection struct {
	// Title is the node of the headline, or dom.None.
	Title dom.Node
	// Keep holds the roots of the subtrees that are the story, and Drop those
	// inside them that are not. A node belongs to the innermost of them.
	Keep, Drop []dom.Node
	// Reasons say why, in the order of the page: for each decision the node it
	// was taken on. What no reason names follows the nearest one around it.
	Reasons []Reason
	// Type is what kind of page the method takes it for; empty when it does
	// not tell.
	Type article.PageType
	// Confidence is how sure the method is, from 0 to 1.
	Confidence float64
}

// Reason is one decision on one subtree.
type Reason struct {
	Node  dom.Node
	Kept  bool
	Score float64
	// Why is a short phrase, such as "separator node" or "link density 0.83".
	Why string
}

// Mask tells for every node of the document whether the selection keeps it.
func (s *Selection) Mask(d *dom.Document) []bool {
	mask := make([]bool, d.Len())
	type mark struct {
		node dom.Node
		kept bool
	}
	marks := make([]mark, 0, len(s.Keep)+len(s.Drop))
	for _, n := range s.Keep {
		marks = append(marks, mark{n, true})
	}
	for _, n := range s.Drop {
		marks = append(marks, mark{n, false})
	}
	// In preorder an inner subtree comes after the one around it, so that it
	// has the last word; on the same node, dropping has.
	slices.SortStableFunc(marks, func(a, b mark) int { return int(a.node - b.node) })
	for _, m := range marks {
		for n := m.node; n < d.End(m.node); n++ {
			mask[n] = m.kept
		}
	}
	return mask
}

// Text is the text of the kept nodes, a row of the page a line.
func (s *Selection) Text(d *dom.Document) string {
	mask := s.Mask(d)
	all := d.AllText()
	var out []byte
	last := -1
	for n := range mask {
		if !mask[n] || !d.IsText(dom.Node(n)) {
			continue
		}
		from, to := d.Span(dom.Node(n))
		if from == to {
			continue
		}
		if last >= 0 && from > last {
			// What parts the two on the page parts them here.
			sep := byte(' ')
			for _, c := range []byte(all[last:from]) {
				if c == '\n' {
					sep = '\n'
				}
			}
			out = append(out, sep)
		}
		out = append(out, all[from:to]...)
		last = to
	}
	return string(out)
}

// Site is what is known of the site that a page comes from, found again on
// this page. It comes from neighbour pages or from a profile that was learned.
type Site struct {
	// Pages is how many pages of the same make the knowledge comes from.
	Pages int
	// Static tells by node what is the same on all pages of the site, such as
	// menus and imprints: StaDyNoT's static noise. Nil when that is unknown.
	Static []bool
	// Tail tells by node what stands after the body of every page, such as
	// "Read more" and "Sign up", though its text may change. Nil when unknown.
	Tail []bool
	// Headline, Body, Byline and Date are where the site has them on this
	// page, or dom.None.
	Headline, Body, Byline, Date dom.Node
	// TitleSuffix is what the site puts after every <title>, such as " | The Daily".
	TitleSuffix string
}

// SiteReader is a method that makes use of Page.Site by itself. What others
// choose is corrected by it afterwards.
type SiteReader interface {
	Method
	ReadsSite() bool
}
