package metadata

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/lede-news/lede/dom"
	"github.com/lede-news/lede/internal/words"
)

// Scores of the candidates for the title. A heading that is similar to a declared title has
// its similarity, from minSimilar to 1.
const (
	minSimilar     = 0.5
	filedScore     = 1    // JSON-LD and <title> agree, but not the page: live pages change the visible headline by the hour
	selectedScore  = 0.49 // the method's headline, a little similar to a title
	loneScore      = 0.48 // the only <h1>, of three words or more
	crumbScore     = 0.47 // a heading in breadcrumbs that is a title
	declaredScore  = 0.46 // the best declared title
	otherSelected  = 0.25
	otherLone      = 0.2
	firstScore     = 0.15 // the first heading of the page
	onlySiteScore  = 0.1  // a title that is only the name of the site
	laterCandidate = 0.01 // the sources of later candidates are less reliable
)

// chooseTitle returns the headline. The visible one is the editors' own. The
// others are written for search engines, may be truncated and contain the name
// of the site, so they are used to find the visible one, and replace it only if
// there is none.
func (p *page) chooseTitle() (text, source string) {
	titles := p.declaredTitles()
	list := make([]candidate, 0, len(titles)+len(p.headings)+1)
	for i := range titles {
		list = append(list, titles[i].candidate)
		if t := titles[i]; !t.siteOnly && !slices.Contains(p.titles, t.text) {
			p.titles = append(p.titles, t.text)
		}
	}
	list = p.appendHeadings(list, titles)
	shown := best(list[len(titles):])
	p.rateDeclared(list, titles, shown == nil || isKnown(words.Fold(shown.text), titles))
	p.offer("title", list)
	won := best(list)
	if won == nil {
		return "", ""
	}
	switch {
	case won.node > 0:
		p.headline = won.node
	case won.score == filedScore:
		p.headline = shown.node
	default:
		p.headline = p.findTitle(won.text, list[len(titles):])
	}
	return won.text, won.source
}

// rateDeclared sets the scores of the declared titles. known reports whether one of them has the
// headline that the page shows.
func (p *page) rateDeclared(list []candidate, titles []declaredTitle, known bool) {
	for i := range titles {
		t := &titles[i]
		if list[i].score = declaredScore - laterCandidate*float32(min(i, 5)); t.siteOnly {
			list[i].score = onlySiteScore
			continue
		}
		if cut, ok := cutEllipsis(titles[0].text); ok && len(t.text) > len(titles[0].text) && strings.HasPrefix(t.key, words.Fold(cut)) {
			list[i].score += 6 * laterCandidate // the first one is truncated
		}
		agrees := func(o declaredTitle) bool { return o.source == sourceHTML && o.key == t.key }
		if !known && t.source == sourceJSONLD && p.isNews() && slices.ContainsFunc(titles, agrees) {
			list[i].score = filedScore
		}
	}
}

// isNews reports whether the page declares a news article.
func (p *page) isNews() bool {
	return slices.ContainsFunc(p.candidates[factType], func(c candidate) bool {
		return strings.HasSuffix(c.text, "NewsArticle")
	})
}

// findTitle returns the node that shows a declared title, or dom.None.
func (p *page) findTitle(title string, headings []candidate) dom.Node {
	key := words.Fold(title)
	for i := range headings {
		if words.Fold(headings[i].text) == key {
			return headings[i].node
		}
	}
	from := strings.Index(p.d.AllText(), title)
	if from < 0 || utf8.RuneCountInString(title) < 8 {
		return dom.None
	}
	return p.nodeAt(from)
}

// declaredTitle is a candidate without the names of site and section. Its keys are folded.
type declaredTitle struct {
	candidate
	words    []uint32
	key      string
	fullKey  string // with the names of site and section
	siteOnly bool   // nothing but the name of the site
}

