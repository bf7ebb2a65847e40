package blend

import (
	_ "embed" // the list of words
	"strings"
)

//go:embed words.txt
var wordList string

// doubt says how far a name can be trusted that a place does not hold the story.
type doubt uint8

const (
	unnamed doubt = iota
	seldom        // it may be the story after all
	never
)

// outsideWords are the words of words.txt. Read only.
var outsideWords = func() map[string]doubt {
	words := map[string]doubt{}
	for line := range strings.Lines(wordList) {
		f := strings.Fields(line)
		if len(f) < 2 || f[0] == "#" {
			continue
		}
		for _, w := range f[1:] {
			words[w] = seldom
			if f[0] == "never" {
				words[w] = never
			}
		}
	}
	return words
}()

// namesOutside looks for one of the words in a class or id, such as
// "c-related_box" or "shareBar".
func namesOutside(names string) (worst doubt) {
	start := 0
	for i := 0; i <= len(names); i++ {
		if i < len(names) && isLetter(names[i]) && !(i > start && isUpper(names[i]) && !isUpper(names[i-1])) {
			continue
		}
		if i-start > 1 {
			worst = max(worst, outsideWord(names[start:i]))
		}
		start = i
		if i < len(names) && !isLetter(names[i]) {
			start = i + 1
		}
	}
	return worst
}

func outsideWord(w string) doubt {
	var low [16]byte
	if len(w) > len(low) {
		return unnamed
	}
	for i := range len(w) {
		low[i] = w[i] | 0x20
	}
	return outsideWords[string(low[:len(w)])]
}

func isLetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }
func isUpper(c byte) bool  { return c >= 'A' && c <= 'Z' }
