package styled

import (
	"net/url"
	"path"
	"slices"
	"strings"

	"github.com/lede-news/lede/article"
	"github.com/lede-news/lede/dom"
	"github.com/lede-news/lede/internal/page/steps"
)

// parts are the nodes of a page from which the look of the header is taken, or dom.None.
type parts struct{ headline, standfirst, byline dom.Node }

// findParts finds the parts of the header on the page by their text. Each is the innermost
// element with that text, which has its style.
func findParts(d *dom.Document, a *article.Article, story []dom.Node, styles *styles, steps *steps.Counter) parts {
	title, standfirst, author := oneLine(a.Title), oneLine(a.Standfirst), ""
	if len(a.Authors) > 0 {
		author = a.Authors[0].Name
	}
	longest := max(len(title), len(standfirst), len(author)+len("By "))
	p := parts{dom.None, dom.None, dom.None}
	var titles []dom.Node
	for n := dom.Node(1); int(n) < d.Len() && !steps.Done(); n++ {
		size := len(d.Text(n))
		if d.IsText(n) || size == 0 || size > 2*longest || d.Hidden(n) || wraps(d, n, size) || d.Closest(n, dom.Head) != dom.None {
			continue
		}
		switch oneLine(d.Text(n)) {
		case title:
			titles = append(titles, n)
		case standfirst:
			if p.standfirst == dom.None {
				p.standfirst = n
			}
		case author, "By " + author:
			if p.byline == dom.None {
				p.byline = n
			}
		}
	}
	p.headline = chooseHeadline(d, titles, styles)
	if p.headline == dom.None && len(story) > 0 { // the metadata has other words
		for h := range d.All(d.Root(), dom.H1) {
			if h < story[0] && d.Words(h) > 0 && !d.Hidden(h) {
				p.headline = h
			}
		}
	}
	if p.byline == dom.None && author != "" {
		p.byline = findByline(d, author, max(p.headline, d.Root()), steps)
	}
	for p.byline != dom.None && d.InLink(p.byline) { // names are links, but the byline is not
		p.byline = d.Parent(p.byline)
	}
	return p
}

// findByline returns the innermost line with an author after the headline, or dom.None.
func findByline(d *dom.Document, name string, headline dom.Node, steps *steps.Counter) dom.Node {
	const maxLen = 200 // bytes
	best := dom.None
	for n := headline + 1; int(n) < d.Len() && !steps.Done() && (best == dom.None || d.Contains(best, n)); n++ {
		if !d.IsText(n) && len(d.Text(n)) <= maxLen && !d.Hidden(n) && strings.Contains(d.Text(n), name) {
			best = n
		}
	}
	return best
}

// wraps reports whether a child of n has all of its text.
func wraps(d *dom.Document, n dom.Node, size int) bool {
	for c := range d.Children(n) {
		if !d.IsText(c) && len(d.Text(c)) == size {
			return true
		}
	}
	return false
}

// chooseHeadline prefers the highest heading, and then the largest text: breadcrumbs and lists
// repeat the headline.
func chooseHeadline(d *dom.Document, nodes []dom.Node, styles *styles) dom.Node {
	best, most := dom.None, 0.0
	for _, n := range nodes {
		score := styles.size(n)
		for i, tag := range []dom.Tag{dom.H4, dom.H3, dom.H2, dom.H1} {
			if d.Closest(n, tag) != dom.None {
				score = 1000 * float64(1+i)
			}
		}
		if score > most {
			best, most = n, score
		}
	}
	return best
}

func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

// placeLead adds the lead picture to the nodes of the story where it stands on the page, with its
// caption. It reports whether it did.
func (t *subtree) placeLead(im *article.Image, headline dom.Node, styles *styles) bool {
	d := t.doc
	want, err := url.Parse(im.URL)
	if err != nil || len(t.nodes) == 0 {
		return false
	}
	from := t.nodes[0]
	if headline != dom.None {
		from = min(from, headline) // teasers may stand before it
	}
	for n := from; n < t.nodes[len(t.nodes)-1]; n++ {
		if d.Tag(n) != dom.Img || d.Hidden(n) {
			continue
		}
		// The address in the metadata may be that of another size or server.
		u, err := url.Parse(d.ImageURL(n))
		if err != nil || path.Base(u.Path) != path.Base(want.Path) || len(path.Base(u.Path)) < 2 {
			continue
		}
		shown := *im
		if u := webURL(d.ImageURL(n), t.base); u != nil {
			shown.URL = u.String()
		}
		shown.Alt = d.Attr(n, "alt")
		t.media[n] = &article.Block{Kind: article.Picture, Image: &shown}
		t.nodes = append(append(t.nodes, n), t.captionOf(n, styles)...)
		slices.Sort(t.nodes)
		t.nodes = slices.Compact(t.nodes)
		return true
	}
	return false
}

// captionOf returns the nodes of the caption of a picture.
func (t *subtree) captionOf(img dom.Node, styles *styles) (nodes []dom.Node) {
	const maxWords = 100
	d := t.doc
	f := d.Closest(img, dom.Figure)
	if f == dom.None {
		return nil
	}
	for c := range d.All(f, dom.Figcaption) {
		if styles.own(c, "display") == "none" || d.Hidden(c) || d.Words(c) > maxWords { // the page may have one for each screen
			continue
		}
		for n := c; n < d.End(c); n++ {
			if n == c || d.IsText(n) && !d.Hidden(n) {
				nodes = append(nodes, n)
			}
		}
		return nodes
	}
	return nil
}
