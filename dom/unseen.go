package dom

import (
	"slices"
	"strconv"
	"strings"

	"github.com/lede-news/lede/internal/words"
)

// Text that is placed off the screen, or clipped to nothing, is read only by screen
// readers: "(opens in a new window)", "Image 1 of 4". It is known by the usual names
// of such classes, by the style of the element, or by the style sheet of the page.

// unseenPhrases are the ends of names for text that only screen readers read,
// without separators.
var unseenPhrases = map[string]bool{
	"sronly": true, "forsr": true, "visuallyhidden": true, "hiddenvisually": true, "hidevisually": true,
	"screenreadertext": true, "screenreaderonly": true, "readeronly": true, "assistivetext": true, "elementinvisible": true,
}

// unseenClass is whether a class attribute is that of unseen text.
type unseenClass uint8

const (
	unknownClass unseenClass = iota
	shownClass
	hiddenClass
)

// isUnseen reports whether a class attribute has a name for text that only screen
// readers read. It looks at an attribute with a number only once.
func (h *hiddenText) isUnseen(number uint16, class string) bool {
	if number == 0 {
		return namesUnseen(class, h.unseen)
	}
	if int(number) >= len(h.known) {
		const usual = 256 // classes of a page
		h.known = append(h.known, make([]unseenClass, max(usual, int(number)+1-len(h.known)))...)
	}
	if h.known[number] == unknownClass {
		h.known[number] = shownClass
		if namesUnseen(class, h.unseen) {
			h.known[number] = hiddenClass
		}
	}
	return h.known[number] == hiddenClass
}

// readSheet adds the names that a style sheet makes unseen.
func (h *hiddenText) readSheet(sheet string) {
	before := len(h.unseen)
	if h.unseen = unseenClasses(sheet, h.unseen); len(h.unseen) > before {
		clear(h.known)
	}
}

// namesUnseen reports whether a class attribute has a name for text that only screen
// readers read. Names in more, which may be nil, are such names too.
func namesUnseen(class string, more map[string]bool) bool {
	found, hashed := false, strings.Contains(class, "__")
	for i := 0; i < len(class); i++ {
		from := i
		for i < len(class) && words.ASCII[class[i]] != words.Space {
			i++
		}
		name := class[from:i]
		switch {
		case name == "":
		case more != nil && more[name]:
			found = true
		case !mayEndUnseen(name) && !(hashed && strings.Contains(name, "__")):
		case isShownByWidth(name):
			return false
		default:
			found = found || isUnseenName(name)
		}
	}
	return found
}

// mayEndUnseen is a fast test that most names fail: their last letters are those of
// a phrase, or of "focusable".
func mayEndUnseen(name string) bool {
	if len(name) < 2 {
		return false
	}
	last, before := name[len(name)-1]|0x20, name[len(name)-2]|0x20
	switch last {
	case 'y', 'e':
		return before == 'l'
	case 'r':
		return before == 's'
	case 'n':
		return before == 'e'
	case 't':
		return before == 'x'
	}
	return false
}

// isShownByWidth reports whether a name of Tailwind shows the text on some screens.
func isShownByWidth(name string) bool {
	variant, ok := strings.CutSuffix(name, ":not-sr-only")
	return ok && !strings.Contains(variant, "focus") && !strings.Contains(variant, "active")
}

// isUnseenName reports whether a name ends with one of unseenPhrases. Its words are
// compared as a whole. "focusable" or the hash of a CSS module may follow, as in
// Footer_visuallyHidden__vz2H2.
func isUnseenName(name string) bool {
	const minLen, maxLen = 5, 64
	if len(name) < minLen || len(name) > maxLen {
		return false
	}
	if !endsUnseen(name) {
		if i := strings.LastIndex(name, "__"); i > 0 && strings.IndexByte(name[:i], '_') > 0 {
			name = name[:i]
		}
		if rest, ok := cutSuffixFold(name, "focusable"); ok {
			name = strings.TrimRight(rest, "-_")
		}
		if len(name) < minLen || !endsUnseen(name) {
			return false
		}
	}
	if strings.ContainsAny(name, ":@[") { // what depends on the screen
		return false
	}
	var room [8]string
	list := slices.AppendSeq(room[:0], words.InName(name))
	var phrase [maxLen]byte
	from := len(phrase)
	for n := len(list) - 1; n >= 0; n-- {
		from -= len(list[n])
		copy(phrase[from:], list[n])
		if unseenPhrases[string(phrase[from:])] {
			return !isPartName(list[:n])
		}
	}
	return false
}

