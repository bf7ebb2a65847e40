package metadata

import (
	_ "embed"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/lede-news/lede/dom"
	"github.com/lede-news/lede/internal/page/lines"
)

//go:embed data/standfirst.txt
var standfirstFile string

// chooseStandfirst returns the standfirst. What the page shows below the headline
// is the editors' own. Descriptions are written for search engines and may be
// truncated, so they help to find it, and replace it only if there is none.
func (p *page) chooseStandfirst() (text, source string) {
	text, source = p.candidates.first(factStandfirst, cleanText)
	var descriptions []description
	for i := range p.candidates[factStandfirst] {
		descriptions = p.addDescription(descriptions, cleanText(truncate(p.candidates[factStandfirst][i].text, 1000)))
	}
	if shown := p.shownStandfirst(descriptions); shown != "" {
		return shown, sourceHTML
	}
	if rest := p.withoutEllipsis(text); rest != "" {
		return rest, sourceHTML
	}
	return text, source
}

// description is a standfirst that the page declares.
type description struct {
	text, key string
	words     []uint32
}

func (p *page) addDescription(list []description, text string) []description {
	const most = 4 // sources mostly agree
	key := p.fold(text)
	if key == "" || len(list) == most {
		return list
	}
	for i := range list {
		if list[i].key == key {
			return list
		}
	}
	return append(list, description{text, key, p.bag(text)})
}

// shownStandfirst returns the line below the headline that is the standfirst by
// its name, its place or its likeness to a description, or "".
func (p *page) shownStandfirst(descriptions []description) string {
	const (
		window   = 5000 // bytes after the headline
		minLen   = 25
		maxLen   = 900
		minWords = 8 // of a line with a general name
		sentence = 60
		lines    = 3 // so many sentences later the body has begun for certain

		specific = 5
		general  = 2
		similar  = 3
		isNext   = 4 // a long heading that follows the headline
		tie      = 1 // a specific name for a heading
	)
	if p.headline == dom.None {
		return ""
	}
	_, from := p.d.Span(p.headline)
	headline := p.d.Text(p.headline)
	title := p.fold(headline)
	best, most, begun := "", 0, 0
	for at, line := range (textRange{from, min(len(p.d.AllText()), from+window)}).lines(p.d) {
		if begun == lines {
			break
		}
		if len(line) > maxLen {
			begun++
			continue
		}
		if len(line) < minLen || countWords(line, 5) < 5 || len(line) <= 2*len(headline) && isFolded(line, title) {
			continue
		}
		name, heading := p.standfirstName(p.nodeAt(at), at, len(line))
		score := 0
		switch {
		case name == excludedName:
			continue
		case begun > 0:
		case name == specificName:
			score = specific
			if heading {
				score += tie
			}
		case heading && most == 0 && (name == generalName || isWholeSentence(line)):
			score = isNext
		case name == generalName && countWords(line, minWords) == minWords:
			score = general
		}
		if isLike(line, descriptions) {
			score += similar
		}
		if score == 0 && len(line) >= sentence && endsSentence(line) {
			begun++
		}
		if score > most {
			best, most = line, score
		}
	}
	return p.withoutByline(collapseSpace(best))
}

// isWholeSentence reports whether a heading has so many words that it says more
// than a headline.
func isWholeSentence(s string) bool {
	const many, few = 12, 8
	return countWords(s, many) == many || strings.HasSuffix(s, ".") && countWords(s, few) == few
}

// isLike reports whether a line is a variant of a description: most words are
// the same, or one begins with the other.
func isLike(line string, descriptions []description) bool {
	const minShared = 0.6
	if len(descriptions) == 0 {
		return false
	}
	var folded [1024]byte
	var hashes [256]uint32
	key := appendFolded(folded[:0], line)
	var w []uint32
	for i := range descriptions {
		d := &descriptions[i]
		short := min(len(key), len(d.key))
		if short >= 30 && 3*short >= 2*max(len(key), len(d.key)) && string(key[:short]) == d.key[:short] || isCutFrom(d.text, d.key, key) {
			return true
		}
		if w == nil {
			w = appendBag(hashes[:0], line)
		}
		if 3*min(len(w), len(d.words)) >= max(len(w), len(d.words)) && dice(w, d.words) >= minShared {
			return true
		}
	}
	return false
}

// isCutFrom reports whether a description is the truncated beginning of a line.
func isCutFrom(text, key string, line []byte) bool {
	return len(key) >= 40 && len(line) > len(key) && len(line) <= 4*len(key) && string(line[:len(key)]) == key && !endsSentence(text)
}

// endsSentence reports whether a text ends as a sentence does. An ellipsis is no
// such end.
func endsSentence(s string) bool {
	s = strings.TrimRight(s, " \"'”’»«)]“‘")
	if _, cut := cutEllipsis(s); cut {
		return false
	}
	r, _ := utf8.DecodeLastRuneInString(s)
	return strings.ContainsRune(".!?。！？؟।", r)
}

