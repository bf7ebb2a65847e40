package blocks

import (
	_ "embed"
	"strings"

	"github.com/lede-news/lede/dom"
)

//go:embed page.txt
var pageList string

// PageFeatures are the names of the numbers that PageRow gives, in its order.
var PageFeatures = readList(pageList)

// PageRow tells what kind of page it is: p is how probably each block is story,
// kept which of them were chosen.
func (v *View) PageRow(url string, t *Tables, p []float32, kept []bool) []float32 {
	out := make([]float32, 0, len(PageFeatures))
	out = v.ofStory(out, p, kept)
	out = v.ofWhole(out)
	out = v.ofTags(out)
	out = ofAddress(out, url)
	return v.ofKinds(out, url, t)
}

// ofStory tells of what was chosen.
func (v *View) ofStory(out, p []float32, kept []bool) []float32 {
	var c dom.Counts
	var blocks, runs, run, longest, headings, first, prose int32
	var mass, sure float32
	best := float32(0)
	last := false
	for i := range v.Blocks {
		b := &v.Blocks[i]
		mass += p[i] * float32(b.Words())
		best = max(best, p[i])
		if kept[i] {
			if blocks == 0 {
				first = int32(i)
			}
			blocks++
			c.Words += b.Counts.Words
			c.Chars += b.Counts.Chars
			c.LinkChars += b.Counts.LinkChars
			c.Stops += b.Counts.Stops
			c.Digits += b.Counts.Digits
			sure += p[i] * float32(b.Words())
			if v.IsHeading(i) {
				headings++
			}
			if b.IsProse() {
				prose += b.Counts.Words
			}
			if !last {
				runs++
				run = 0
			}
			run += b.Counts.Words
			longest = max(longest, run)
		}
		last = kept[i]
	}
	before := int32(0)
	if blocks > 0 {
		before = v.Doc.Between(0, v.Blocks[first].First).Words
	}
	return append(out, log(c.Words), share(c.Words, v.total.Words), log(blocks), share(c.Words, blocks), float32(c.LinkDensity()),
		share(c.Stops, c.Words), share(c.Digits, c.Chars), log(longest), log(runs), share(headings, blocks), share(prose, c.Words),
		best, mass/float32(max(v.total.Words, 1)), sure/float32(max(c.Words, 1)), 2*sure/max(float32(c.Words)+mass, 1), share(before, v.total.Words))
}

// ofWhole tells of the page as a whole.
func (v *View) ofWhole(out []float32) []float32 {
	c := &v.total
	var cards, cardWords int32
	for k := range v.ground {
		if a := v.ground[k].alike; a > cards && v.Doc.Words(dom.Node(k)) > 8 {
			cards, cardWords = a, int32(v.Doc.Words(dom.Node(k)))
		}
	}
	var years, clocks, questions int32
	for i := range v.looks {
		l := &v.looks[i]
		if l.year {
			years++
		}
		if l.clock {
			clocks++
		}
		questions += int32(l.questions)
	}
	title, from := float32(0), float32(-1)
	var words int32
	if v.Headline >= 0 {
		title, from, words = v.title[v.Headline], float32(v.Headline)/float32(len(v.Blocks)), v.Blocks[v.Headline].Counts.Words
	}
	dated := float32(-1)
	const near = 12 // blocks
	for i := max(v.Headline, 0); i < min(len(v.looks), v.Headline+near); i++ {
		if v.looks[i].year && v.Blocks[i].Words() < 30 {
			dated = float32(i - v.Headline)
			break
		}
	}
	return append(out, dated, log(c.Words), float32(c.LinkDensity()), log(c.Links), share(int32(v.prose), c.Words), log(int32(len(v.Blocks))), log(c.Images),
		log(c.Paras), share(c.Digits, c.Chars), share(c.Punct, c.Words), log(cards), log(cardWords), share(cards*cardWords, c.Words),
		log(years), log(clocks), share(questions, c.Words), title, from, log(words))
}

