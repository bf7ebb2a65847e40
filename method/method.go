// Package method defines the contract between lede and its extraction
// methods.
//
// A [Method] reads a [Page] and returns a [Selection]: the nodes that are the
// article, and why. It never changes the page, so methods can run side by
// side, be compared, and be explained. Everything else is done by package
// lede: it parses the page, corrects the selection by what is known about the
// site, and turns the selected nodes into an article. Pass a method of your
// own to lede.WithCustomMethod.
package method

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/lede-news/lede/article"
	"github.com/lede-news/lede/dom"
)

// ErrNoContent is returned by a method that finds no article on a page, for
// example because the page is empty or holds only links.
var ErrNoContent = errors.New("no article text found on the page")

// Method selects the article on a page. Implementations must be safe for
// concurrent use.
type Method interface {
	// Name returns the name of the method, in lower case. It ends up in
	// Article.Method.
	Name() string
	// Select returns the nodes of the page that are the article. It returns
	// ErrNoContent if there is none, and context.Cause(ctx) if ctx is done
	// first. It must not change the page.
	Select(ctx context.Context, p *Page) (*Selection, error)
}

// Page is the input of a method. Only Doc is always set.
type Page struct {
	// Doc is the parsed page.
	Doc *dom.Document
	// URL is the address of the page, or empty if it is unknown.
	URL string
	// LinkText is the text of the link that led to the page, from a home page
	// or a feed, or empty if it is unknown.
	LinkText string
	// Site is what is known about the site of the page, or nil.
	Site *Site
	// Layout is the place of every node in a browser window, or nil if no
	// browser has laid out the page.
	Layout *Layout
	// Favor tells the method which mistake to avoid where it is in doubt. A
	// method may ignore it.
	Favor Favor
	// NoReasons is set when Selection.Reasons will not be read. A method may
	// then save the work of collecting them.
	NoReasons bool
	// TextOnly is set when Selection.Title will not be read.
	TextOnly bool
}

// Favor says what a method should do with text of which it is unsure whether
// it belongs to the article.
type Favor uint8

const (
	// Balanced keeps text that more likely than not belongs to the article.
	// It is the default.
	Balanced Favor = iota
	// FavorPrecision drops text in doubt, so that less boilerplate ends up in
	// the article.
	FavorPrecision
	// FavorRecall keeps text in doubt, so that less of the article is lost.
	FavorRecall
)

// Selection is what a method chose on a page.
type Selection struct {
	// Title is the node of the headline, or dom.None.
	Title dom.Node
	// Keep holds the roots of the subtrees that are the article, and Drop the
	// roots of subtrees that are not. For a node inside several of them the
	// innermost decides; for a root in both lists, Drop does.
	Keep, Drop []dom.Node
	// Reasons explains the decisions, in page order. A node that no reason
	// names shares the reason of its nearest ancestor that has one.
	Reasons []Reason
	// Type is the kind of page, or empty if the method does not tell.
	Type article.PageType
	// Confidence is how sure the method is of its selection, from 0 to 1.
	Confidence float64
}

// Reason explains the decision on one subtree.
type Reason struct {
	Node dom.Node
	// Kept reports whether the subtree belongs to the article.
	Kept bool
	// Score is a number of the method's own choice, such as a probability.
	Score float64
	// Why is a short phrase for readers, such as "mostly links".
	Why string
}

// Mask returns, indexed by node, whether the selection keeps each node of d.
func (s *Selection) Mask(d *dom.Document) []bool {
	mask := make([]bool, d.Len())
	type mark struct {
		node dom.Node
		kept bool
	}
	var room [128]mark // enough for most selections
	marks := slices.Grow(room[:0], len(s.Keep)+len(s.Drop))
	for _, n := range s.Keep {
		marks = append(marks, mark{n, true})
	}
	for _, n := range s.Drop {
		marks = append(marks, mark{n, false})
	}
	// Nodes are numbered in preorder, so a subtree is written after the one
	// around it. The sort is stable, so Drop comes last on the same node.
	slices.SortStableFunc(marks, func(a, b mark) int { return int(a.node - b.node) })
	for _, m := range marks {
		for n := m.node; n < d.End(m.node); n++ {
			mask[n] = m.kept
		}
	}
	return mask
}

// Text returns the text of the nodes of d that the selection keeps, with line
// breaks where the page has them.
func (s *Selection) Text(d *dom.Document) string {
	all := d.AllText()
	var out []byte
	last := -1 // end of the text written so far
	for n, kept := range s.Mask(d) {
		from, to := d.Span(dom.Node(n))
		if !kept || from == to || !d.IsText(dom.Node(n)) {
			continue
		}
		switch {
		case last < 0 || from == last:
		case strings.Contains(all[last:from], "\n"):
			out = append(out, '\n')
		default:
			out = append(out, ' ')
		}
		out = append(out, all[from:to]...)
		last = to
	}
	return string(out)
}

// TitleText returns the text of the headline that the method found, or "" if it
// found none. The headline may be one that the page does not show, such as its
// <title>.
func (s *Selection) TitleText(d *dom.Document) string {
	if s.Title == dom.None {
		return ""
	}
	if text := d.Text(s.Title); text != "" {
		return text
	}
	return strings.Join(strings.Fields(d.Raw(s.Title)), " ")
}

// Site is what is known about the site of a page, in terms of the nodes of
// that page. It is learned from other pages of the site.
type Site struct {
	// Pages is the number of pages with the same template that were seen. The
	// more there are, the more the rest can be trusted.
	Pages int
	// Static reports, indexed by node, what the pages of the site repeat word
	// for word, such as menus and imprints. It is nil if that is unknown.
	Static []bool
	// Tail reports, indexed by node, what follows the body on the pages of the
	// site, such as "Read more" and "Sign up", even if its text changes. It is
	// nil if that is unknown.
	Tail []bool
	// Headline and Body are the nodes where the site usually has
	// them, or dom.None.
	Headline, Body dom.Node
	// TitleSuffix is what the site appends to every <title>, such as
	// " | The Daily".
	TitleSuffix string
	// Rows is what is known about the rows of text of the page, in page order.
	Rows []SiteRow
}

// SiteRow is what is known about a row of text: a run without a line break.
type SiteRow struct {
	// First and Last are its first and last text node.
	First, Last dom.Node
	// Repeats is the share of the pages of the site that have the same row. It is 0
	// for long rows if few pages are known.
	Repeats float32
	// Clues holds how rows of other pages that share a clue with this one were
	// judged.
	Clues [Clues]Evidence
}

// Evidence counts pages of the site. Old pages count less than one.
type Evidence struct {
	// Pages have rows that share the clue.
	Pages float32
	// Kept is the part of Pages, and of these rows, that was text of the story.
	Kept float32
}

// Clue is what rows of several pages can have in common.
type Clue uint8

const (
	// ByPath is the path from the root with all classes.
	ByPath Clue = iota
	// ByPlace is the innermost block element and the two around it, with their
	// classes.
	ByPlace
	// ByPosition is the path by the numbers of the elements among their siblings.
	ByPosition
	// ByLabel is the short row before it.
	ByLabel
	// ByHeading is the heading above it.
	ByHeading
	// ByBox is the element with a class or id around it that had text of the
	// story least often.
	ByBox
	// Clues is the number of clues.
	Clues
)

// SiteReader is a method that may use Page.Site itself. The selections of all
// other methods are corrected afterwards by what is known about the site.
type SiteReader interface {
	Method
	// ReadsSite reports whether the method uses Page.Site, so that its
	// selections need no correction.
	ReadsSite() bool
}