// declaredTitles returns the titles that the page declares, the best first. Those that are
// only the name of the site come last.
func (p *page) declaredTitles() (titles []declaredTitle) {
	var siteOnly []declaredTitle
	for _, c := range p.candidates[factTitle] {
		full := cleanText(truncate(c.text, 1000))
		t := declaredTitle{candidate: c, fullKey: words.Fold(full)}
		t.text = p.trimTitle(strings.TrimSuffix(full, p.opts.TitleSuffix))
		t.key, t.words = words.Fold(t.text), bag(t.text)
		switch {
		case t.key == "":
		case p.isSiteName(t.text):
			t.siteOnly = true
			siteOnly = append(siteOnly, t)
		default:
			titles = append(titles, t)
		}
	}
	return append(titles, siteOnly...)
}

// trimTitle removes the names of the site and the section, and the separators next to
// them, from both ends of a title.
func (p *page) trimTitle(title string) string {
	seps := separators(title)
	if part := p.shownPart(title, seps); part != "" {
		return part
	}
	trimmed := false // of the name of the site, at the end
	for len(seps) > 0 {
		first, last := seps[0], seps[len(seps)-1]
		switch {
		case p.isNamePart(title[last.to:], last) && !p.isSiteName(title[:last.from]):
			title, seps, trimmed = title[:last.from], seps[:len(seps)-1], true
		case trimmed && last.kind != weakSign && isLongEnough(title[:last.from]) && p.isSection(title[last.to:], last.kind):
			title, seps = title[:last.from], seps[:len(seps)-1]
		case p.isNamePart(title[:first.from], first) && !p.isSiteName(title[first.to:]):
			title = title[first.to:]
			seps = separators(title)
		case last.kind == tightSign:
			seps = seps[:len(seps)-1]
		default:
			return title
		}
	}
	return title
}

// isNamePart reports whether the part of a title beside a separator is the name of the site.
func (p *page) isNamePart(part string, beside separator) bool {
	if beside.kind == tightSign {
		return slices.Contains(p.siteNames(), words.Fold(part))
	}
	return p.isSiteName(part)
}

// shownPart returns the longest part of a title that is a line of its own on the page, or "". That
// part is the headline, whatever the rest is. Below the body, where the name of the site may stand
// again, a line counts only if no <h1> is the first part of the title.
func (p *page) shownPart(title string, seps []separator) string {
	const maxSeparators, line, below = 8, 2, 1
	seps = slices.DeleteFunc(slices.Clone(seps), func(s separator) bool { return s.kind == tightSign })
	seps = seps[:min(len(seps), maxSeparators)]
	best, most, isHeading := "", 0, false
	for i := -1; i < len(seps); i++ {
		from := 0
		if i >= 0 {
			from = seps[i].to
		}
		for j := i + 1; j <= len(seps); j++ {
			to := len(title)
			if j < len(seps) {
				to = seps[j].from
			}
			part := title[from:max(from, to)]
			// A colon may be part of the headline: a part that ends there must
			// be a complete headline.
			colon := i >= 0 && seps[i].kind == weakSign || j < len(seps) && seps[j].kind == weakSign
			if len(part) == len(title) || p.isSiteName(part) || colon && words.Count(part, 4) < 4 {
				continue
			}
			score := 0
			switch {
			case isLongEnough(part):
				if found, inBody := p.isOwnLine(part); inBody {
					score = line
				} else if found {
					score = below
				}
			case i < 0 && !colon:
				isHeading = isHeading || p.isHeading(part)
			}
			if score > most || score == most && score > 0 && len(part) > len(best) {
				best, most = part, score
			}
		}
	}
	if isHeading && most == below {
		return ""
	}
	return best
}

// isLongEnough reports whether a text has enough words for a headline.
func isLongEnough(s string) bool {
	n := words.Count(s, 3)
	return n == 3 || n == 2 && len(s) >= 14
}

