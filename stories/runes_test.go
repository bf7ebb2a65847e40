package stories

import (
	"testing"
	"unicode/utf8"
)

// TestRunes compares the words and stems of texts with every character with those that
// are found without the table.
func TestRunes(t *testing.T) {
	all, none := allRunes(), new(runeTable)
	for r := range none {
		none[r] = runeInfo{group: all[r].group, word: all[r].word, mark: all[r].mark}
	}
	for r := rune(utf8.RuneSelf); r < 1<<16; r++ {
		c := string(r)
		for _, text := range []string{"ab" + c + "cd e", "7" + c + "500", "语" + c + "か"} {
			fast, slow := scanner{text: text, all: all}, scanner{text: text, all: none}
			for more := true; more; {
				var a, b word
				a, more = fast.next()
				if b, _ = slow.next(); a != b {
					t.Fatalf("%U: %q: word %v, want %v", r, text, a, b)
				}
			}
			if a, b := all.foldLetters(text), none.foldLetters(text); a != b {
				t.Fatalf("%U: %q: %q, want %q", r, text, a, b)
			}
		}
	}
}
