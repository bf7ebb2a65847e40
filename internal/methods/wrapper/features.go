package wrapper

import (
	"math"
	"strings"

	"github.com/lede-news/lede/dom"
	"github.com/lede-news/lede/internal/words"
	"github.com/lede-news/lede/method"
)

// Kind is the kind of a feature: it describes the place or the content of a
// subtree.
type Kind string

const (
	Spatial Kind = "spatial"
	Content Kind = "content"
)

// Feature is a number that describes a subtree, with its name in the paper.
type Feature struct {
	Name string
	Kind Kind
	// Own is set if the feature is not in the paper.
	Own bool
}

// BodyFeatures are those of section 3.1, in the order of [Scene.Body].
func BodyFeatures() []Feature {
	return []Feature{
		{Name: "FormattingElementsNum", Kind: Content}, {Name: "FormattedContentLen", Kind: Content},
		{Name: "RectLeft", Kind: Spatial}, {Name: "RectTop", Kind: Spatial},
		{Name: "RectWidth", Kind: Spatial}, {Name: "RectHeight", Kind: Spatial},
		{Name: "ProseLen", Kind: Content, Own: true}, {Name: "ProseShare", Kind: Content, Own: true},
	}
}

// TitleFeatures are those of section 4.1, in the order of [Scene.Title].
func TitleFeatures() []Feature {
	return []Feature{
		{Name: "RectLeft", Kind: Spatial}, {Name: "RectTop", Kind: Spatial},
		{Name: "RectWidth", Kind: Spatial}, {Name: "RectHeight", Kind: Spatial},
		{Name: "Overlap", Kind: Spatial}, {Name: "Distance", Kind: Spatial}, {Name: "Flat", Kind: Spatial},
		{Name: "FontSize", Kind: Content}, {Name: "EndWithFullStop", Kind: Content}, {Name: "WordNum", Kind: Content},
		{Name: "PageTitle", Kind: Content, Own: true},
	}
}

// Bodies returns the candidates of section 3.3 by screen, the first screen first:
// subtrees whose top border is inside the screen (Observation 1) and that are big
// enough, as is everything around them (Observation 2).
func (s *Scene) Bodies() [][]dom.Node {
	var byScreen [][]dom.Node
	d := s.Doc
	for n := dom.Node(0); int(n) < d.Len(); {
		switch {
		case d.Hidden(n) || d.IsText(n) || !s.isBigEnough(n):
			n = d.End(n)
			continue
		case isCandidate(d.Tag(n)):
			for len(byScreen) <= int(s.screens[n]) {
				byScreen = append(byScreen, nil)
			}
			byScreen[s.screens[n]] = append(byScreen[s.screens[n]], n)
		}
		n++
	}
	return byScreen
}

// isBigEnough is BigEnough, for elements with words.
func (s *Scene) isBigEnough(n dom.Node) bool {
	const minArea = 0.02 // of a screen: two lines of a column
	r := s.rects[n]
	return r.W*r.H >= minArea*s.Screen.Width*s.Screen.Height && isShown(r) && s.Doc.Words(n) > 0
}

// isCandidate excludes elements outside <body>.
func isCandidate(t dom.Tag) bool { return t != dom.Root && t != dom.HTML && t != dom.Head }

// Body returns the features of section 3.1 for a subtree.
func (s *Scene) Body(n dom.Node) []float64 {
	r := s.rects[n]
	f := make([]float64, 0, len(BodyFeatures()))
	f = append(f, ratio(s.formats.num[n], s.formats.allNum), ratio(s.formats.chars[n], s.formats.allChars))
	f = append(f, s.bodyRect(r, s.screenTop(s.screens[n]))...)
	prose := s.prose[s.Doc.End(n)] - s.prose[n]
	return append(f, ratio(prose, s.prose[s.Doc.Len()]), ratio(prose, int32(s.Doc.Chars(n))))
}

// bodyRect normalises a rectangle as in section 3.1.2: it is clipped to two screens
// from top on, and divided by their size.
func (s *Scene) bodyRect(r method.Box, top float64) []float64 {
	two := 2 * s.Screen.Height
	y, bottom := max(r.Y-top, 0), max(r.Bottom()-top, 0)
	height := max(min(bottom, two)-y, 0)
	return []float64{r.X / s.Screen.Width, y / two, s.clippedWidth(r), height / two}
}

// clippedWidth returns RectWidth, for bodies and titles alike. It is 0 for a
// rectangle right of the screen.
func (s *Scene) clippedWidth(r method.Box) float64 {
	return max(min(r.Right(), s.Screen.Width)-r.X, 0) / s.Screen.Width
}

// Titles returns the candidates of section 4.2 for the title of a body: subtrees
// with words that are entirely inside the screen of the body (Observation 1), have
// no anchor text (Observation 2) and are no category name (Observation 3). For a
// body below the first screen the screen before it counts too and, with far, all
// before and one after.
func (s *Scene) Titles(body dom.Node, far bool) []dom.Node {
	var found []dom.Node
	d := s.Doc
	first, last := max(s.screens[body]-1, 0), s.screens[body]
	if far {
		first, last = 0, last+1
	}
	from, to := s.screenTop(first), s.screenTop(last+1)
	categories := s.categories(body)
	for n := dom.Node(1); int(n) < d.Len(); {
		if d.Hidden(n) || d.IsText(n) || s.screens[n] > last || d.Words(n) == 0 {
			n = d.End(n)
			continue
		}
		r := s.rects[n]
		whole := isShown(r) && r.Y >= from && r.Bottom() <= to
		if whole && isCandidate(d.Tag(n)) && !s.hasAnchorText(n) && !s.isCategory(n, categories) {
			found = append(found, n)
		}
		n++
	}
	return found
}

