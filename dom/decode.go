package dom

import (
	"bytes"
	"fmt"
	"strings"
	"unicode/utf8"

	"golang.org/x/net/html"
	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/htmlindex"
	"golang.org/x/text/encoding/simplifiedchinese"
	"golang.org/x/text/encoding/unicode"
)

// Decode turns the bytes of a page into UTF-8 and names the charset that they
// were in. It believes, in this order: a byte order mark, the caller's
// Charset, UTF-8 that is plainly there whatever anybody says, the HTTP header,
// the page's own <meta> or XML declaration, and its own look at the letters.
// What was decoded wrongly before is mended, unless the caller insists on
// another charset than UTF-8.
// The result shares memory with page where nothing had to change.
func Decode(page []byte, opts Options) (text []byte, charset string, err error) {
	if blankBytes(page) {
		return nil, "", ErrEmpty
	}
	if kind := magicKind(page); kind != "" {
		return nil, "", fmt.Errorf("%w: it looks like %s", ErrNotHTML, kind)
	}
	if rest, name := cutMark(page); name != "" {
		text, charset, err = convert(rest, name)
	} else if opts.Charset != "" {
		if err := CheckCharset(opts.Charset); err != nil {
			return nil, "", err
		}
		text, charset, err = convert(page, lookupName(opts.Charset))
	} else {
		text, charset, err = decodeUnmarked(page, opts)
	}
	if err == nil && blankBytes(text) {
		return nil, "", ErrEmpty
	}
	if err == nil && (opts.Charset == "" || charset == "utf-8") {
		if mended, was := mend(text); was != "" {
			text, charset = mended, was
		}
	}
	return text, charset, err
}

// decodeUnmarked finds the charset of a page that nobody insists on.
func decodeUnmarked(page []byte, opts Options) ([]byte, string, error) {
	if name := wideWithoutMark(page); name != "" {
		return convert(page, name)
	}
	if looksBinary(page) {
		return nil, "", fmt.Errorf("%w: it looks like binary data", ErrNotHTML)
	}
	like := utf8Likeness(page)
	switch like {
	case isUTF8:
		return page, "utf-8", nil
	case mostlyUTF8:
		return convert(page, "utf-8")
	case isASCII:
		if hasJapaneseEscape(page) {
			return convert(page, "iso-2022-jp")
		}
		return page, "utf-8", nil
	}
	for _, label := range []string{opts.HeaderCharset, metaCharset(page)} {
		name := lookupName(label)
		switch name {
		case "", "utf-16le", "utf-16be":
			continue // who can read the label does not write two bytes a letter
		case "utf-8":
			if like != partlyUTF8 {
				continue
			}
		}
		if text, _, err := convert(page, name); err == nil && (name == "utf-8" || !broken(text)) {
			return text, name, nil
		}
	}
	return convert(page, Detect(page))
}

// cutMark takes off a byte order mark and names what it stands for.
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

// hasJapaneseEscape reports whether a page of seven bits switches to Kanji.
func hasJapaneseEscape(page []byte) bool {
	const escape = 0x1B
	for i := bytes.IndexByte(page, escape); i >= 0 && i+2 < len(page); {
		if page[i+1] == '$' && (page[i+2] == 'B' || page[i+2] == '@') {
			return true
		}
		k := bytes.IndexByte(page[i+1:], escape)
		if k < 0 {
			break
		}
		i += 1 + k
	}
	return false
}

// broken reports whether more than one in twenty of the characters beyond
// ASCII are none: then the page is in another charset than it says.
func broken(text []byte) bool {
	bad := bytes.Count(text, []byte("\uFFFD"))
	if bad == 0 {
		return false
	}
	var high int
	for _, r := range string(text) {
		if r >= utf8.RuneSelf {
			high++
		}
	}
	return bad*20 > high
}

func blankBytes(b []byte) bool { return len(bytes.TrimSpace(b)) == 0 }

