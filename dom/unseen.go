package dom

import (
	"strconv"
	"strings"

	"github.com/lede-news/lede/internal/words"
)

// Text that is placed off the screen, or clipped to nothing, is read only by screen
// readers: "(opens in a new window)", "Image 1 of 4". It is known by the usual names
// of such classes or by the style of the element.

// unseenPhrases are the ends of names for text that only screen readers read, without
// separators, by their last letter, so that most names are compared with none.
var unseenPhrases = func() (t ['z' + 1][]string) {
	for _, phrase := range strings.Fields(`sronly forsr visuallyhidden hiddenvisually hidevisually screenreadertext
		screenreaderonly readeronly assistivetext elementinvisible offscreen`) {
		last := phrase[len(phrase)-1]
		t[last] = append(t[last], phrase)
	}
	return t
}()

// namesUnseen reports whether a class attribute has a name for text that only screen
// readers read.
func namesUnseen(class string) bool {
	found := false
	for name := range strings.FieldsSeq(class) {
		if isShownByWidth(name) {
			return false
		}
		found = found || isUnseenName(name)
	}
	return found
}

// isShownByWidth reports whether a name of Tailwind shows the text on some screens.
func isShownByWidth(name string) bool {
	variant, ok := strings.CutSuffix(name, ":not-sr-only")
	return ok && !strings.Contains(variant, "focus") && !strings.Contains(variant, "active")
}

// isUnseenName reports whether a name ends with one of unseenPhrases. "focusable" or the
// hash of a CSS module may follow, as in Footer_visuallyHidden__vz2H2.
func isUnseenName(name string) bool {
	if i := strings.Index(name, "__"); i > 0 && strings.IndexByte(name[:i], '_') > 0 && isUnseenName(name[:i]) {
		return true
	}
	if before, ok := cutPhrase(name, "focusable"); ok {
		name = before
	}
	last := strings.TrimRight(name, "-_")
	if last == "" || last[len(last)-1]|0x20 > 'z' {
		return false
	}
	for _, phrase := range unseenPhrases[last[len(last)-1]|0x20] {
		if before, ok := cutPhrase(name, phrase); ok {
			return !strings.ContainsAny(before, ":@[") && !isPartName(before)
		}
	}
	return false
}

// cutPhrase returns a name without the words of a phrase at its end, however they are
// separated, and whether it ends with them.
func cutPhrase(name, phrase string) (before string, ok bool) {
	i := len(name)
	for k := len(phrase) - 1; k >= 0; k-- {
		for i > 0 && (name[i-1] == '-' || name[i-1] == '_') {
			i--
		}
		if i == 0 || name[i-1]|0x20 != phrase[k] {
			return name, false
		}
		i--
	}
	isWord := i == 0 || !isLetter(name[i-1]) || name[i] < 'a' && name[i-1] >= 'a'
	return name[:i], isWord
}

// isPartName reports whether the words before a phrase say that only a part of the
// element is unseen, or none of it, as in field--label-visually-hidden.
func isPartName(before string) bool {
	for w := range words.InName(before) {
		switch w {
		case "not", "no", "label", "title", "has", "with":
			return true
		}
	}
	return false
}

func isLetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }

// box is what a style says about the place and size of an element.
type box struct {
	absolute, overflow, away, indent, clipped bool
	tiny                                      int // of width and height
}

// set reads one declaration.
func (b *box) set(prop, val string) {
	switch {
	case len(prop) < len("top") || len(prop) > len("text-indent"):
	case strings.EqualFold(prop, "position"):
		val = cutImportant(val)
		b.absolute = strings.EqualFold(val, "absolute") || strings.EqualFold(val, "fixed")
	case strings.EqualFold(prop, "overflow"):
		b.overflow = strings.EqualFold(cutImportant(val), "hidden")
	case strings.EqualFold(prop, "left"), strings.EqualFold(prop, "top"):
		b.away = b.away || isFar(val)
	case strings.EqualFold(prop, "text-indent"):
		b.indent = isFar(val)
	case strings.EqualFold(prop, "width"), strings.EqualFold(prop, "height"):
		if strings.EqualFold(cutImportant(val), "1px") {
			b.tiny++
		}
	case strings.EqualFold(prop, "clip"):
		b.clipped = b.clipped || clipsAll(val)
	case strings.EqualFold(prop, "clip-path"):
		val = cutImportant(val)
		b.clipped = b.clipped || strings.EqualFold(val, "inset(50%)") || strings.EqualFold(val, "inset(100%)")
	}
}

func (b *box) unseen() bool {
	return b.absolute && (b.away || b.clipped) || b.indent && b.overflow || b.absolute && b.overflow && b.tiny == 2
}

func cutImportant(val string) string {
	val, _, _ = strings.Cut(val, "!")
	return strings.TrimSpace(val)
}

// isFar reports whether a length is far outside the screen, such as -9999px.
func isFar(val string) bool {
	const far = -900
	val = cutImportant(val)
	n := len(val)
	for n > 0 && isLetter(val[n-1]) {
		n--
	}
	size, err := strconv.ParseFloat(val[:n], 64)
	switch unit := val[n:]; {
	case err != nil:
		return false
	case strings.EqualFold(unit, "em"), strings.EqualFold(unit, "rem"):
		return size <= far/16
	}
	return size <= far
}

// clipsAll reports whether the value of clip leaves at most a pixel.
func clipsAll(val string) bool {
	val = cutImportant(val)
	const rect = "rect("
	if len(val) < len(rect) || !strings.EqualFold(val[:len(rect)], rect) {
		return false
	}
	args := strings.TrimSuffix(val[len(rect):], ")")
	fields := strings.FieldsFunc(args, func(r rune) bool { return r == ',' || r == ' ' })
	for _, f := range fields {
		if n := strings.TrimSuffix(f, "px"); n != "0" && n != "1" {
			return false
		}
	}
	return len(fields) == 4
}