// ofTags counts elements that some kinds of pages have many of.
func (v *View) ofTags(out []float32) []float32 {
	d := v.Doc
	var count [256]int32
	for n := dom.Node(0); int(n) < d.Len(); n++ {
		if !d.Hidden(n) {
			count[d.Tag(n)]++
		}
	}
	var code int32
	for i := range v.Blocks {
		if v.ground[v.Blocks[i].First].in&inCode != 0 {
			code += v.Blocks[i].Counts.Words
		}
	}
	for _, tag := range [...]dom.Tag{dom.Article, dom.H1, dom.H2, dom.H3, dom.Li, dom.Tr, dom.Input, dom.Button, dom.Form, dom.Time, dom.Figure, dom.Pre, dom.Blockquote, dom.Section, dom.Select, dom.Video, dom.Iframe} {
		out = append(out, log(count[tag]))
	}
	return append(out, share(code, v.total.Words))
}

// ofAddress tells what the address of a page looks like.
func ofAddress(out []float32, url string) []float32 {
	if url == "" {
		return append(out, -1, -1, -1, -1, -1, -1)
	}
	path := pathOf(url)
	query := strings.ContainsRune(url, '?')
	segments := strings.Split(strings.Trim(path, "/"), "/")
	slug := segments[len(segments)-1]
	digits := 0
	for _, c := range path {
		if c >= '0' && c <= '9' {
			digits++
		}
	}
	depth := len(segments)
	if segments[0] == "" {
		depth = 0
	}
	return append(out, float32(depth), float32(len(slug)), float32(strings.Count(slug, "-")), float32(digits), is(query), is(strings.HasSuffix(path, "/")))
}

// pathOf is the path of an address, without scheme, host and query.
func pathOf(url string) string {
	_, rest, ok := strings.Cut(url, "://")
	if !ok {
		rest = url
	}
	i := strings.IndexByte(rest, '/')
	if i < 0 {
		return ""
	}
	rest = rest[i:]
	if j := strings.IndexAny(rest, "?#"); j >= 0 {
		rest = rest[:j]
	}
	return rest
}

// ofKinds tells what the page calls itself.
func (v *View) ofKinds(out []float32, url string, t *Tables) []float32 {
	var low, high, sum, n int32
	EachKind(v.Doc, url, func(place uint32) {
		x := int32(t.Kinds[place])
		low, high = min(low, x), max(high, x)
		sum += x
		n++
	})
	return append(out, float32(low), float32(high), float32(sum), share(sum, n))
}

// EachKind calls do with the place of every word by which a page tells what
// kind of page it is: the names of its body, the words of its address and title,
// the types of JSON-LD and OpenGraph.
func EachKind(d *dom.Document, url string, do func(place uint32)) {
	say := func(salt uint32) func(uint32) {
		return func(p uint32) { do(place(p*step + salt)) }
	}
	const ofBody, ofPath, ofType, ofMeta, ofTitle = 1, 2, 3, 4, 5
	for _, tag := range [...]dom.Tag{dom.HTML, dom.Body} {
		if n := d.First(tag); n != dom.None {
			eachName(d.AttrOr(n, "class"), say(ofBody))
			eachName(d.AttrOr(n, "id"), say(ofBody))
		}
	}
	eachName(pathOf(url), say(ofPath))
	if n := d.First(dom.Title); n != dom.None {
		w := words{text: d.Raw(n)}
		for range most {
			h, ok := w.next()
			if !ok {
				break
			}
			do(place(h*step + ofTitle))
		}
	}
	for n := range d.All(0, dom.Meta) {
		switch key := d.AttrOr(n, "property"); {
		case key == "":
			if name := d.AttrOr(n, "name"); len(name) < 40 {
				eachName(name, say(ofMeta))
			}
		case key == "og:type":
			eachName(d.AttrOr(n, "content"), say(ofType))
		case strings.HasPrefix(key, "article:"), strings.HasPrefix(key, "product:"):
			eachName(key, say(ofMeta))
		}
	}
	for n := range d.All(0, dom.Script) {
		if strings.EqualFold(d.AttrOr(n, "type"), "application/ld+json") {
			eachType(d.Raw(n), say(ofType))
		}
	}
}

// eachType goes through the types that stand in JSON-LD. It need not parse it:
// what is asked is whether the words are there.
func eachType(json string, do func(place uint32)) {
	const most = 24
	for range most {
		_, rest, ok := strings.Cut(json, `"@type"`)
		if !ok {
			return
		}
		json = rest
		_, rest, ok = strings.Cut(rest, `"`)
		if !ok {
			return
		}
		name, _, _ := strings.Cut(rest, `"`)
		h := uint32(seed)
		for i := range min(len(name), 40) {
			h = (h ^ uint32(name[i]|0x20)) * step
		}
		do(place(h))
	}
}