// lookup finds an encoding by any of the names that browsers know. Chinese
// pages that say gb2312 mean its superset, and utf-16 is told only by marks.
func lookup(label string) (encoding.Encoding, string) {
	e, err := htmlindex.Get(label)
	if err != nil {
		return nil, ""
	}
	name, err := htmlindex.Name(e)
	if err != nil {
		return nil, ""
	}
	switch name {
	case "gbk":
		return simplifiedchinese.GB18030, "gb18030"
	case "utf-16le":
		return unicode.UTF16(unicode.LittleEndian, unicode.IgnoreBOM), name
	case "x-user-defined", "replacement":
		return nil, ""
	}
	return e, name
}

func lookupName(label string) string {
	_, name := lookup(label)
	return name
}

func convert(page []byte, name string) ([]byte, string, error) {
	if name == "utf-8" {
		if utf8.Valid(page) {
			return page, name, nil
		}
		return bytes.ToValidUTF8(page, []byte("\uFFFD")), name, nil
	}
	e, _ := lookup(name)
	text, err := e.NewDecoder().Bytes(page)
	if err != nil {
		return nil, "", fmt.Errorf("%w: not %s: %w", ErrMalformed, name, err)
	}
	return text, name, nil
}

// likeness says what a page is when taken for UTF-8.
type likeness int

const (
	notUTF8    likeness = iota
	partlyUTF8          // UTF-8 if somebody says so
	mostlyUTF8          // UTF-8 with a few broken characters
	isASCII
	isUTF8
)

// utf8Likeness takes a page for UTF-8 when it has characters of several bytes
// and they are right, or nearly all of them: text in another charset hardly
// ever has one by chance, and one broken byte does not make a page Latin-1.
func utf8Likeness(page []byte) likeness {
	if utf8.Valid(page) {
		for _, b := range page {
			if b >= utf8.RuneSelf {
				return isUTF8
			}
		}
		return isASCII
	}
	var good, bad int
	for i := 0; i < len(page); {
		if page[i] < utf8.RuneSelf {
			i++
			continue
		}
		r, n := utf8.DecodeRune(page[i:])
		if r == utf8.RuneError && n == 1 {
			if !utf8.FullRune(page[i:]) {
				break // the page was cut off inside a character
			}
			bad++
		} else {
			good++
		}
		i += n
	}
	switch {
	case good > 10*bad:
		return mostlyUTF8
	case good > bad:
		return partlyUTF8
	}
	return notUTF8
}

// CheckCharset tells whether a charset is known before a page is read in it.
// Empty is fine: it asks for none.
func CheckCharset(name string) error {
	if name == "" {
		return nil
	}
	if e, _ := lookup(name); e == nil {
		return fmt.Errorf("%w %q; try utf-8, windows-1252, gb18030, big5, shift_jis, euc-kr or koi8-r", ErrCharset, name)
	}
	return nil
}

// metaCharset is the charset that a page claims in a <meta>, however far in,
// or in an XML declaration. HTML5 looks at the first 1,024 bytes, but pages put
// a hundred kilobytes of scripts before it. A <meta> that has slipped into the
// body speaks for the same bytes.
func metaCharset(page []byte) string {
	z := html.NewTokenizer(bytes.NewReader(page))
	for {
		switch z.Next() {
		case html.ErrorToken:
			return xmlCharset(page)
		case html.StartTagToken, html.SelfClosingTagToken:
			switch name, hasAttr := z.TagName(); string(name) {
			case "meta":
				if label := metaLabel(z, hasAttr); label != "" {
					return label
				}
			case "noscript":
				z.NextIsNotRawText() // a <meta> may stand in it
			}
		}
	}
}

// xmlCharset reads <?xml version="1.0" encoding="…"?>.
func xmlCharset(page []byte) string {
	head := bytes.TrimLeft(page[:min(len(page), 256)], " \t\r\n")
	if !bytes.HasPrefix(head, []byte("<?xml")) {
		return ""
	}
	decl, _, _ := strings.Cut(string(head), "?>")
	_, rest, ok := strings.Cut(decl, "encoding")
	if !ok {
		return ""
	}
	return firstLabel(rest)
}

