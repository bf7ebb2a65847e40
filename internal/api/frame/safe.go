package frame

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// blank is an empty picture in place of one that is not loaded.
const blank = "data:image/gif;base64,R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw=="

// dropped attributes have an effect, load something or take the focus.
var dropped = setOf(`accesskey action archive attributionsrc autofocus autoplay cite classid code codebase command commandfor
	contenteditable data data-b data-blank data-block data-label data-n data-r download form formaction icon imagesrcset interestfor
	interesttarget is itemid itemtype longdesc manifest nonce ping popovertarget profile shadowroot shadowrootmode srcdoc srcset tabindex
	target usemap`)

// setOf returns the set of some words.
func setOf(words string) map[string]bool {
	set := map[string]bool{}
	for word := range strings.FieldsSeq(words) {
		set[word] = true
	}
	return set
}

// attributes copies the harmless attributes of an element.
func attributes(e, n *html.Node, shown bool) {
	for _, a := range n.Attr {
		key := strings.ToLower(a.Key)
		switch {
		case strings.HasPrefix(key, "on") || dropped[key] || a.Namespace == "xml" || !isPlain(key, "-_:."):
			continue
		case key == "name" && n.DataAtom != atom.A || key == "id" && (n.DataAtom == atom.Img || embedded[strings.ToLower(n.Data)]):
			continue // would be a property of the document or of a form
		case shown && (key == "hidden" || key == "aria-hidden"):
			continue // lede shows the element
		case key == "style" && shown && hides(a.Val):
			a.Val += ";display:block!important;visibility:visible!important"
		case key == "href":
			if n.DataAtom != atom.A && n.DataAtom != atom.Area || n.Namespace != "" {
				if !strings.HasPrefix(a.Val, "#") {
					continue
				}
				break // part of the same drawing
			}
			a.Val = "#" // so that it looks like a link
		case key == "src" || key == "poster" || key == "background" || key == "lowsrc" || key == "dynsrc":
			if embedded[strings.ToLower(n.Data)] && key != "poster" || n.DataAtom == atom.Input && key != "src" ||
				!strings.HasPrefix(strings.ToLower(strings.TrimSpace(a.Val)), "data:image/") {
				continue
			}
		}
		if key == "style" || strings.Contains(a.Val, "(") && n.Namespace != "" {
			a.Val = withoutRequests(a.Val)
		}
		e.Attr = append(e.Attr, a)
	}
	switch n.DataAtom {
	case atom.Img:
		if !slices.ContainsFunc(e.Attr, func(a html.Attribute) bool { return a.Key == "src" }) {
			e.Attr = append(e.Attr, html.Attribute{Key: "src", Val: blank}, html.Attribute{Key: "data-blank"})
		}
	case atom.Button, atom.Fieldset, atom.Input, atom.Object, atom.Output, atom.Select, atom.Textarea:
		e.Attr = append(e.Attr, html.Attribute{Key: "form"}) // no property of its form
	}
}

// hides reports whether a style attribute hides its element.
func hides(style string) bool {
	style = strings.ToLower(strings.Join(strings.Fields(style), ""))
	return strings.Contains(style, "display:none") || strings.Contains(style, "visibility:hidden")
}

// tag matches what looks like a tag to a browser in a style sheet.
var tag = regexp.MustCompile(`<([A-Za-z/!?])`)

// withoutTags returns a style sheet in which nothing looks like a tag to a browser,
// whatever element it takes for the parent of the text. It escapes only what CSS
// has in strings and addresses, and leaves (width < 40em) alone.
func withoutTags(sheet string) string { return tag.ReplaceAllString(sheet, `\3c $1`) }

// loading matches the words of CSS that load something.
var loading = regexp.MustCompile(`(?i)(url|src|image|image-set)\(|@import`)

// withoutRequests returns a style sheet that loads nothing. It does not parse the
// sheet: a word that loads something is replaced wherever it is, since what browsers
// take for a string or a comment can differ from what a parser does.
func withoutRequests(sheet string) string {
	return loading.ReplaceAllStringFunc(unescapeLetters(sheet), func(word string) string {
		if word[0] == '@' {
			return "@blocked"
		}
		return "blocked("
	})
}

// escape matches an escape of CSS: a code with the white space that ends it, or any other
// character, so that an escaped backslash escapes nothing.
var escape = regexp.MustCompile(`(?s)\\(?:([0-9a-fA-F]{1,6})(?:\r\n|[ \t\r\n\f])?|.)`)

// unescapeLetters replaces the escapes of ASCII letters and hyphens in a style
// sheet, which mean the same without, so that words can be found.
func unescapeLetters(sheet string) string {
	return escape.ReplaceAllStringFunc(sheet, func(s string) string {
		code := escape.FindStringSubmatch(s)[1]
		n, _ := strconv.ParseUint(code, 16, 32)
		switch {
		case code == "" && isLetter(s[1]): // \u, but not \b
			return s[1:]
		case code != "" && n < 0x80 && (isLetter(byte(n)) || n == '-'):
			return string(rune(n))
		}
		return s
	})
}

func isLetter(b byte) bool { return 'a' <= b|0x20 && b|0x20 <= 'z' }
