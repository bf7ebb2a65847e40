package blocks

import (
	_ "embed"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/lede-news/lede/dom"
)

//go:embed page.txt
var pageList string

//go:embed choice.txt
var choiceList string

//go:embed url.txt
var urlList string

var (
	// PageFeatures are the names of the features of a page before its blocks are
	// judged, in the order of PageRow.
	PageFeatures = readFeatures(pageList)
	// ChoiceFeatures are the names of the features of a page with a choice of blocks, in
	// the order of ChoiceRow.
	ChoiceFeatures = readFeatures(pageList + choiceList)
	// KindFeatures are those and the names of the features of the URL, in the order of KindRow.
	KindFeatures = readFeatures(pageList + choiceList + urlList)
)

// PageRow returns the features of the page that do not depend on its URL. It computes them
// on the first call.
func (v *View) PageRow() []float32 {
	if len(v.page) == 0 {
		v.page = v.appendPage(v.page)
		v.page = v.appendTags(v.page)
		v.page = v.appendPageWords(v.page, "")
	}
	return v.page
}

// ChoiceRow returns the features of the page, given the probability that each block belongs
// to the article, and which blocks are kept.
func (v *View) ChoiceRow(p []float32, kept []bool) []float32 {
	out := append(make([]float32, 0, len(KindFeatures)), v.PageRow()...)
	out = v.appendChosen(out, p, kept)
	return v.appendDoubts(out, p, kept)
}

// KindRow returns the features of a choice and those of the URL, which may be empty.
func (v *View) KindRow(choice []float32, url string) []float32 {
	out := appendURL(slices.Clip(choice), url)
	return v.appendPageWords(out, url)
}

// appendChosen describes the kept blocks.
func (v *View) appendChosen(out, p []float32, kept []bool) []float32 {
	var c dom.Counts
	var blocks, runs, run, longest, headings, prose, before int32
	var mass, sure, best float32
	for i := range v.Blocks {
		b := &v.Blocks[i]
		w := p[i] * float32(b.Words())
		mass += w
		best = max(best, p[i])
		if !kept[i] {
			continue
		}
		if blocks == 0 {
			before = v.Doc.Between(0, b.First).Words
		}
		blocks++
		c.Words += b.Counts.Words
		c.Chars += b.Counts.Chars
		c.LinkChars += b.Counts.LinkChars
		c.Stops += b.Counts.Stops
		c.Digits += b.Counts.Digits
		sure += w
		if v.IsHeading(i) {
			headings++
		}
		if b.IsProse() {
			prose += b.Counts.Words
		}
		if i == 0 || !kept[i-1] {
			runs++
			run = 0
		}
		run += b.Counts.Words
		longest = max(longest, run)
	}
	return append(out, log(c.Words), ratio(c.Words, v.total.Words), log(blocks), ratio(c.Words, blocks), float32(c.LinkDensity()),
		ratio(c.Stops, c.Words), ratio(c.Digits, c.Chars), log(longest), log(runs), ratio(headings, blocks), ratio(prose, c.Words),
		best, mass/float32(max(v.total.Words, 1)), sure/float32(max(c.Words, 1)), 2*sure/max(float32(c.Words)+mass, 1), ratio(before, v.total.Words))
}

// appendDoubts describes signs of a wrong choice: of a second story in it, of text that may
// belong to the article and was left out, and of decisions by rules against the model.
func (v *View) appendDoubts(out, p []float32, kept []bool) []float32 {
	first, last := slices.Index(kept, true), len(kept)-1
	for last >= 0 && !kept[last] {
		last--
	}
	var s soFar
	var words, unclear, changed, left int32
	for i := range v.Blocks {
		w := v.Blocks[i].Counts.Words
		if i >= first && i <= last {
			v.countStory(i, &s)
		}
		if kept[i] {
			words += w
		} else if v.Blocks[i].IsProse() {
			left += w
		}
		if p[i] > 0.2 && p[i] < 0.8 {
			unclear += w
		}
		if kept[i] != (p[i] >= 0.5) && i != v.Headline {
			changed += w
		}
	}
	declared := float32(-9)
	if n := v.declaredWords(); n > 0 {
		declared = log(words) - log(n)
	}
	return append(out, float32(s.topRanks), float32(s.headlines), float32(s.dates), log(s.longestGap),
		ratio(unclear, words), ratio(changed, words), ratio(left, words), declared)
}

// declaredWords returns the number of words that the page declares for its article, or 0.
func (v *View) declaredWords() int32 {
	for n := range v.Doc.All(0, dom.Script) {
		if !isJSONLD(v.Doc, n) {
			continue
		}
		if m := wordCount.FindStringSubmatch(v.Doc.Raw(n)); m != nil {
			n, _ := strconv.Atoi(m[1])
			return int32(n)
		}
	}
	return 0
}

func isJSONLD(d *dom.Document, script dom.Node) bool {
	return strings.EqualFold(d.Attr(script, "type"), "application/ld+json")
}

var wordCount = regexp.MustCompile(`"wordCount"[: "\t\n]*([0-9]{0,7})`)