// withoutEllipsis returns the line of the page that a description was cut from, or
// "". The line may be anywhere: it need not be below a headline.
func (p *page) withoutEllipsis(text string) string {
	const minLen, maxLen = 40, 600
	cut, _ := cutEllipsis(text)
	if cut = strings.TrimSpace(cut); len(cut) < minLen || len(cut) >= maxLen || endsSentence(text) {
		return ""
	}
	all := p.d.AllText()
	i := strings.Index(all, cut)
	if i < 0 || i > 0 && all[i-1] != '\n' {
		return ""
	}
	line := all[i:]
	if end := strings.IndexByte(line, '\n'); end >= 0 {
		line = line[:end]
	}
	if len(line) > maxLen {
		end := strings.IndexAny(line[len(cut):maxLen], ".!?")
		if end < 0 {
			return ""
		}
		line = line[:len(cut)+end+1]
	}
	return collapseSpace(line)
}

// withoutByline removes a byline from the end of a standfirst: "… is back. By Ann
// Lee".
func (p *page) withoutByline(s string) string {
	const longest = 60
	tail := max(0, len(s)-longest)
	i := strings.LastIndexAny(s[tail:], ".!?")
	for ; i > 0; i = strings.LastIndexAny(s[tail:tail+i], ".!?") {
		rest := strings.TrimSpace(s[tail+i+1:])
		word, name, _ := strings.Cut(rest, " ")
		if isCertainBy(word) && name != "" && startsUpper(name) && countWords(name, 7) < 7 {
			return s[:tail+i+1]
		}
	}
	return s
}

func startsUpper(s string) bool {
	r, _ := utf8.DecodeRuneInString(s)
	return unicode.IsUpper(r)
}

// nameKind is what the names of an element say about a standfirst.
type nameKind uint8

const (
	otherName nameKind = iota
	generalName
	specificName
	excludedName
)

var standfirstNames = sync.OnceValue(func() map[string]nameKind {
	kinds := map[string]nameKind{"specific": specificName, "general": generalName, "excluded": excludedName}
	names := map[string]nameKind{}
	for line := range lines.Data(standfirstFile) {
		f := strings.Fields(line)
		for _, name := range f[1:] {
			names[name] = kinds[f[0]]
		}
	}
	return names
})

// standfirstName reads the names of the elements that have exactly the line of
// n, which begins at a position of the page's text. heading reports whether one
// of them is a heading.
func (p *page) standfirstName(n dom.Node, at, length int) (kind nameKind, heading bool) {
	d := p.d
	for a := n; a != dom.None && d.Tag(a) != dom.Body; a = d.Parent(a) {
		from, to := d.Span(a)
		if strings.TrimSpace(d.AllText()[from:max(from, at)]) != "" || strings.TrimSpace(d.AllText()[min(at+length, to):to]) != "" {
			break
		}
		switch tag := d.Tag(a); {
		case tag == dom.A, tag == dom.Figcaption, tag == dom.Li, tag == dom.Button, tag == dom.Time:
			return excludedName, false
		case tag.IsHeading():
			heading = true
		}
		for k, v := range d.Attrs(a) {
			if k != "class" && k != "id" && k != "itemprop" && !strings.HasPrefix(k, "data-") || len(v) > 200 {
				continue
			}
			if got := nameKindOf(v); got > kind {
				kind = got
			}
		}
	}
	if d.InLink(n) || d.Closest(n, dom.Figure, dom.Nav, dom.Footer) != dom.None {
		kind = excludedName
	}
	return kind, heading
}

// nameKindOf returns the most certain kind of the words in a class, an id or the
// like. Words end at other characters than letters and digits, and before
// capitals. What contains a digit is no word, so that a random name has none.
func nameKindOf(value string) (kind nameKind) {
	var buf [32]byte
	word, previous := buf[:0], ""
	names := standfirstNames()
	for i := 0; i <= len(value); i++ {
		c := byte(' ')
		if i < len(value) {
			c = value[i]
		}
		upper := isUpper(c)
		inside := isLower(c) || isDigit(c) || upper
		if len(word) > 0 && (!inside || upper && !isUpper(value[i-1]) && !isDigit(value[i-1])) {
			got := names[string(word)]
			if previous != "" {
				if joined, ok := names[previous+string(word)]; ok {
					got = joined
				}
			}
			kind = max(kind, got)
			switch string(word) {
			case "sub", "sous", "unter":
				previous = string(word)
			default:
				previous = ""
			}
			word = word[:0]
		}
		if inside {
			if len(word) == cap(word) {
				return kind // no word of any list
			}
			word = append(word, c|0x20) // digits stay digits
		}
	}
	return kind
}
