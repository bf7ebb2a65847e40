package metadata

import (
	_ "embed"
	"strings"
	"sync"

	"github.com/lede-news/lede/internal/page/lines"
)

//go:embed data/bylines.txt
var bylinesFile string

// wordKind is a set of the kinds of words in bylines.txt.
type wordKind uint32

const (
	byWord      wordKind = 1 << iota // by and certain
	certainWord                      // words of by that need no markup
	colonWord                        // words that precede a name if a colon follows
	andWord
	roleWord
	groupWord
	buttonWord
	tailWord
	placeWord
	placeholderWord
	pathWord
	userWord
	labelWord
	helperWord // precedes names of people who are not the authors

	firstWord       // the first word of by and colon
	firstHelperWord // the first word of helper
)

var wordKinds = map[string]wordKind{
	"by": byWord, "certain": byWord | certainWord, "colon": colonWord, "and": andWord, "role": roleWord, "group": groupWord,
	"button": buttonWord, "tail": tailWord, "place": placeWord, "placeholder": placeholderWord, "path": pathWord, "user": userWord,
	"label": labelWord, "editor": helperWord, "credit": helperWord,
}

// vocabulary is the content of bylines.txt.
type vocabulary struct {
	kinds   map[string]wordKind
	between []string // with the spaces around them
}

var bylineWords = sync.OnceValue(func() *vocabulary {
	v := &vocabulary{kinds: map[string]wordKind{}}
	for line := range lines.Data(bylinesFile) {
		name, list, _ := strings.Cut(line, ":")
		kind, ok := wordKinds[name]
		if !ok && name != "between" {
			panic("metadata: bylines.txt: " + line)
		}
		for w := range strings.SplitSeq(list, ",") {
			w = strings.TrimSpace(w)
			if name == "between" {
				v.between = append(v.between, " "+w+" ")
				continue
			}
			v.kinds[w] |= kind
			first, _, _ := strings.Cut(w, " ")
			switch {
			case kind&(byWord|colonWord) != 0:
				first, _, _ = strings.Cut(first, ":")
				v.kinds[first] |= firstWord
			case kind == helperWord:
				v.kinds[first] |= firstHelperWord
			}
		}
	}
	return v
})

// kindsOf returns the kinds of a word or phrase in any case.
func kindsOf(word string) wordKind {
	const longest = 40 // bytes, of all phrases
	if word == "" || len(word) > longest {
		return 0
	}
	var room [2 * longest]byte
	return bylineWords().kinds[string(appendLower(room[:0], word))]
}

// isKind reports whether a word in any case has one of the kinds.
func isKind(word string, want wordKind) bool { return kindsOf(word)&want != 0 }
