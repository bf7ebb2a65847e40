package measure

import (
	"encoding/hex"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/lede-news/lede/internal/lab/eval/corpus"
)

// Structure is what an extractor returns besides a plain text.
type Structure struct {
	Blocks     []Block
	Lead       string // URL of the lead picture
	Standfirst string
}

// Block is a part of a body.
type Block struct {
	Kind string `json:"kind"` // heading, paragraph, code or picture
	Text string `json:"text,omitempty"`
	URL  string `json:"url,omitempty"` // of a picture
}

// structures returns a measure of pages whose gold and output have a structure.
func structures(m Measure, page func(*corpus.Gold, *Structure) []float64) Measure {
	m.Page = func(g *corpus.Gold, out *Output) []float64 {
		if g.Sections == nil || out.Structure == nil {
			return nil
		}
		return page(g, out.Structure)
	}
	return m
}

// headings compares the sub-headings, over all pages.
var headings = structures(Measure{
	Name: "headings", About: "sub-headings that are headings, over those of all pages",
	Figures: figuresPRF, Main: 2, Total: countsPRF,
}, func(g *corpus.Gold, out *Structure) []float64 {
	var found []string
	for _, b := range out.Blocks {
		if b.Kind == "heading" {
			found = append(found, b.Text)
		}
	}
	return same(allLetters(found...), goldHeadings(g))
})

// blocks compares paragraphs and sub-headings as a whole, so that boundaries
// count as well as purity. The summary may be in the body or apart.
var blocks = structures(Measure{
	Name: "blocks", About: "blocks of text that equal a paragraph or sub-heading, over those of all pages",
	Figures: figuresPRF, Main: 2, Total: countsPRF,
}, func(g *corpus.Gold, out *Structure) []float64 {
	gold, summary := goldHeadings(g), allLetters(g.Summary...)
	for _, s := range g.Sections {
		gold = append(gold, allLetters(s.Paragraphs...)...)
	}
	return same(slices.DeleteFunc(out.texts(), func(t string) bool { return slices.Contains(summary, t) }), gold)
})

// standfirst is the share of summaries that are the standfirst or the first block.
var standfirst = structures(Measure{
	Name: "standfirst", About: "share of the summaries that are the standfirst or the first block",
	Figures: []string{"found"}, Total: means,
}, func(g *corpus.Gold, out *Structure) []float64 {
	summary := allLetters(g.Summary...)
	if len(summary) == 0 {
		return nil
	}
	s, texts := Letters(out.Standfirst), out.texts()
	found := s == summary[0] || s == strings.Join(summary, "") || len(texts) > 0 && texts[0] == summary[0]
	return []float64{indicator(found), 1}
})

// lead is the share of cover pictures that are the lead.
var lead = structures(Measure{
	Name: "lead", About: "share of the cover pictures that are the lead",
	Figures: []string{"found"}, Total: means,
}, func(g *corpus.Gold, out *Structure) []float64 {
	i := slices.IndexFunc(g.Pictures, func(p corpus.Picture) bool { return p.Cover })
	if i < 0 {
		return nil
	}
	return []float64{indicator(out.Lead != "" && newPicture(out.Lead).like(newPicture(g.Pictures[i].URLs...))), 1}
})

// pictures compares the pictures of the lead and the body, over all pages.
var pictures = structures(Measure{
	Name: "pictures", About: "pictures of lead and body, each once, over those of all pages",
	Figures: figuresPRF, Main: 2, Total: countsPRF,
}, func(g *corpus.Gold, out *Structure) []float64 {
	if len(g.Pictures) == 0 {
		return nil
	}
	var gold, found []picture
	for _, p := range g.Pictures {
		gold = append(gold, newPicture(p.URLs...))
	}
	all := out.pictures()
	if out.Lead != "" {
		all = slices.Insert(all, 0, newPicture(out.Lead))
	}
	for _, p := range all {
		if !slices.ContainsFunc(found, p.like) {
			found = append(found, p)
		}
	}
	return []float64{float64(min(countLike(found, gold), countLike(gold, found))), float64(len(found)), float64(len(gold))}
})

// once is the share of pages on which no picture is in the body twice.
var once = structures(Measure{
	Name: "once", About: "share of pages on which no picture is in the body twice",
	Figures: []string{"pages"}, Total: means,
}, func(g *corpus.Gold, out *Structure) []float64 {
	all := out.pictures()
	twice := false
	for i, p := range all {
		twice = twice || slices.ContainsFunc(all[:i], p.like)
	}
	return []float64{indicator(!twice || len(g.Pictures) == 0), 1}
})

// allLetters returns the letters of texts, without empty ones.
func allLetters(texts ...string) []string {
	var all []string
	for _, t := range texts {
		if l := Letters(t); l != "" {
			all = append(all, l)
		}
	}
	return all
}