// hasAnchorText is Observation 2. "Hyperlinks lead readers to some other different
// pages": a link to this page does not count, but in the preset "paper" it does,
// since titles "cannot contain any anchor text".
func (s *Scene) hasAnchorText(n dom.Node) bool {
	if s.paper {
		return s.Doc.InLink(n) || s.Doc.LinkChars(n) > 0
	}
	if s.links[s.Doc.End(n)] > s.links[n] {
		return true
	}
	return s.Doc.InLink(n) && !s.leadsHere(s.Doc.Closest(n, dom.A))
}

// linksBefore returns the number of links to other pages before every node.
func (s *Scene) linksBefore() []int32 {
	d := s.Doc
	sums := make([]int32, d.Len()+1)
	for n := range d.Len() {
		id := dom.Node(n)
		sums[n+1] = sums[n]
		if d.Tag(id) == dom.A && d.InLink(id) && d.Chars(id) > 0 && !s.leadsHere(id) {
			sums[n+1]++
		}
	}
	return sums
}

// leadsHere reports whether a link leads to the page that it is on.
func (s *Scene) leadsHere(a dom.Node) bool {
	if a == dom.None {
		return false
	}
	href, _, _ := strings.Cut(strings.TrimSpace(s.Doc.Attr(a, "href")), "#")
	if href == "" {
		return true
	}
	url, _, _ := strings.Cut(s.url, "#")
	return url != "" && len(href) > 1 && strings.HasSuffix(url, href)
}

// isCategory is Observation 3. A link with the text of a whole headline is no
// category but leads to this article, for example in a list of most read articles.
// The paper does not make this exception.
func (s *Scene) isCategory(n dom.Node, links map[string]bool) bool {
	const maxWords = 4 // of a category name
	text := s.Doc.Text(n)
	return (s.paper || words.Count(text, maxWords+1) <= maxWords) && links[words.Fold(text)]
}

// categories returns the texts of the links above the body: "NotCategoryName checks
// whether there is a hyperlink above the news body containing the same text".
func (s *Scene) categories(body dom.Node) map[string]bool {
	d := s.Doc
	texts := map[string]bool{}
	for a := range d.All(d.Root(), dom.A) {
		if (s.links[a+1] > s.links[a] || s.paper && d.InLink(a)) && s.rects[a].Y < s.rects[body].Y {
			texts[words.Fold(d.Text(a))] = true
		}
	}
	return texts
}

// Title returns the features of section 4.1 for a subtree and a body.
func (s *Scene) Title(n, body dom.Node) []float64 {
	r, b := s.rects[n], s.rects[body]
	w, h := s.Screen.Width, s.Screen.Height
	screen := s.screens[body]
	text, limit := s.Doc.Text(n), maxWordNum
	if s.paper {
		limit = math.MaxInt
	}
	return []float64{
		r.X / w, (r.Y - s.screenTop(screen)) / h, s.clippedWidth(r), r.H / h,
		ratio(min(r.Right(), b.Right())-max(r.X, b.X), b.W),
		max(b.Y-r.Bottom(), r.Y-b.Bottom(), 0) / h,
		ratio(min(r.W, r.H), max(r.W, r.H)),
		min(ratio(s.fonts[n].Size, s.headFont[screen]), 1),
		truth(endsWithFullStop(text)),
		float64(words.Count(text, limit)) / maxWordNum,
		similarity(s.titles, text),
	}
}

// maxWordNum is MaxWordNum, "set to 60 in our experiments" (section 4.1.2). The
// paper divides by it, but does not stop counting there.
const maxWordNum = 60

// ratio returns part / whole, or 0 if one of them is not positive.
func ratio[N int32 | float64](part, whole N) float64 {
	if !(part > 0) || !(whole > 0) {
		return 0
	}
	return float64(part) / float64(whole)
}

func truth(is bool) float64 {
	if is {
		return 1
	}
	return 0
}

// largestFonts returns by screen the largest font size of words, from the first
// screen to the end of that one.
func (s *Scene) largestFonts() []float64 {
	var sizes []float64
	for n := range s.screens {
		id := dom.Node(n)
		for len(sizes) <= int(s.screens[n]) {
			sizes = append(sizes, 0)
		}
		if s.Doc.IsText(id) && s.Doc.Words(id) > 0 {
			size := s.fonts[s.Doc.Parent(id)].Size
			if size <= maxSize { // and not NaN
				at := &sizes[s.screens[n]]
				*at = max(*at, size)
			}
		}
	}
	for i := 1; i < len(sizes); i++ {
		sizes[i] = max(sizes[i], sizes[i-1])
	}
	return sizes
}
