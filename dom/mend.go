package dom

import (
	"bytes"
	"encoding/binary"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"
)

// mend undoes what happened to a page before it came here: somebody took its
// bytes for letters of western Europe, one each, and wrote those as UTF-8, so
// that "więcej" became "wiÄ™cej". Archives are full of such pages. It names the
// charset that the page was in at first, or none when there is nothing to mend.
func mend(text []byte) (mended []byte, charset string) {
	const few = 8
	if bytes.Count(text, []byte{0xC2})+bytes.Count(text, []byte{0xC3}) < few {
		return text, ""
	}
	e := examine(text)
	switch {
	case e.isUTF8():
		return mendUTF8(text), "utf-8"
	case !e.isRows():
		return text, ""
	}
	var was western
	if isLatin9(text) {
		was = latin9
	}
	raw := was.unread(text)
	for _, name := range [...]string{lookupName(metaCharset(raw)), Detect(raw)} {
		switch name {
		case "", "utf-8", "utf-16le", "utf-16be":
			continue
		}
		if e.isTable() && isNarrow(name) {
			continue
		}
		if out, err := was.reread(text, name); err == nil && !broken(out) && isForeign(out) {
			return out, name
		}
	}
	return text, ""
}

// evidence is what the letters beyond ASCII look like that may be bytes.
type evidence struct {
	bytes, rows int // how many there are, and of those that stand next to another
	runs        int // in how many places
	others      int // letters that cannot be bytes
	good, bad   int // characters of UTF-8 that they make, and bytes that make none
}

// isUTF8 holds what Latin letters hardly ever do: to make characters of UTF-8.
func (e evidence) isUTF8() bool { return e.good >= 4 && e.bad*10 <= e.good }

// isRows tells words that are nothing but such letters. In the languages that
// have them they stand between plain ones.
func (e evidence) isRows() bool {
	return e.bytes >= 64 && e.rows*5 >= e.bytes*4 && e.others*10 <= e.bytes
}

// isTable tells rows that are too long for words of letters: a page that shows
// all those of a charset.
func (e evidence) isTable() bool { return e.bytes > 16*e.runs }

// isNarrow reports whether a charset has one byte a letter.
func isNarrow(name string) bool {
	e, _ := lookup(name)
	_, narrow := e.(*charmap.Charmap)
	return narrow
}

func examine(text []byte) (e evidence) {
	eachRun(text, func(_ int, run, raw []byte) {
		if len(raw) == 0 {
			e.others += utf8.RuneCount(run)
			return
		}
		const hardSpace = 0xA0 // pages have rows of it to indent by
		if n := len(raw) - bytes.Count(raw, []byte{hardSpace}); n > 0 {
			e.bytes += n
			e.runs++
			if n > 1 {
				e.rows += n
			}
		}
		for len(raw) > 0 {
			r, n := utf8.DecodeRune(raw)
			if r == utf8.RuneError {
				e.bad++
			} else {
				e.good++
			}
			raw = raw[n:]
		}
	})
	return e
}

// eachRun goes through the runs of letters beyond ASCII and where they stand, with
// the bytes that they may have been. A letter that was none is a run by itself, without.
func eachRun(text []byte, do func(at int, run, raw []byte)) {
	var raw []byte
	for i := 0; i < len(text); {
		if i += plain(text[i:]); i == len(text) {
			break
		}
		from := i
		raw = raw[:0]
		for i < len(text) && text[i] >= utf8.RuneSelf {
			r, n := utf8.DecodeRune(text[i:])
			b, ok := western(nil).byteOf(r)
			if !ok {
				if len(raw) == 0 {
					i += n
				}
				break
			}
			raw = append(raw, b)
			i += n
		}
		do(from, text[from:i], raw)
	}
}

// plain is how many letters of ASCII a text begins with. It looks at eight at a
// time, since most of a page is nothing else.
func plain(text []byte) int {
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

// western is how the bytes were taken for letters; the zero value is Latin-1 with
// the signs of windows-1252, which differ only where Latin-1 has none.
type western map[rune]byte

// latin9 has some letters in place of signs that Latin-1 has.
var latin9 = western{'€': 0xA4, 'Š': 0xA6, 'š': 0xA8, 'Ž': 0xB4, 'ž': 0xB8, 'Œ': 0xBC, 'œ': 0xBD, 'Ÿ': 0xBE}

// isLatin9 tells it by those signs, which bytes of other charsets are full of:
// there are some of the letters and none of the signs.
func isLatin9(text []byte) bool {
	return bytes.ContainsAny(text, "€ŠšŽžŒœŸ") && !bytes.ContainsAny(text, "¤¦¨´¸¼½¾")
}

// byteOf is the byte that a letter was.
func (w western) byteOf(r rune) (byte, bool) {
	if r < 0x100 {
		return byte(r), true
	}
	if b, ok := w[r]; ok {
		return b, true
	}
	return charmap.Windows1252.EncodeRune(r)
}

// mendUTF8 makes characters of the bytes that are some, and leaves the rest.
func mendUTF8(text []byte) []byte {
	out := make([]byte, 0, len(text))
	last := 0
	eachRun(text, func(at int, run, raw []byte) {
		out = append(out, text[last:at]...)
		last = at + len(run)
		for len(raw) > 0 {
			r, n := utf8.DecodeRune(raw)
			old := 0
			for range n {
				_, w := utf8.DecodeRune(run[old:])
				old += w
			}
			if r == utf8.RuneError {
				out = append(out, run[:old]...)
			} else {
				out = append(out, raw[:n]...)
			}
			raw, run = raw[n:], run[old:]
		}
		out = append(out, run...) // a letter that was no byte
	})
	return append(out, text[last:]...)
}

// unread gives the bytes back, without the letters that were none.
func (w western) unread(text []byte) []byte {
	out := make([]byte, 0, len(text))
	for _, r := range string(text) {
		if b, ok := w.byteOf(r); ok {
			out = append(out, b)
		}
	}
	return out
}

// reread reads the bytes in their own charset, and keeps the letters that were
// none where they are.
func (w western) reread(text []byte, name string) ([]byte, error) {
	var out, raw []byte
	flush := func() error {
		s, _, err := convert(raw, name)
		out, raw = append(out, s...), raw[:0]
		return err
	}
	for _, r := range string(text) {
		if b, ok := w.byteOf(r); ok {
			raw = append(raw, b)
			continue
		}
		if err := flush(); err != nil {
			return nil, err
		}
		out = utf8.AppendRune(out, r)
	}
	err := flush()
	return out, err
}

// isForeign reports whether the letters beyond ASCII are hardly any of western
// Europe's, so that something was won.
func isForeign(text []byte) bool {
	var western, all int
	for _, r := range string(text) {
		if r >= utf8.RuneSelf {
			all++
			if r < 0x100 {
				western++
			}
		}
	}
	return western*5 <= all
}
