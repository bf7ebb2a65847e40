package metadata

import (
	_ "embed"
	"regexp"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/lede-news/lede/internal/page/lines"
	"github.com/lede-news/lede/internal/words"
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
	particleWord
	afterWord
	buttonWord
	tailWord
	placeWord
	placeholderWord
	pathWord
	userWord
	labelWord
	helperWord // precedes names of people who are not the authors
	firstWord  // the first word of by, colon, label and helper
)

var wordKinds = map[string]wordKind{
	"by": byWord, "certain": byWord | certainWord, "colon": colonWord, "and": andWord, "role": roleWord, "group": groupWord,
	"particle": particleWord, "after": afterWord, "button": buttonWord, "tail": tailWord, "place": placeWord,
	"placeholder": placeholderWord, "path": pathWord, "user": userWord, "label": labelWord, "editor": helperWord, "credit": helperWord,
}

// vocabulary is the content of bylines.txt.
type vocabulary struct {
	kinds   map[string]wordKind
	between *regexp.Regexp // any of the phrases
}

var bylineWords = sync.OnceValue(func() *vocabulary {
	v := &vocabulary{kinds: map[string]wordKind{}}
	for line := range lines.Data(bylinesFile) {
		name, list, _ := strings.Cut(line, ": ")
		phrases := strings.Split(list, ", ")
		if name == "between" {
			v.between = regexp.MustCompile("(?i) (?:" + strings.Join(phrases, "|") + ") ")
			continue
		}
		kind, ok := wordKinds[name]
		if !ok {
			panic("metadata: bylines.txt: " + line)
		}
		for _, w := range phrases {
			w = strings.TrimSpace(w)
			v.kinds[w] |= kind
			if kind&(byWord|colonWord|labelWord|helperWord) != 0 {
				v.kinds[w[:phraseEnd(w, 0)]] |= firstWord
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
	kinds := bylineWords().kinds
	var lower [longest]byte // most words are ASCII, and looked up without allocating
	for i := range len(word) {
		if word[i] >= utf8.RuneSelf {
			return kinds[strings.ToLower(word)]
		}
		lower[i] = byte(words.Lower(rune(word[i])))
	}
	return kinds[string(lower[:len(word)])]
}

// isKind reports whether a word in any case has one of the kinds.
func isKind(word string, want wordKind) bool { return kindsOf(word)&want != 0 }

// phraseEnd returns where a phrase may end in s after from: before a space or sign, or at the end.
func phraseEnd(s string, from int) int {
	for i, r := range s[from:] {
		switch r {
		case ' ', ':', '：', '/', '／', '.', ',':
			return from + i
		}
	}
	return len(s)
}

// cutPhrase cuts s after the longest phrase of the wanted kinds, which are by, colon and
// helper, that it begins with. The phrase is empty if there is none.
func cutPhrase(s string, want wordKind) (phrase, rest string) {
	const maxWords = 5
	end := phraseEnd(s, 0)
	if !isKind(s[:end], firstWord) {
		return "", s // most texts
	}
	for n := 0; n < maxWords; n++ {
		if isKind(s[:end], want) {
			phrase = s[:end]
		}
		if end == len(s) {
			break
		}
		end = phraseEnd(s, end+1)
	}
	return phrase, s[len(phrase):]
}