// isPartName reports whether the words before a phrase say that only a part of the
// element is unseen, or none of it, as in field--label-visually-hidden.
func isPartName(words []string) bool {
	for _, w := range words {
		switch w {
		case "not", "no", "label", "title", "has", "with":
			return true
		}
	}
	return false
}

// endsUnseen reports whether the last word of a name is that of a phrase.
func endsUnseen(name string) bool {
	var ends []string
	switch name[len(name)-1] | 0x20 {
	case 'y':
		ends = []string{"only", "visually"}
	case 'r':
		ends = []string{"-sr"}
	case 'n':
		ends = []string{"hidden"}
	case 't':
		ends = []string{"reader-text", "readertext", "reader_text", "assistive-text"}
	case 'e':
		ends = []string{"invisible"}
	}
	for _, end := range ends {
		if _, ok := cutSuffixFold(name, end); ok {
			return true
		}
	}
	return false
}

func cutSuffixFold(s, suffix string) (string, bool) {
	if n := len(s) - len(suffix); n >= 0 && strings.EqualFold(s[n:], suffix) {
		return s[:n], true
	}
	return s, false
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

// unseenClasses adds to names the classes that a style sheet of the page hides for
// all screens, by a rule for the class alone.
func unseenClasses(sheet string, names map[string]bool) map[string]bool {
	const maxNames = 256
	if !strings.Contains(sheet, "clip") { // all common ways clip as well
		return names
	}
	for depth, from, open, end := 0, 0, -1, -1; ; {
		open, end = nextByte(sheet, from, open, '{'), nextByte(sheet, from, end, '}')
		if end == len(sheet) {
			break
		}
		if end < open {
			depth = max(0, depth-1)
			from = end + 1
			continue
		}
		i := open
		open = nextByte(sheet, i+1, open, '{')
		if open < end || depth > 0 { // a rule for some media, or inside one
			depth++
			from = i + 1
			continue
		}
		if body := sheet[i+1 : end]; strings.Contains(body, "clip") && styleClips(body) {
			for selector := range strings.SplitSeq(sheet[from:i], ",") {
				if name := classAlone(selector); name != "" && len(names) < maxNames {
					if names == nil {
						names = make(map[string]bool)
					}
					names[name] = true
				}
			}
		}
		from = end + 1
	}
	return names
}

// nextByte returns the offset of the first c from an offset on, or the length of s. last
// is the offset that was found before.
func nextByte(s string, from, last int, c byte) int {
	if last >= from {
		return last
	}
	if i := strings.IndexByte(s[from:], c); i >= 0 {
		return from + i
	}
	return len(s)
}

func styleClips(style string) bool {
	var b box
	for decl := range strings.SplitSeq(style, ";") {
		prop, val, _ := strings.Cut(decl, ":")
		b.set(strings.TrimSpace(prop), val)
	}
	return b.absolute && b.clipped
}

// classAlone returns the name of a selector that is one class, which may except
// the element that has the focus.
func classAlone(selector string) string {
	if i := strings.LastIndex(selector, "*/"); i >= 0 {
		selector = selector[i+2:]
	}
	selector = strings.TrimSpace(selector)
	name, ok := strings.CutPrefix(selector, ".")
	if i := strings.Index(name, ":not(:"); i > 0 {
		name = name[:i]
	}
	if !ok || strings.ContainsAny(name, ".:#[>+~* \t\n\\") {
		return ""
	}
	return name
}
