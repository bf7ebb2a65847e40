// Package charset decodes pages to UTF-8. It finds the charset of a page from
// its byte order mark, the HTTP header, its declarations and its letters,
// refuses what is not a page, and repairs pages that were decoded wrongly
// before.
package charset

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/htmlindex"
	"golang.org/x/text/encoding/simplifiedchinese"
	"golang.org/x/text/encoding/unicode"
)

// Errors of Decode and Check. Package dom documents and exports them.
var (
	ErrEmpty   = errors.New("the page is empty")
	ErrNotHTML = errors.New("this is not an HTML page")
	ErrUnknown = errors.New("unknown charset")
)

// Hints tell Decode what others say about the charset of a page.
type Hints struct {
	// Charset is the charset that the caller demands.
	Charset string
	// Header is the charset that the HTTP header names.
	Header string
}

// Check returns an error if the name of a charset is unknown. The empty name
// is valid.
func Check(name string) error {
	if name != "" && canonicalName(name) == "" {
		return fmt.Errorf("%w %q; try utf-8, windows-1252, gb18030, big5, shift_jis, euc-kr or koi8-r", ErrUnknown, name)
	}
	return nil
}

// Decode converts a page to UTF-8 and returns the name of its charset. The
// first of these decides: a byte order mark, hints.Charset, text that is
// clearly UTF-8, hints.Header, the <meta> or XML declaration of the page, and
// the frequency of its letters. Mojibake is repaired, unless hints.Charset is
// another charset than UTF-8. The result shares memory with page if nothing
// had to change.
func Decode(page []byte, hints Hints) (text []byte, name string, err error) {
	if text, name, err = decodeText(page, hints, declared); err != nil {
		return nil, "", err
	}
	if list, ok := FindList(text); ok {
		return nil, "", fmt.Errorf("%w: %w", ErrNotHTML, list)
	}
	if isJSON(text) {
		return nil, "", fmt.Errorf("%w: it looks like JSON; take the HTML out of it first", ErrNotHTML)
	}
	return text, name, nil
}

// DecodeList is Decode for a feed or a sitemap, which Decode refuses. A <meta> in it
// belongs to a page that it quotes, and an XML declaration counts for more than a
// header with the charset that servers name by default.
func DecodeList(list []byte, hints Hints) (text []byte, name string, err error) {
	hints.Header = listCharset(list, hints.Header)
	return decodeText(list, hints, xmlCharset)
}

// listCharset returns the charset that an HTTP header and the XML declaration of a
// feed or sitemap name.
func listCharset(list []byte, header string) string {
	if name := canonicalName(header); name != "" && name != "windows-1252" {
		return header
	}
	if declared := xmlCharset(list); canonicalName(declared) != "" {
		return declared
	}
	return header
}

// decodeText decodes a page or a list and repairs mojibake. declared returns the charset
// that it declares.
func decodeText(page []byte, hints Hints, declared func([]byte) string) (text []byte, name string, err error) {
	if isBlank(page) {
		return nil, "", ErrEmpty
	}
	if kind := fileKind(page); kind != "" {
		return nil, "", fmt.Errorf("%w: it looks like %s", ErrNotHTML, kind)
	}
	if rest, marked := cutMark(page); marked != "" {
		text, name, err = convert(rest, marked)
	} else if hints.Charset != "" {
		if err := Check(hints.Charset); err != nil {
			return nil, "", err
		}
		text, name, err = convert(page, canonicalName(hints.Charset))
	} else {
		text, name, err = decodeUnmarked(page, hints.Header, declared)
	}
	if err == nil && isBlank(text) {
		err = ErrEmpty
	}
	if err != nil {
		return nil, "", err
	}
	if hints.Charset == "" || name == "utf-8" {
		if repaired, original := repairMojibake(text); original != "" {
			return repaired, original, nil
		}
	}
	return text, name, nil
}

// decodeUnmarked decodes a page that has no byte order mark and for which the
// caller demands no charset.
func decodeUnmarked(page []byte, header string, declared func([]byte) string) ([]byte, string, error) {
	if name := unmarkedUTF16(page); name != "" {
		return convert(page, name)
	}
	if isBinary(page) {
		return nil, "", fmt.Errorf("%w: it looks like binary data", ErrNotHTML)
	}
	like := compareToUTF8(page)
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
	for _, label := range []string{header, declared(page)} {
		name := canonicalName(label)
		switch name {
		case "", "utf-16le", "utf-16be":
			continue // in UTF-16 the declaration would not have been readable
		case "utf-8":
			if like != partlyUTF8 {
				continue
			}
		}
		if text, _, err := convert(page, name); err == nil && (name == "utf-8" || !isBroken(text)) {
			return text, name, nil
		}
	}
	return convert(page, detect(page))
}

// utf8Likeness is how well a page can be read as UTF-8.
type utf8Likeness int

const (
	notUTF8    utf8Likeness = iota
	partlyUTF8              // UTF-8 only if declared
	mostlyUTF8              // UTF-8 with a few broken characters
	isASCII
	isUTF8
)

// compareToUTF8 takes a page for UTF-8 if nearly all of its multi-byte
// characters are valid: text in another charset hardly ever has one by chance,
// and one broken byte does not make a page Latin-1.
func compareToUTF8(page []byte) utf8Likeness {
	if utf8.Valid(page) {
		if hasHigh(page) {
			return isUTF8
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

// isBroken reports whether more than one in twenty of the characters beyond
// ASCII are invalid: then the page is in another charset than declared.
func isBroken(text []byte) bool {
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

func isBlank(b []byte) bool { return len(bytes.TrimSpace(b)) == 0 }

// hasHigh reports whether a text has a byte beyond ASCII.
func hasHigh(text []byte) bool { return asciiPrefix(text) < len(text) }

// asciiPrefix returns how many bytes of ASCII a text begins with. It looks at
// eight at a time, since most of a page is ASCII.
func asciiPrefix(text []byte) int {
	const high = 0x8080808080808080
	i := 0
	for i+8 <= len(text) && binary.LittleEndian.Uint64(text[i:])&high == 0 {
		i += 8
	}
	for i < len(text) && text[i] < utf8.RuneSelf {
		i++
	}
	return i
}

// lookup finds an encoding and its canonical name by any of the labels of the
// WHATWG Encoding Standard. Chinese pages that declare gb2312 or gbk use its
// superset gb18030.
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

// canonicalName returns the name of the charset with the given label, or "".
func canonicalName(label string) string {
	_, name := lookup(label)
	return name
}

// convert decodes a page from the charset with the given canonical name.
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
		return nil, "", fmt.Errorf("%w: not %s: %w", ErrNotHTML, name, err)
	}
	return text, name, nil
}