// appendPage describes the page as a whole.
func (v *View) appendPage(out []float32) []float32 {
	c := &v.total
	var cards, cardWords int32
	for k := range v.elements {
		if a := v.elements[k].similar; a > cards && v.Doc.Words(dom.Node(k)) > 8 {
			cards, cardWords = a, int32(v.Doc.Words(dom.Node(k)))
		}
	}
	var years, clocks, questions int32
	for i := range v.stats {
		l := &v.stats[i]
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
		title, from, words = v.Similarity[v.Headline], float32(v.Headline)/float32(len(v.Blocks)), v.Blocks[v.Headline].Counts.Words
	}
	dated := float32(-1)
	const maxBlocks = 12 // from the headline
	for i := max(v.Headline, 0); i < min(len(v.stats), v.Headline+maxBlocks); i++ {
		if v.stats[i].year && v.Blocks[i].Words() < 30 {
			dated = float32(i - v.Headline)
			break
		}
	}
	return append(out, dated, log(c.Words), float32(c.LinkDensity()), log(c.Links), ratio(int32(v.proseWords), c.Words), log(int32(len(v.Blocks))), log(c.Images),
		log(c.Paras), ratio(c.Digits, c.Chars), ratio(c.Punct, c.Words), log(cards), log(cardWords), ratio(cards*cardWords, c.Words),
		log(years), log(clocks), ratio(questions, c.Words), title, from, log(words))
}

// appendTags counts elements that are typical of some kinds of pages.
func (v *View) appendTags(out []float32) []float32 {
	d := v.Doc
	var count [256]int32
	for n := dom.Node(0); int(n) < d.Len(); n++ {
		if !d.Hidden(n) {
			count[d.Tag(n)]++
		}
	}
	var code int32
	for i := range v.Blocks {
		if v.elements[v.Blocks[i].First].in&inCode != 0 {
			code += v.Blocks[i].Counts.Words
		}
	}
	for _, tag := range [...]dom.Tag{dom.Article, dom.H1, dom.H2, dom.H3, dom.Li, dom.Tr, dom.Input, dom.Button, dom.Form, dom.Time, dom.Figure, dom.Pre, dom.Blockquote, dom.Section, dom.Select, dom.Video, dom.Iframe} {
		out = append(out, log(count[tag]))
	}
	return append(out, ratio(code, v.total.Words))
}

// appendURL describes the URL of the page.
func appendURL(out []float32, url string) []float32 {
	if url == "" {
		return append(out, -1, -1, -1, -1, -1, -1)
	}
	path := pathOf(url)
	inner := strings.Trim(path, "/")
	slug := inner[strings.LastIndexByte(inner, '/')+1:]
	digits, depth := 0, 0
	for _, c := range path {
		if c >= '0' && c <= '9' {
			digits++
		}
	}
	if inner != "" {
		depth = strings.Count(inner, "/") + 1
	}
	return append(out, float32(depth), float32(len(slug)), float32(strings.Count(slug, "-")), float32(digits),
		flag(strings.Contains(url, "?")), flag(strings.HasSuffix(path, "/")))
}

// pathOf returns the path of a URL, without scheme, host and query.
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

// appendPageWords sums up the scores of the words that hint at the kind of page.
func (v *View) appendPageWords(out []float32, url string) []float32 {
	var low, high, sum, n int32
	EachKind(v.Doc, url, func(word uint32) {
		x := int32(v.tables.Kinds.score(word))
		low, high = min(low, x), max(high, x)
		sum += x
		n++
	})
	return append(out, float32(low), float32(high), float32(sum), ratio(sum, n))
}

// EachKind calls do with the hash of every word that hints at the kind of page:
// the names of <html> and <body>, the words of the URL and the title, the types
// of JSON-LD and OpenGraph.
func EachKind(d *dom.Document, url string, do func(word uint32)) {
	names := func(name string, salt uint32) {
		eachName(name, func(h uint32) { do(h*step + salt) })
	}
	const ofBody, ofPath, ofType, ofMeta, ofTitle = 1, 2, 3, 4, 5
	for _, tag := range [...]dom.Tag{dom.HTML, dom.Body} {
		if n := d.First(tag); n != dom.None {
			names(d.Attr(n, "class"), ofBody)
			names(d.Attr(n, "id"), ofBody)
		}
	}
	names(pathOf(url), ofPath)
	if n := d.First(dom.Title); n != dom.None {
		w := wordReader{text: d.Raw(n)}
		for range maxTitleWords {
			h, ok := w.next()
			if !ok {
				break
			}
			do(h*step + ofTitle)
		}
	}
	for n := range d.All(0, dom.Meta) {
		switch key := d.Attr(n, "property"); {
		case key == "":
			if name := d.Attr(n, "name"); len(name) < 40 {
				names(name, ofMeta)
			}
		case key == "og:type":
			names(d.Attr(n, "content"), ofType)
		case strings.HasPrefix(key, "article:"), strings.HasPrefix(key, "product:"):
			names(key, ofMeta)
		}
	}
	const maxTypes, maxName = 24, 40
	for n := range d.All(0, dom.Script) {
		if !isJSONLD(d, n) {
			continue
		}
		rest := d.Raw(n) // not parsed: it only matters which types occur
		for range maxTypes {
			_, after, _ := strings.Cut(rest, `"@type"`)
			_, after, ok := strings.Cut(after, `"`)
			if !ok {
				break
			}
			name, _, _ := strings.Cut(after, `"`)
			h := uint32(seed)
			for i := range min(len(name), maxName) {
				h = (h ^ uint32(name[i]|0x20)) * step
			}
			do(h*step + ofType)
			rest = after
		}
	}
}