func metaLabel(z *html.Tokenizer, more bool) string {
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
	return firstLabel(content[i+len("charset"):])
}

// firstLabel reads the value after a '=', with or without quotes.
func firstLabel(s string) string {
	s = strings.TrimLeft(s, " \t\r\n=\"'")
	if i := strings.IndexAny(s, " \t\r\n;\"',"); i >= 0 {
		s = s[:i]
	}
	return s
}

// magics are bytes at the start of files that get mistaken for pages.
var magics = []struct {
	at          int
	bytes, kind string
}{
	{0, "%PDF-", "a PDF"},
	{0, "\x89PNG\r\n\x1a\n", "a PNG picture"},
	{0, "\xFF\xD8\xFF", "a JPEG picture"},
	{0, "GIF87a", "a GIF picture"},
	{0, "GIF89a", "a GIF picture"},
	{0, "II*\x00", "a TIFF picture"},
	{0, "\x00\x00\x01\x00", "an icon"},
	{8, "WEBPVP8", "a WebP picture"},
	{8, "WAVEfmt ", "a sound"},
	{4, "ftyp", "a video or picture"},
	{0, "\x1A\x45\xDF\xA3", "a video"},
	{0, "ID3\x02", "a sound"},
	{0, "ID3\x03", "a sound"},
	{0, "ID3\x04", "a sound"},
	{0, "OggS\x00", "a sound or video"},
	{0, "PK\x03\x04", "a ZIP archive or an office document"},
	{0, "Rar!\x1A\x07", "a RAR archive"},
	{0, "7z\xBC\xAF\x27\x1C", "a 7z archive"},
	{0, "\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1", "an office document"},
	{0, "\x1F\x8B\x08", "gzip data; unpack it first"},
	{0, "(\xB5\x2F\xFD", "zstd data; unpack it first"},
	{0, "\xFD7zXZ\x00", "xz data; unpack it first"},
	{0, "\x7FELF", "a program"},
	{0, "MZ\x90\x00", "a program"},
	{0, "\x00asm", "a program"},
	{0, "SQLite format 3\x00", "a database"},
	{0, "wOF2", "a font"},
	{0, "wOFF", "a font"},
}

// magicKind names what the bytes are if their start gives them away.
func magicKind(page []byte) string {
	for _, m := range magics {
		if len(page) > m.at && bytes.HasPrefix(page[m.at:], []byte(m.bytes)) {
			return m.kind
		}
	}
	return ""
}

// looksBinary reports whether the bytes are no text at all. Control characters
// have no business in text; a few are dirt, many are data.
func looksBinary(page []byte) bool {
	head := page[:min(len(page), 8<<10)]
	var controls int
	for _, b := range head {
		if b < ' ' && b != '\t' && b != '\n' && b != '\r' && b != '\f' && b != 0x1B || b == 0x7F {
			controls++
		}
	}
	const share = 20 // one in twenty; of random bytes it is two
	return controls*share > len(head) && !looksLikeTag(head)
}

// looksLikeTag lets a page through that is full of NUL bytes but still a page.
func looksLikeTag(head []byte) bool {
	low := bytes.ToLower(head)
	for _, t := range []string{"<html", "<!doctype", "<head", "<body", "<div", "<p>"} {
		if bytes.Contains(low, []byte(t)) {
			return true
		}
	}
	return false
}

// wideWithoutMark tells UTF-16 without a byte order mark by the zero bytes in
// every other place that markup then has.
func wideWithoutMark(page []byte) string {
	head := page[:min(len(page), 1<<10)]
	if len(head) < 8 {
		return ""
	}
	var even, odd int
	for i, b := range head {
		if b == 0 {
			if i%2 == 0 {
				even++
			} else {
				odd++
			}
		}
	}
	const most = 3 // of 4 characters in markup are ASCII
	half := len(head) / 2
	switch {
	case odd*4 > half*most && even*10 < half:
		return "utf-16le"
	case even*4 > half*most && odd*10 < half:
		return "utf-16be"
	}
	return ""
}
