package styled

import (
	"net/url"
	"path"
	"slices"
	"strings"

	"golang.org/x/net/html"

	"github.com/lede-news/lede/article"
	"github.com/lede-news/lede/dom"
	"github.com/lede-news/lede/internal/page/steps"
)

// parts are the nodes of a page from which the look of the header is taken, or
// dom.None.
type parts struct{ headline, standfirst, byline dom.Node }

// findParts finds the parts of the header on the page by their text. Each is the
// innermost element with that text, which has its style.
func findParts(d *dom.Document, a *article.Article, story []dom.Node, styles Styles, steps *steps.Counter) parts {
	const headline, standfirst, byline = 0, 1, 2
	want := map[string]int{}
	longest := 0
	add := func(s string, part int) {
		s = oneLine(s)
		if _, there := want[s]; !there && s != "" {
			want[s] = part
			longest = max(longest, len(s))
		}
	}
	add(a.Title, headline)
	add(a.Standfirst, standfirst)
	for _, au := range a.Authors {
		add(au.Name, byline)
		add("By "+au.Name, byline)
	}
	var found [3][]dom.Node
	for n := dom.Node(1); int(n) < d.Len() && longest > 0 && !steps.Done(); n++ {
		size := len(d.Text(n))
		if d.IsText(n) || size == 0 || size > 2*longest || d.Hidden(n) || wraps(d, n, size) {
			continue
		}
		part, ok := want[oneLine(d.Text(n))]
		if !ok || d.Closest(n, dom.Head) != dom.None {
			continue
		}
		at := n
		for part == byline && d.InLink(at) { // names are links, but the byline is not
			at = d.Parent(at)
		}
		found[part] = append(found[part], at)
	}
	p := parts{chooseHeadline(d, found[headline], styles), dom.None, dom.None}
	if p.headline == dom.None && len(story) > 0 { // the metadata has other words
		for h := range d.All(d.Root(), dom.H1) {
			if h < story[0] && d.Words(h) > 0 && !d.Hidden(h) {
				p.headline = h
			}
		}
	}
	if len(found[standfirst]) > 0 {
		p.standfirst = found[standfirst][0]
	}
	if len(found[byline]) > 0 {
		p.byline = found[byline][0]
	} else {
		p.byline = findByline(d, a, p.headline)
	}
	return p
}

// findByline returns the innermost line with an author after the headline, or
// dom.None.
func findByline(d *dom.Document, a *article.Article, headline dom.Node) dom.Node {
	const maxLen = 200 // bytes
	best := dom.None
	for n := headline + 1; len(a.Authors) > 0 && headline != dom.None && int(n) < d.Len(); n++ {
		if best != dom.None && !d.Contains(best, n) {
			break
		}
		if size := len(d.Text(n)); !d.IsText(n) && size <= maxLen && !d.Hidden(n) && !d.InLink(n) && strings.Contains(d.Text(n), a.Authors[0].Name) {
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

// chooseHeadline prefers a heading, and then the largest text: breadcrumbs and
// lists repeat the headline.
func chooseHeadline(d *dom.Document, nodes []dom.Node, styles Styles) dom.Node {
	for _, tags := range [][]dom.Tag{{dom.H1}, {dom.H2}, {dom.H3, dom.H4}} {
		for _, n := range nodes {
			if d.Closest(n, tags...) != dom.None {
				return n
			}
		}
	}
	best := dom.None
	for _, n := range nodes {
		if best == dom.None || styles.Size(n) > styles.Size(best) {
			best = n
		}
	}
	return best
}

func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

// placeLead adds the lead picture to the nodes of the story where it stands on
// the page, with its caption. It reports whether it did.
func (t *subtree) placeLead(im *article.Image, headline dom.Node, styles Styles) bool {
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
		shown.Alt = oneLine(d.Attr(n, "alt"))
		t.media[n] = &article.Block{Kind: article.Picture, Image: &shown}
		t.nodes = append(t.nodes, n)
		if f := d.Closest(n, dom.Figure); f != dom.None {
			for c := range d.All(f, dom.Figcaption) {
				if styles.Own(c, "display") != "none" { // the page may have one for each screen
					t.nodes = append(t.nodes, shownTexts(d, c)...)
					break
				}
			}
		}
		slices.Sort(t.nodes)
		t.nodes = slices.Compact(t.nodes)
		return true
	}
	return false
}

// shownTexts returns a caption and its texts.
func shownTexts(d *dom.Document, n dom.Node) []dom.Node {
	const maxWords = 100
	if d.Hidden(n) || d.Words(n) > maxWords {
		return nil
	}
	nodes := []dom.Node{n}
	for m := n; m < d.End(n); m++ {
		if d.IsText(m) && !d.Hidden(m) {
			nodes = append(nodes, m)
		}
	}
	return nodes
}

// setClass adds a class to an element.
func setClass(n *html.Node, class string) {
	if class != "" {
		set(n, "class", strings.TrimSpace(get(n, "class")+" "+class))
	}
}
