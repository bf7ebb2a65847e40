package format

import (
	"net/url"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/language"
)

// cleanURL drops a URL with control characters: browsers ignore tabs and line ends
// in a URL, so that "java\tscript:" would run.
func cleanURL(s string) string {
	s = strings.Trim(s, " \t\r\n")
	if strings.ContainsFunc(s, isUnsafe) {
		return ""
	}
	return s
}

func isUnsafe(r rune) bool {
	return isControl(r) || r == '\u2028' || r == '\u2029' || r == utf8.RuneError
}

// safeLink returns the URL of a link if it is http, https, mailto or relative.
// Otherwise it returns "". It and safeImage decide for all formats.
func safeLink(s string) string { return withScheme(s, "http", "https", "mailto") }

// safeImage returns the URL of a picture if it is http, https, relative or a data
// URL of a picture. Otherwise it returns "".
func safeImage(s string) string {
	s = cleanURL(s)
	if head, data, ok := strings.Cut(s, ","); ok && slices.Contains(rasterHeads, strings.ToLower(head)) {
		if !base64Data.MatchString(data) {
			return ""
		}
		return s
	}
	return withScheme(s, "http", "https")
}

// linkURL returns the URL for a link as it is written, or "" if only the text of
// the link is written.
func linkURL(s string) string { return encodeURL(safeLink(s)) }

// imageURL returns the URL for a picture as it is written, or "".
func imageURL(s string) string { return encodeURL(safeImage(s)) }

// rasterHeads are the heads of data URLs of raster images. SVG may contain scripts.
var rasterHeads = []string{
	"data:image/png;base64", "data:image/jpeg;base64", "data:image/gif;base64", "data:image/webp;base64", "data:image/avif;base64",
}

// withScheme drops a URL with another scheme.
func withScheme(s string, schemes ...string) string {
	s = cleanURL(s)
	// An early "&" may be that of "javascript&colon;".
	if i := strings.IndexAny(s, ":/?#&"); i >= 0 && (s[i] == '&' || s[i] == ':' && !slices.Contains(schemes, strings.ToLower(s[:i]))) {
		return ""
	}
	return s
}

// encodeURL percent-encodes white space and other characters that are not valid in
// a URL and have a meaning in Markdown or HTML.
func encodeURL(s string) string {
	if !strings.ContainsFunc(s, mustEncode) {
		return s
	}
	var b strings.Builder
	for _, r := range s {
		if mustEncode(r) {
			b.WriteString(url.PathEscape(string(r)))
		} else {
			b.WriteRune(r)
		}
	}
	return b.String()
}

func mustEncode(r rune) bool {
	return strings.ContainsRune(" \"<>`|^{}", r) || r >= utf8.RuneSelf && unicode.IsSpace(r)
}

var (
	base64Data   = regexp.MustCompile(`^[0-9A-Za-z+/]*={0,2}$`)
	bcp47        = regexp.MustCompile(`^[A-Za-z][0-9A-Za-z-]{0,34}$`)
	codeLanguage = regexp.MustCompile(`^[0-9A-Za-z+#._-]{1,40}$`)
)

// languageTag returns s as a BCP 47 tag, or "" if it cannot be one.
func languageTag(s string) string {
	return bcp47.FindString(strings.ReplaceAll(s, "_", "-"))
}

// direction returns "rtl" for a language that is written from right to left, by
// the script in its tag or its usual script, and "" for others.
func direction(tag string) string {
	script, _ := language.Make(tag).Script()
	switch script.String() {
	case "Arab", "Hebr", "Thaa", "Syrc", "Nkoo", "Adlm", "Rohg":
		return "rtl"
	}
	return ""
}

// languageName returns the name of a programming language if it can be written
// after a code fence and in a class, or "".
func languageName(s string) string { return codeLanguage.FindString(s) }
