package storylinks

import (
	"math"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/lede-news/lede/dom"
	"github.com/lede-news/lede/internal/page/links"
)

// FeatureNames are the names of the features, in their order.
var FeatureNames = []string{
	// of the address
	"segments", "slug words", "slug length", "last words", "last length", "path words", "first words", "longest number", "last digits", "query number",
	"date", "after date", "ids", "ending", "slash", "path length", "query length", "parameters", "address in query",
	"fragment", "same site", "host labels", "service words", "section words", "before slug", "listing", "paid", "network", "slug at end", "address score",
	// of the text
	"words", "width", "word length", "capitals", "upper case", "digits", "stop", "quote", "comma", "text service words", "text score",
	// of both
	"text in slug", "slug in text", "common words",
}

// TextFeatures is the index of the first feature that needs a text.
var TextFeatures = indexOf("words")

func indexOf(name string) int { return slices.Index(FeatureNames, name) }

var nan = float32(math.NaN())

// candidate is a link to be judged.
type candidate struct {
	target
	text  string
	words []string // of the text, in lower case
	same  float32  // 1: of the same site, 0.5: of a host of the same domain, 0: of another

	url   string // as it was found
	node  dom.Node
	self  bool // it is the page itself
	place place
}

// newCandidate returns a link with an address and a text in one line.
func newCandidate(address, text string) candidate {
	return candidate{target: parseTarget(address), text: text, words: textWords(text)}
}

func (c *candidate) setText(text string) { c.text, c.words = text, textWords(text) }

// fill computes the features but for the scores of words.
func (c *candidate) fill(row []float32, w *wordLists) {
	f := row[:0]
	add := func(values ...float32) { f = append(f, values...) }
	n := len(c.segments)
	var slug, last segment
	if n > 0 {
		last = c.segments[n-1]
	}
	words, first := 0, 0
	for i, s := range c.segments {
		if len(s.words) > len(slug.words) || len(slug.text) == 0 {
			slug = s
		}
		words += len(s.words)
		if i == 0 {
			first = len(s.words)
		}
	}
	ids, after, before := 0, 0, 0
	dated := false
	for _, s := range c.segments {
		if s.kind == kindID {
			ids++
		}
		if dated && len(s.words) > 0 {
			after = len(s.words)
		}
		dated = dated || s.date >= monthDate || s.kind == kindDate || isYear(s.text)
		if s.text == slug.text {
			break
		}
		before++
	}
	add(float32(n), float32(len(slug.words)), float32(min(len(slug.text), 200)), float32(len(last.words)),
		float32(min(len(last.text), 200)), float32(words), float32(first))
	add(float32(longestNumber(c.path)), float32(countDigits(last.text)), float32(longestNumber(c.query)))
	add(float32(c.date), float32(after), float32(ids), endingOf(c.ext), toFloat(c.slash), float32(min(len(c.path), 300)), float32(min(len(c.query), 200)))
	add(float32(countParams(c.query)), toFloat(strings.Contains(c.query, "http") || strings.Contains(c.query, "%2f%2f")))
	add(toFloat(c.fragment), c.same, float32(strings.Count(c.host, ".")))
	add(float32(w.countService(c.segments, c.host, c.same)), float32(w.countSections(c.segments)), float32(before),
		toFloat(w.isListing(c.segments)), toFloat(w.isPaid(c)), toFloat(w.isNetwork(c)), toFloat(slugAtEnd(last, slug)), nan)
	f = appendText(f, c, slug, w)
}

// appendText appends the features of the text.
func appendText(f []float32, c *candidate, slug segment, w *wordLists) []float32 {
	if c.text == "" {
		for len(f) < len(FeatureNames) {
			f = append(f, nan)
		}
		return f
	}
	t := measure(c.text)
	f = append(f, float32(min(t.words, 40)), float32(min(t.width, 300)), ratio(t.letters, t.words),
		ratio(t.capitals, t.words), ratio(t.upper, t.letters), ratio(t.digits, t.width))
	f = append(f, toFloat(t.stop), toFloat(t.quote), toFloat(t.comma), float32(w.countText(c, t.words)), nan)
	return append(f, likeness(c, slug)...)
}

// slugAtEnd reports whether the last segment is the one with most words, or is the number
// or identifier after it.
func slugAtEnd(last, slug segment) bool {
	return last.text == slug.text || last.kind == kindNumber || last.kind == kindID
}

func toFloat(b bool) float32 {
	if b {
		return 1
	}
	return 0
}

func ratio(a, b int) float32 { return float32(a) / float32(max(b, 1)) }

func endingOf(ext string) float32 {
	switch ext {
	case "":
		return 0
	case "html", "htm", "shtml", "xhtml", "story", "article", "amp", "ece":
		return 1
	case "php", "asp", "aspx", "jsp", "cfm", "do":
		return 2
	}
	return 3
}

