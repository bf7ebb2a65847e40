package stories

import (
	"iter"
	"strings"
	"unicode"
	"unicode/utf8"
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
		start := true // of a sentence
		for len(text) > 0 {
			c, n := utf8.DecodeRuneInString(text)
			first := t.info(c)
			if first.kind < letters {
				start = start || endsSentence(c)
				text = text[n:]
				continue
			}
			end := strings.IndexFunc(text, func(c rune) bool {
				switch info := t.info(c); info.kind {
				case noWord:
					return true
				case skipped:
					return first.group > 0
				case mark:
					return false
				default:
					return info.group != first.group
				}
			})
			if end < 0 {
				end = len(text)
			}
			if first.group > 0 {
				if !groups(text[:end], int(first.group), yield) {
					return
				}
			} else {
				w := t.newStem(text[:end])
				w.name = unicode.IsUpper(c) && !start
				if !yield(w) {
					return
				}
			}
			text, start = text[end:], false
		}
	}
}

// endsSentence reports whether a capital after c says nothing.
func endsSentence(c rune) bool {
	switch c {
	case '.', '!', '?', ':', '\n', '"', '“', '”', '„', '«', '»', '…', '؟', '।', '•':
		return true
	}
	return false
}

// groups yields the overlapping groups of n letters of a run without spaces.
func groups(run string, n int, yield func(stem) bool) bool {
	next := func(i int) int {
		_, size := utf8.DecodeRuneInString(run[i:])
		return i + size
	}
	from, to := 0, 0
	for range n {
		to = next(to)
	}
	for yield(stem{form: run[from:to], text: run[from:to], class: groupClass, size: groupSize}) {
		if to == len(run) {
			return true
		}
		from, to = next(from), next(to)
	}
	return false
}

// newStem returns the stem of a word.
func (t *runeTable) newStem(text string) stem {
	text = strings.ToValidUTF8(text[:min(len(text), maxWordBytes)], "") // an endless word may be cut inside a letter
	form := strings.Map(func(c rune) rune {
		info := t.info(c)
		if info.kind == skipped {
			return -1
		}
		return info.fold
	}, text)
	if c, _ := utf8.DecodeRuneInString(form); c >= 0x0600 && c < 0x0780 {
		form = arabicStem(form)
	}
	n := 0
	for i := range form {
		if n == stemLetters {
			form = form[:i]
			break
		}
		n++
	}
	return stem{form: form, text: text, class: class(n - 1), size: 1}
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
