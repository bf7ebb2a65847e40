package metadata

import (
	_ "embed"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

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
	helperWord // editor and credit: precede names of people who are not the authors

	loneWord        // certain, and without a space
	firstWord       // the first word of by and colon
	firstHelperWord // the first word of editor and credit
)

// vocabulary is the content of bylines.txt.
type vocabulary struct {
	words   map[string]wordKind
	by      [utf8.RuneSelf + 1][]string // words of by, the longest first; see byList
	between []string                    // with the spaces around them

	// filter has the kinds of the words with a first byte and a length, and initial
	// those with a first byte, of which 5 bits count. Nearly all words of a page are
	// of no kind, and most are rejected here, which is much faster than a map.
	filter  [32][32]wordKind
	initial [32]wordKind
}

var bylineWords = sync.OnceValue(func() *vocabulary {
	v := &vocabulary{words: map[string]wordKind{}}
	kinds := map[string]wordKind{
		"by": byWord, "certain": byWord | certainWord, "colon": colonWord, "and": andWord, "role": roleWord, "group": groupWord,
		"button": buttonWord, "tail": tailWord, "place": placeWord, "placeholder": placeholderWord, "path": pathWord, "user": userWord,
		"label": labelWord, "editor": helperWord, "credit": helperWord,
	}
	var by []string
	for line := range lines.Data(bylinesFile) {
		name, list, _ := strings.Cut(line, ":")
		kind, ok := kinds[name]
		if !ok && name != "between" {
			panic("metadata: bylines.txt: " + line)
		}
		for w := range strings.SplitSeq(list, ",") {
			w = strings.TrimSpace(w)
			if name == "between" {
				v.between = append(v.between, " "+w+" ")
				continue
			}
			v.add(w, kind)
			first, _, phrase := strings.Cut(w, " ")
			if kind&certainWord != 0 && !phrase {
				v.add(w, loneWord)
			}
			switch {
			case kind&(byWord|colonWord) != 0:
				first, _, _ = strings.Cut(first, ":") // beginsWithBy ends a word there
				v.add(first, firstWord)
			case kind == helperWord:
				v.add(first, firstHelperWord)
			}
			if kind&byWord != 0 {
				by = append(by, w)
			}
		}
	}
	slices.SortStableFunc(by, func(a, b string) int { return len(b) - len(a) })
	for _, w := range slices.Compact(by) {
		i := min(w[0], utf8.RuneSelf)
		v.by[i] = append(v.by[i], w)
	}
	return v
})

func (v *vocabulary) add(word string, kind wordKind) {
	v.words[word] |= kind
	v.initial[word[0]%32] |= kind
	v.filter[word[0]%32][min(len(word), 31)] |= kind
}

// byList returns the words of by that a text may begin with. Words that do not
// begin with an ASCII character are one list, because the cases of other scripts
// do not differ in one bit.
func (v *vocabulary) byList(s string) []string {
	switch {
	case s == "":
		return nil
	case s[0] >= utf8.RuneSelf:
		return v.by[utf8.RuneSelf]
	}
	return v.by[s[0]|0x20]
}

// kinds returns which of the kinds a word in lower case has.
func (v *vocabulary) kinds(word string, want wordKind) wordKind {
	if word == "" || v.filter[word[0]%32][min(len(word), 31)]&want == 0 {
		return 0
	}
	return v.words[word] & want
}

// foldedKinds is kinds for a word in any case. It does not allocate for most words.
func (v *vocabulary) foldedKinds(word string, want wordKind) wordKind {
	if word == "" || word[0] < utf8.RuneSelf && v.initial[word[0]%32]&want == 0 {
		return 0
	}
	if v.filter[word[0]%32][min(len(word), 31)]&want == 0 && isASCII(word) {
		return 0 // the filter is that of the word in lower case
	}
	var room [64]byte
	return v.words[string(appendLower(room[:0], word))] & want
}

// isKind reports whether a word in any case has one of the kinds.
func isKind(word string, want wordKind) bool { return bylineWords().foldedKinds(word, want) != 0 }