// isHeading reports whether a text is an <h1> of the story.
func (p *page) isHeading(s string) bool {
	key := words.Fold(s)
	return slices.ContainsFunc(p.headings, func(n dom.Node) bool {
		return p.d.Tag(n) == dom.H1 && p.d.Chars(n) <= maxHeadlineChars && words.Fold(p.d.Text(n)) == key &&
			!p.isAside(n) && !p.isLogo(n, s)
	})
}

// isAside reports whether a node is in a part of the page that is beside the story.
func (p *page) isAside(n dom.Node) bool {
	return p.d.Closest(n, dom.Nav, dom.Aside, dom.Footer) != dom.None
}

// isOwnLine reports whether a text is a line of its own on the page outside of links, and whether
// one is above the end of the body.
func (p *page) isOwnLine(s string) (found, above bool) {
	all := p.d.AllText()
	for at := 0; ; {
		i := strings.Index(all[at:], s)
		if i < 0 {
			return found, false
		}
		from, to := at+i, at+i+len(s)
		if (from == 0 || all[from-1] == '\n') && (to == len(all) || all[to] == '\n') {
			if n := p.nodeAt(from); !p.d.InLink(n) {
				if found = true; !p.isBelow(n) {
					return true, true
				}
			}
		}
		at = to
	}
}

// isBelow reports whether a node is below the body, where the name of the site may stand again.
func (p *page) isBelow(n dom.Node) bool {
	if p.opts.End != dom.None && n >= p.d.End(p.opts.End) {
		return true
	}
	for a := n; a != dom.None; a = p.d.Parent(a) {
		if p.d.Tag(a) == dom.Footer || footerNames.IsInName(p.d.Attr(a, "class")) || footerNames.IsInName(p.d.Attr(a, "id")) {
			return true
		}
	}
	return false
}

var footerNames = words.NewSet("footer foot copyright")

// cutEllipsis returns a title without the ellipsis at its end, and whether it
// had one.
func cutEllipsis(s string) (string, bool) {
	if t, ok := strings.CutSuffix(s, "…"); ok {
		return t, true
	}
	return strings.CutSuffix(s, "...")
}

// separator is what separates two parts of a title.
type separator struct {
	from, to int
	kind     signKind
}

type signKind uint8

const (
	strongSign signKind = iota
	weakSign            // a colon, which may as well be part of the headline
	tightSign           // a dash between letters, which may as well be part of a word
)

// separators returns what sites put between headline, section and site name.
func separators(title string) (out []separator) {
	for i := 0; i < len(title); {
		r, n := utf8.DecodeRuneInString(title[i:])
		from, to := i, i+n
		i = to
		before, _ := utf8.DecodeLastRuneInString(title[:from])
		after, _ := utf8.DecodeRuneInString(title[to:])
		spaced := before == ' ' && after == ' '
		kind := strongSign
		switch r {
		case '|', '｜', '│', '┃', 'ㅣ':
		case '»', '«', '›', '‹', '•', '·', '►', '→', '←', '¦', '–', '—', '-', '/', '>', '<', '~', '*', '―', '−':
			// Chinese titles have no spaces around separators.
			if han := before != ' ' && after != ' ' && (words.IsIdeograph(before) || words.IsIdeograph(after)); !spaced && !han {
				if r != '-' && r != '–' {
					continue
				}
				kind = tightSign
			}
		case '_':
			if !words.IsIdeograph(before) && !spaced {
				continue
			}
		case ':', '：':
			for to < len(title) && title[to] == ':' {
				to++
			}
			if r == ':' && after != ' ' && to == from+1 {
				continue
			}
			if r == ':' && before != ' ' {
				kind = weakSign
			}
		default:
			continue
		}
		from = len(strings.TrimRight(title[:from], " "))
		to = len(title) - len(strings.TrimLeft(title[to:], " "))
		if n := len(out); n > 0 && out[n-1].to >= from {
			out[n-1].to, out[n-1].kind = to, min(out[n-1].kind, kind)
		} else {
			out = append(out, separator{from, to, kind})
		}
		i = max(i, to)
	}
	return out
}
