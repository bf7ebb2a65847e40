package dom

import (
	"bytes"
	"fmt"
	"unicode/utf8"

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