func goldHeadings(g *corpus.Gold) (all []string) {
	for _, s := range g.Sections {
		all = append(all, allLetters(s.Headline...)...)
	}
	return all
}

// texts returns the letters of all blocks of text.
func (s *Structure) texts() (all []string) {
	for _, b := range s.Blocks {
		all = append(all, allLetters(b.Text)...)
	}
	return all
}

// pictures returns the pictures of the body.
func (s *Structure) pictures() (all []picture) {
	for _, b := range s.Blocks {
		if b.Kind == "picture" && b.URL != "" {
			all = append(all, newPicture(b.URL))
		}
	}
	return all
}

// countLike returns how many of the pictures are like one of the others.
func countLike(pictures, others []picture) (n int) {
	for _, p := range pictures {
		if slices.ContainsFunc(others, p.like) {
			n++
		}
	}
	return n
}

// same returns how many of the found texts are in the gold, each text of the gold
// counting once, and the numbers of texts.
func same(found, gold []string) []float64 {
	return []float64{float64(countSame(found, gold)), float64(len(found)), float64(len(gold))}
}

// countsPRF returns precision, recall and F1 for the sums of what is right, of
// what was found and of what is in the gold. Precision is 1 if nothing was found,
// recall if there is nothing to find.
func countsPRF(s []float64) []float64 {
	p, r := 1.0, 1.0
	if s[1] > 0 {
		p = s[0] / s[1]
	}
	if s[2] > 0 {
		r = s[0] / s[2]
	}
	return []float64{p, r, harmonic(p, r)}
}

// picture is the set of names by which the address of a picture may be
// recognised, whatever its size, crop and format: ids, and the name of its file.
type picture map[string]bool

func newPicture(addresses ...string) picture {
	p := picture{}
	for _, a := range addresses {
		p.add(a)
	}
	return p
}

// like reports whether two pictures have a name in common.
func (p picture) like(other picture) bool {
	for name := range p {
		if other[name] {
			return true
		}
	}
	return false
}

var (
	uuids      = regexp.MustCompile(`[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}`)
	dimensions = regexp.MustCompile(`^\d+x\d+$`)
	extension  = regexp.MustCompile(`\.(jpe?g|png|webp|avif|gif)$`)
	variant    = regexp.MustCompile(`([-_~@.](w?\p{Nd}{2,4}(x\p{Nd}{2,4})?|scaled|e\p{Nd}+|rc|detail.*|metadaten.*|r\p{Nd}.*|fp[xy]\p{Nd}+))+$`)
)

// add adds the names of an address. An address without any is known by its path.
func (p picture) add(address string) {
	path, query := splitAddress(address)
	whole := lower(unescape(path + "?" + query))
	known := len(p)
	for _, id := range uuids.FindAllString(whole, -1) {
		p[id] = true
	}
	for run := range strings.FieldsFuncSeq(whole, func(r rune) bool { return !isAlphanumeric(r) }) {
		if isID(run) {
			p[run] = true
		}
	}
	const minName = 8
	file := strings.TrimRight(lower(unescape(path)), "/")
	file = file[strings.LastIndexByte(file, '/')+1:]
	file = variant.ReplaceAllString(extension.ReplaceAllString(file, ""), "")
	if utf8.RuneCountInString(file) >= minName {
		p[file] = true
	}
	if len(p) == known {
		p[unescape(path)] = true
	}
}

func isAlphanumeric(r rune) bool { return r >= '0' && r <= '9' || r >= 'a' && r <= 'z' }

// isID reports whether a run of letters and digits is a long number, or long and
// made of both, but not the size of a picture.
func isID(run string) bool {
	const minNumber, minMixed = 5, 8
	letters := strings.ContainsFunc(run, func(r rune) bool { return r >= 'a' })
	digits := strings.ContainsFunc(run, func(r rune) bool { return r <= '9' })
	if !letters {
		return len(run) >= minNumber
	}
	return digits && len(run) >= minMixed && !dimensions.MatchString(run)
}

// origin matches the scheme and the host of an address.
var origin = regexp.MustCompile(`^(?:[A-Za-z][A-Za-z0-9+.-]*:)?(?://[^/]*)?`)

// splitAddress returns path and query of an address, which need not be valid.
func splitAddress(address string) (path, query string) {
	address, _, _ = strings.Cut(strings.TrimSpace(address), "#")
	path, query, _ = strings.Cut(address, "?")
	return origin.ReplaceAllString(path, ""), query
}

var escaped = regexp.MustCompile(`%[0-9A-Fa-f]{2}`)

// unescape decodes percent-encoded bytes, and leaves anything else as it is.
func unescape(s string) string {
	s = escaped.ReplaceAllStringFunc(s, func(code string) string {
		b, _ := hex.DecodeString(code[1:])
		return string(b)
	})
	return strings.ToValidUTF8(s, "\uFFFD")
}
