package charset

import (
	"bytes"
	"encoding/json"
	"regexp"
	"strings"

	"golang.org/x/net/html"
)

// cutMark removes a byte order mark and returns the charset it stands for.
func cutMark(page []byte) (rest []byte, name string) {
	for _, m := range []struct{ mark, name string }{
		{"\xEF\xBB\xBF", "utf-8"}, {"\xFF\xFE", "utf-16le"}, {"\xFE\xFF", "utf-16be"},
	} {
		if rest, ok := bytes.CutPrefix(page, []byte(m.mark)); ok {
			return rest, m.name
		}
	}
	return page, ""
}

// unmarkedUTF16 recognizes UTF-16 without a byte order mark by the zero bytes
// that markup then has in every other place.
func unmarkedUTF16(page []byte) string {
	head := page[:min(len(page), 1<<10)]
	var zeros [2]int // in even and odd places
	for i, b := range head {
		if b == 0 {
			zeros[i%2]++
		}
	}
	const ascii = 3 // of 4 characters in markup are ASCII
	half := len(head) / 2
	switch {
	case half < 4:
	case zeros[1]*4 > half*ascii && zeros[0]*10 < half:
		return "utf-16le"
	case zeros[0]*4 > half*ascii && zeros[1]*10 < half:
		return "utf-16be"
	}
	return ""
}

// hasJapaneseEscape reports whether a page of ASCII bytes switches to Kanji
// with the escape sequences of ISO-2022-JP.
func hasJapaneseEscape(page []byte) bool {
	return bytes.Contains(page, []byte("\x1B$B")) || bytes.Contains(page, []byte("\x1B$@"))
}

// declared returns the charset that a page names in a <meta>, however far in,
// or in an XML declaration. HTML5 reads only the first 1,024 bytes, but pages
// put a hundred kilobytes of scripts before the <meta>, and some have it in
// the body.
func declared(page []byte) string {
	z := html.NewTokenizer(bytes.NewReader(page))
	for {
		switch z.Next() {
		case html.ErrorToken:
			return xmlCharset(page)
		case html.StartTagToken, html.SelfClosingTagToken:
			switch name, hasAttr := z.TagName(); string(name) {
			case "meta":
				if label := metaCharset(z, hasAttr); label != "" {
					return label
				}
			case "noscript":
				z.NextIsNotRawText() // it may contain a <meta>
			}
		}
	}
}

// metaCharset reads the charset from the attributes of a <meta>.
func metaCharset(z *html.Tokenizer, more bool) string {
	var charset, content string
	var isContentType bool
	for more {
		var k, v []byte
		k, v, more = z.TagAttr()
		switch string(k) {
		case "charset":
			charset = string(v)
		case "http-equiv":
			isContentType = strings.EqualFold(string(v), "content-type")
		case "content":
			content = string(v)
		}
	}
	if charset != "" {
		return strings.TrimSpace(charset)
	}
	if !isContentType {
		return ""
	}
	i := strings.Index(strings.ToLower(content), "charset")
	if i < 0 {
		return ""
	}
	return valueAfterEquals(content[i+len("charset"):])
}

// xmlCharset reads <?xml version="1.0" encoding="…"?>.
func xmlCharset(page []byte) string {
	head := bytes.TrimLeft(page[:min(len(page), 256)], " \t\r\n")
	if !bytes.HasPrefix(head, []byte("<?xml")) {
		return ""
	}
	decl, _, _ := strings.Cut(string(head), "?>")
	_, rest, _ := strings.Cut(decl, "encoding")
	return valueAfterEquals(rest)
}

// valueAfterEquals reads the value after a '=', with or without quotes.
func valueAfterEquals(s string) string {
	s = strings.TrimLeft(s, " \t\r\n=\"'")
	if i := strings.IndexAny(s, " \t\r\n;\"',"); i >= 0 {
		s = s[:i]
	}
	return s
}

// signatures are bytes near the start of files that are mistaken for pages.
var signatures = []struct {
	offset      int
	bytes, kind string
}{
	{0, "%PDF-", "a PDF"},
	{0, "\x89PNG\r\n\x1a\n", "a PNG picture"},
	{0, "\xFF\xD8\xFF", "a JPEG picture"},
	{0, "GIF87a", "a GIF picture"},
	{0, "GIF89a", "a GIF picture"},
	{8, "WEBPVP8", "a WebP picture"},
	{4, "ftyp", "a video or picture"},
	{0, "\x1A\x45\xDF\xA3", "a video"},
	{0, "ID3\x02", "a sound"},
	{0, "ID3\x03", "a sound"},
	{0, "ID3\x04", "a sound"},
	{0, "OggS\x00", "a sound or video"},
	{0, "PK\x03\x04", "a ZIP archive or an office document"},
	{0, "\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1", "an office document"},
	{0, "\x1F\x8B\x08", "gzip data; unpack it first"},
	{0, "(\xB5\x2F\xFD", "zstd data; unpack it first"},
	{0, "\x7FELF", "a program"},
}

// fileKind describes what the bytes are if they have the signature of a file
// that is not a page.
func fileKind(page []byte) string {
	for _, s := range signatures {
		if len(page) > s.offset && bytes.HasPrefix(page[s.offset:], []byte(s.bytes)) {
			return s.kind
		}
	}
	return ""
}

// isBinary reports whether the bytes are data, not text: text has hardly any
// control characters. A page that is full of NUL bytes but has tags is text.
func isBinary(page []byte) bool {
	head := page[:min(len(page), 8<<10)]
	var controls int
	for _, b := range head {
		if b < ' ' && !strings.ContainsRune("\t\n\r\f\x1B", rune(b)) || b == 0x7F {
			controls++
		}
	}
	const share = 20 // one in twenty; in random bytes it is two
	if controls*share <= len(head) {
		return false
	}
	low := bytes.ToLower(head)
	for _, tag := range []string{"<html", "<!doctype", "<head", "<body", "<div", "<p>"} {
		if bytes.Contains(low, []byte(tag)) {
			return false
		}
	}
	return true
}

// jsonObject is the beginning of an object, whether or not it has an end.
var jsonObject = regexp.MustCompile(`^\{\s*"[^"<>]*"\s*:\s*["\d\[{tfn-]`)

// isJSON reports whether a text is an answer of a program: an object or list of JSON, or
// lines of objects.
func isJSON(text []byte) bool {
	text = bytes.TrimLeft(text, " \t\r\n")
	switch {
	case len(text) == 0:
		return false
	case text[0] == '{':
		return jsonObject.Match(text)
	}
	return text[0] == '[' && json.Valid(text)
}
