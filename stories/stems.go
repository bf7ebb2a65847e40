package stories

import (
	"iter"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// A stem is a word of a text without its ending, or a group of letters in scripts without
// spaces.
type stem struct {
	form  string // what is compared: folded and cut
	text  string // as the article has it
	class class
	name  bool    // capitalised, and not only because a sentence begins
	size  float64 // how much of a word it is
}

// A class of terms is equally common on average: words by the letters of their stem, up
// to stemLetters, and groups of letters.
type class uint8

const (
	stemLetters        = 6
	groupClass   class = stemLetters // after the classes of words, which begin at 0
	nameClass    class = stemLetters + 1
	classes            = 8
	groupSize          = 0.6 // a group of letters is so much of a word
	maxWordBytes       = 80  // of a word that are read
)

// stems returns the stems of a text. Endings are cut off, since most languages inflect
// there.
func stems(text string) iter.Seq[stem] {
	t := allRunes()
	return func(yield func(stem) bool) {
		start := true
		for len(text) > 0 {
			c, n := utf8.DecodeRuneInString(text)
			switch {
			case t.groupLetters(c) > 0:
				end := runEnd(text, func(c rune) bool { return t.groupLetters(c) > 0 || t.isMark(c) })
				if !t.groups(text[:end], yield) {
					return
				}
				text, start = text[end:], false
			case t.isWord(c):
				end := runEnd(text, func(c rune) bool { return t.groupLetters(c) == 0 && (t.isWord(c) || t.isMark(c)) })
				w := t.newStem(text[:end])
				w.name = unicode.IsUpper(c) && !start
				if w.form != "" && !yield(w) {
					return
				}
				text, start = text[end:], false
			default:
				start = start || endsSentence(c)
				text = text[n:]
			}
		}
	}
}

func (t *runeTable) isWord(c rune) bool {
	if c < 1<<16 {
		return t[c].word
	}
	return unicode.IsLetter(c) || unicode.IsDigit(c)
}

func (t *runeTable) isMark(c rune) bool {
	if c < 1<<16 {
		return t[c].mark
	}
	return unicode.IsMark(c)
}

// endsSentence reports whether a capital after c says nothing.
func endsSentence(c rune) bool {
	switch c {
	case '.', '!', '?', ':', '\n', '"', '“', '”', '„', '«', '»', '…', '؟', '।', '•':
		return true
	}
	return false
}

// runEnd returns where the runes at the beginning of a text end that are of a kind.
func runEnd(text string, is func(rune) bool) int {
	for i, c := range text {
		if !is(c) {
			return i
		}
	}
	return len(text)
}

// groupLetters returns how many letters of the script of c are compared together because
// words are not separated or grow at both ends, or 0.
func (t *runeTable) groupLetters(c rune) int {
	switch {
	case c < 0x0e00:
		return 0
	case c < 1<<16:
		return int(t[c].group)
	}
	return scriptGroup(c)
}

func scriptGroup(c rune) int {
	if c < 0x0e00 {
		return 0
	}
	switch kindOf(c) {
	case han, kana:
		return 2
	case thai:
		return 3
	}
	if unicode.Is(unicode.Hangul, c) {
		return 2
	}
	return 0
}

// groups yields the overlapping groups of letters of a run without spaces.
func (t *runeTable) groups(run string, yield func(stem) bool) bool {
	first, _ := utf8.DecodeRuneInString(run)
	n := t.groupLetters(first)
	var starts [4]int // of the last letters: a window
	count := 0
	for i := range run {
		if count >= n {
			if !yield(stem{form: run[starts[0]:i], text: run[starts[0]:i], class: groupClass, size: groupSize}) {
				return false
			}
			copy(starts[:n-1], starts[1:n])
			count = n - 1
		}
		starts[count] = i
		count++
	}
	if count == 0 {
		return true
	}
	return yield(stem{form: run[starts[0]:], text: run[starts[0]:], class: groupClass, size: groupSize})
}

// newStem returns the stem of a word.
func (t *runeTable) newStem(text string) stem {
	w := stem{text: cutBytes(text), size: 1}
	if form, ok := foldASCII(w.text); ok {
		w.form = form
	} else {
		w.form = t.foldLetters(w.text)
	}
	n := 0
	for i := range w.form {
		if n == stemLetters {
			w.form = w.form[:i]
			break
		}
		n++
	}
	w.class = class(max(n, 1) - 1)
	return w
}

// foldASCII returns the beginning of a text in lower case, if it has ASCII letters only.
func foldASCII(text string) (string, bool) {
	lower := true
	for i := range len(text) {
		if text[i] >= utf8.RuneSelf {
			return "", false
		}
		lower = lower && !('A' <= text[i] && text[i] <= 'Z')
	}
	text = text[:min(len(text), stemLetters)]
	if lower {
		return text, true
	}
	return strings.ToLower(text), true
}

// foldLetters returns a text in lower case without accents.
func (t *runeTable) foldLetters(text string) string {
	var b strings.Builder
	arabic, simple := false, t.simple(text)
	if !simple {
		text = norm.NFKD.String(text)
	}
	for _, c := range text {
		switch {
		case simple && c >= utf8.RuneSelf:
			c = rune(t[c].fold)
		case accent(c): // or the kashida, which makes a word longer
			continue
		default:
			c = unicode.ToLower(c)
		}
		switch c {
		case 'ı':
			c = 'i'
		case 'ł':
			c = 'l'
		case 'ø':
			c = 'o'
		case 'đ':
			c = 'd'
		case 'ς':
			c = 'σ'
		case 'ى', 'ی':
			c = 'ي'
		case 'ک':
			c = 'ك'
		case 'ة':
			c = 'ه'
		}
		arabic = arabic || c >= 0x0600 && c < 0x0780
		b.WriteRune(c)
	}
	if arabic {
		return arabicStem(b.String())
	}
	return b.String()
}

// simple reports whether each letter of a word is folded by itself.
func (t *runeTable) simple(text string) bool {
	for _, c := range text {
		if c >= utf8.RuneSelf && (c >= 0x2000 || t.groupLetters(c) > 0 || t[c].fold == 0) {
			return false
		}
	}
	return true
}

// cutBytes returns the beginning of an endless word.
func cutBytes(text string) string {
	if len(text) <= maxWordBytes {
		return text
	}
	end := maxWordBytes
	for end > maxWordBytes-utf8.UTFMax && !utf8.RuneStart(text[end]) {
		end--
	}
	return text[:end]
}

// arabicStem removes the article with the particles before it, and common suffixes. It
// is light10 of L. Larkey et al., "Light stemming for Arabic information retrieval",
// 2007, but removes و only before the article, since many words begin with it.
func arabicStem(w string) string {
	count := func(s string) int { return len(s) / 2 }
	for _, prefix := range []string{"ال", "وال", "بال", "كال", "فال", "لل"} {
		if rest, ok := strings.CutPrefix(w, prefix); ok && count(rest) >= 2 {
			w = rest
			break
		}
	}
	for _, suffix := range []string{"ها", "ان", "ات", "ون", "ين", "يه", "ه", "ي"} {
		if rest, ok := strings.CutSuffix(w, suffix); ok && count(rest) >= 2 {
			w = rest
		}
	}
	return w
}
