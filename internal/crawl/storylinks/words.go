package storylinks

import (
	_ "embed"
	"hash/fnv"
	"slices"
	"strings"
	"sync"

	"github.com/lede-news/lede/internal/page/lines"
)

//go:embed words.txt
var wordFile string

// wordLists are the lists of words.txt.
type wordLists struct {
	service, text, section, host, listing, paid, file map[string]bool
}

var loadWords = sync.OnceValue(func() *wordLists {
	lists := map[string]map[string]bool{}
	var list map[string]bool
	for line := range lines.Data(wordFile) {
		if name, ok := strings.CutPrefix(line, "@"); ok {
			list = map[string]bool{}
			lists[name] = list
			continue
		}
		for word := range strings.FieldsSeq(line) {
			list[word] = true
		}
	}
	return &wordLists{
		service: lists["service"], text: lists["text"], section: lists["section"], host: lists["host"],
		listing: lists["listing"], paid: lists["paid"], file: lists["file"],
	}
})

// countService returns the number of segments and hosts that belong to services. A
// slug is no service, whatever its words.
func (w *wordLists) countService(segments []segment, host string, same float32) (n int) {
	for _, s := range segments {
		if w.isService(s) {
			n++
		}
	}
	labels := strings.Split(host, ".")
	for i, label := range labels[:len(labels)-1] {
		if i < len(labels)-2 && w.service[label] || same < 1 && w.host[label] {
			n++
		}
	}
	return n
}

// isNetwork reports whether a link leads to a social network or a service that many
// sites use.
func (w *wordLists) isNetwork(c *candidate) bool {
	name, _, _ := strings.Cut(c.domain, ".")
	return c.same == 0 && w.host[name]
}

// isService reports whether a segment of a path names a service.
func (w *wordLists) isService(s segment) bool {
	text := fold(s.text)
	if w.service[text] {
		return true
	}
	return len(s.words) <= 3 && s.kind != kindSlug && slices.ContainsFunc(s.words, func(word string) bool { return len(word) > 3 && w.service[fold(word)] })
}

// isListing reports whether a path is that of a list of stories or of a person: one
// of its segments but the last is a word for such.
func (w *wordLists) isListing(segments []segment) bool {
	for i, s := range segments {
		if i == len(segments)-1 && i > 0 {
			break
		}
		if w.listing[fold(s.text)] {
			return true
		}
		if n := len(s.words); i < len(segments)-1 && n == 2 && s.kind == kindWord && w.listing[fold(s.words[n-1])] && !w.section[fold(s.words[n-1])] {
			return true // article_tag
		}
	}
	return false
}

// isTag reports whether a path is that of a tag or a person. Lists of sections are
// sections.
func (w *wordLists) isTag(segments []segment) bool {
	return slices.ContainsFunc(segments, func(s segment) bool {
		text := fold(s.text)
		return w.listing[text] && !w.section[text]
	})
}

// isPaid reports whether an address or a text says that the story is paid for.
func (w *wordLists) isPaid(c *candidate) bool {
	isLong := func(word string) bool { return len(word) > 6 && w.paid[fold(word)] }
	for i, s := range c.segments {
		if w.paid[fold(s.text)] || i < len(c.segments)-1 && slices.ContainsFunc(s.words, isLong) {
			return true
		}
	}
	words := c.words
	for i, word := range words[:min(len(words), 3)] {
		if w.paid[fold(word)] && (len(word) > 6 || i == 0) && len(words) > 3 {
			return true
		}
	}
	return false
}

// countSections returns the number of segments that name sections.
func (w *wordLists) countSections(segments []segment) (n int) {
	for _, s := range segments {
		if s.kind == kindWord && w.section[fold(s.text)] {
			n++
		}
	}
	return n
}

// countText returns the number of words of a short text that name services.
func (w *wordLists) countText(c *candidate, words int) (n int) {
	if words > 6 {
		return 0
	}
	for _, word := range c.words {
		if w.text[fold(word)] || w.service[fold(word)] && len(word) > 3 {
			n++
		}
	}
	return n
}

// tableBits is the logarithm of the size of a word table.
const tableBits = 13

// hash returns the place of a token in a word table.
func hash(kind byte, parts ...string) uint16 {
	h := fnv.New32a()
	_, _ = h.Write([]byte{kind})
	for _, p := range parts {
		_, _ = h.Write([]byte(p))
		_, _ = h.Write([]byte{0})
	}
	sum := h.Sum32()
	return uint16((sum ^ sum>>16) & (1<<tableBits - 1))
}

// addressTokens returns the tokens of an address.
func (c *candidate) addressTokens() (tokens []uint16) {
	add := func(kind byte, parts ...string) { tokens = append(tokens, hash(kind, parts...)) }
	if c.same < 1 {
		add('h', c.domain)
		if label, _, ok := strings.Cut(c.host, "."); ok && c.host != c.domain {
			add('u', label)
		}
	}
	for i, s := range c.segments {
		if i == 0 {
			add('1', s.text)
		}
		if i == len(c.segments)-1 && i > 0 {
			add('l', s.text)
		} else {
			add('i', s.text)
		}
		if s.kind == kindSlug && len(s.words) > 4 {
			continue
		}
		for _, w := range s.words {
			add('p', stem(w))
		}
	}
	if c.ext != "" {
		add('e', c.ext)
	}
	for n, rest := 0, c.query; rest != "" && n < 8; n++ {
		var param string
		param, rest, _ = strings.Cut(rest, "&")
		name, _, _ := strings.Cut(param, "=")
		add('q', name)
	}
	add('s', strings.TrimPrefix(c.shape(), c.host))
	return tokens
}

// textTokens returns the tokens of a text.
func (c *candidate) textTokens() (tokens []uint16) {
	words := c.words[:min(len(c.words), 40)]
	kind := byte('T')
	if len(words) <= 4 {
		kind = 't'
		tokens = append(tokens, hash('x', words...))
	}
	for _, w := range words {
		tokens = append(tokens, hash(kind, stem(w)))
	}
	if n := len(words); n > 0 {
		tokens = append(tokens, hash('f', words[0]), hash('z', words[n-1]))
	}
	return append(tokens, hash('n', strings.Repeat("w", min(len(words), 12))))
}
