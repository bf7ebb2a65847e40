package wrapper

import (
	"strings"

	"github.com/lede-news/lede/dom"
)

// Titles are the candidates of section 4.2 for the title of a body: subtrees
// with words that are entirely inside the screen of the body (Observation 1),
// hold no anchor text (Observation 2) and are no category name (Observation 3).
// For a body below the first screen the screen before it counts too and, with
// far, all before and one after.
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
		if whole && isCandidate(d.Tag(n)) && !s.hasAnchorText(n) && !s.isCategory(n, categories) && !s.isCrumb(n) {
			found = append(found, n)
		}
		n++
	}
	return found
}

// hasAnchorText is Observation 2. "Hyperlinks lead readers to some other
// different pages": one that leads to this page does not.
func (s *Scene) hasAnchorText(n dom.Node) bool {
	if s.links[s.Doc.End(n)] > s.links[n] {
		return true
	}
	return s.Doc.InLink(n) && !s.leadsHere(s.Doc.Closest(n, dom.A))
}

// linksBefore counts the links to other pages before every node, as a prefix sum.
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

// leadsHere tells links to the page that they are on.
func (s *Scene) leadsHere(a dom.Node) bool {
	if a == dom.None {
		return false
	}
	href, _, _ := strings.Cut(strings.TrimSpace(s.Doc.AttrOr(a, "href")), "#")
	if href == "" {
		return true
	}
	url, _, _ := strings.Cut(s.url, "#")
	return url != "" && len(href) > 1 && strings.HasSuffix(url, href)
}

// isCategory is Observation 3. A link with the text of a whole headline is no
// category but another way to this story, as in a list of what is read most.
func (s *Scene) isCategory(n dom.Node, links map[string]bool) bool {
	const longest = 4 // words of a category name
	text := s.Doc.Text(n)
	return countWords(text, longest+1) <= longest && links[foldText(text)]
}

// isCrumb belongs to Observation 3 too: what stands in a row of links is the last
// of the categories that lead to the page, also where it is a short title of the
// story, set as a heading for search engines.
func (s *Scene) isCrumb(n dom.Node) bool {
	const row = 0.5 // least share of links in what else is in the row
	d := s.Doc
	list := d.Closest(n, dom.Ul, dom.Ol, dom.Nav)
	if list == dom.None || list == n {
		return false
	}
	links, all := d.LinkChars(list)-d.LinkChars(n), d.Chars(list)-d.Chars(n)
	return links > 0 && float64(links) >= row*float64(all)
}

// categories are the texts of the links above the body: "NotCategoryName checks
// whether there is a hyperlink above the news body containing the same text".
func (s *Scene) categories(body dom.Node) map[string]bool {
	d := s.Doc
	texts := map[string]bool{}
	for a := range d.All(d.Root(), dom.A) {
		if s.links[a+1] > s.links[a] && s.rects[a].Y < s.rects[body].Y {
			texts[foldText(d.Text(a))] = true
		}
	}
	return texts
}

// foldText makes one of texts that differ in case and white space alone.
func foldText(t string) string { return strings.Join(strings.Fields(strings.ToLower(t)), " ") }

// Title gives the features of section 4.1 for a subtree beside the body.
func (s *Scene) Title(n, body dom.Node) []float64 {
	r, b := s.rects[n], s.rects[body]
	w, h := s.Screen.Width, s.Screen.Height
	screen := s.screens[body]
	text := s.Doc.Text(n)
	return []float64{
		r.X / w, (r.Y - s.screenTop(screen)) / h, s.clippedWidth(r), r.H / h,
		ratio(min(r.Right(), b.Right())-max(r.X, b.X), b.W),
		max(b.Y-r.Bottom(), r.Y-b.Bottom(), 0) / h,
		ratio(min(r.W, r.H), max(r.W, r.H)),
		min(ratio(s.types[n].Size, s.headFont[screen]), 1),
		truth(endsWithFullStop(text)),
		float64(countWords(text, maxWordNum)) / maxWordNum,
		likeness(s.said, text),
	}
}

// maxWordNum is MaxWordNum, "set to 60 in our experiments" (section 4.1.2).
const maxWordNum = 60

func ratio(part, whole float64) float64 {
	if !(part > 0) || !(whole > 0) {
		return 0
	}
	return part / whole
}

func truth(is bool) float64 {
	if is {
		return 1
	}
	return 0
}

// largestFonts gives by screen the largest size of type that words are set in,
// from the first screen to the end of that one.
func (s *Scene) largestFonts() []float64 {
	var sizes []float64
	for n := range s.screens {
		id := dom.Node(n)
		for len(sizes) <= int(s.screens[n]) {
			sizes = append(sizes, 0)
		}
		if s.Doc.IsText(id) && s.Doc.Words(id) > 0 {
			size := s.types[s.Doc.Parent(id)].Size
			if size <= farthest { // and a number
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