func longestNumber(s string) (longest int) {
	for number := range strings.FieldsFuncSeq(s, func(r rune) bool { return r < '0' || r > '9' }) {
		longest = max(longest, len(number))
	}
	return longest
}

func countDigits(s string) (n int) {
	for i := range len(s) {
		if isDigit(s[i]) {
			n++
		}
	}
	return n
}

func countParams(query string) int {
	if query == "" {
		return 0
	}
	return 1 + min(strings.Count(query, "&"), 20)
}

// measures are counts of a text.
type measures struct {
	words, width, letters, capitals, upper, digits int
	stop, quote, comma                             bool
}

// measure counts words and characters. Two characters of a script without spaces
// are a word, and each is as wide as three letters.
func measure(text string) (m measures) {
	in, signs := false, 0
	var last rune
	for _, r := range text {
		m.width++
		switch {
		case links.IsSign(r):
			m.width += 2
			m.letters += 3
			signs++
			in = false
		case unicode.IsLetter(r) || unicode.IsMark(r):
			m.letters++
			if !in {
				m.words++
				if unicode.IsUpper(r) {
					m.capitals++
				}
			}
			if unicode.IsUpper(r) {
				m.upper++
			}
			in = true
		case unicode.IsDigit(r):
			m.digits++
			if !in {
				m.words++
			}
			in = true
		case r == '\'' || r == '’' || r == '-':
		case strings.ContainsRune("\"“”«»„‘「『《", r):
			m.quote, in = true, false
		case strings.ContainsRune(",:;—–，：、；،", r):
			m.comma, in = true, false
		default:
			in = false
		}
		if r != ' ' {
			last = r
		}
	}
	m.words += (signs + 1) / 2
	m.stop = strings.ContainsRune(".?!…。？！؟", last)
	return m
}

// likeness compares the words of the text with those of the address.
func likeness(c *candidate, slug segment) []float32 {
	if len(slug.words) == 0 || isLatin(c.text) != isLatin(slug.text) {
		return []float32{nan, nan, nan}
	}
	in := make(map[string]bool, len(slug.words))
	for _, w := range slug.words {
		in[stem(w)] = true
	}
	total, found := 0, 0
	common := map[string]bool{}
	for _, w := range c.words {
		if utf8.RuneCountInString(w) < 3 {
			continue
		}
		total++
		if s := stem(w); in[s] {
			found++
			common[s] = true
		}
	}
	if total == 0 {
		return []float32{nan, nan, nan}
	}
	return []float32{float32(found) / float32(total), float32(len(common)) / float32(len(in)), float32(len(common))}
}

// isLatin reports whether most letters of a text are Latin.
func isLatin(s string) bool {
	latin, other := 0, 0
	for _, r := range s {
		switch {
		case !unicode.IsLetter(r):
		case r < 0x250:
			latin++
		default:
			other++
		}
	}
	return latin >= other
}

// stem returns the beginning of a word, without accents.
func stem(w string) string {
	w = fold(w)
	n := 0
	for i := range w {
		if n++; n > 6 {
			return w[:i]
		}
	}
	return w
}

// fold replaces letters with accents, as in addresses.
func fold(w string) string {
	if strings.IndexFunc(w, func(r rune) bool { return r >= utf8.RuneSelf }) < 0 {
		return w
	}
	return folder.Replace(w)
}

var folder = strings.NewReplacer(
	"ä", "a", "á", "a", "à", "a", "â", "a", "ã", "a", "å", "a", "ą", "a", "ă", "a", "æ", "ae",
	"é", "e", "è", "e", "ê", "e", "ë", "e", "ę", "e", "ě", "e",
	"í", "i", "ì", "i", "î", "i", "ï", "i", "ı", "i",
	"ö", "o", "ó", "o", "ò", "o", "ô", "o", "õ", "o", "ø", "o", "ő", "o", "œ", "oe",
	"ü", "u", "ú", "u", "ù", "u", "û", "u", "ů", "u", "ű", "u", "ý", "y",
	"ç", "c", "ć", "c", "č", "c", "ñ", "n", "ń", "n", "ň", "n", "ś", "s", "š", "s", "ş", "s", "ș", "s", "ß", "ss",
	"ź", "z", "ż", "z", "ž", "z", "ł", "l", "ľ", "l", "ř", "r", "ť", "t", "ț", "t", "ţ", "t", "ď", "d", "đ", "d", "ð", "d", "ğ", "g",
)

var apostrophes = strings.NewReplacer("'", "", "’", "")

// textWords returns the words of a text in lower case.
func textWords(text string) []string {
	text = apostrophes.Replace(strings.ToLower(text))
	return strings.FieldsFunc(text, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsMark(r) && !unicode.IsDigit(r) })
}
