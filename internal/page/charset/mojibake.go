package charset

import (
	"bytes"
	"encoding/binary"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"
)

// repairMojibake restores a page whose bytes were decoded as a Western
// European charset and then encoded as UTF-8, so that "więcej" became
// "wiÄ™cej". Many pages in archives are like that. It returns the charset that
// the page was in at first, or "" if there is nothing to repair.
func repairMojibake(text []byte) (repaired []byte, original string) {
	const few = 8
	if bytes.Count(text, []byte{0xC2})+bytes.Count(text, []byte{0xC3}) < few {
		return text, ""
	}
	e := examine(text)
	switch {
	case e.isUTF8():
		return repairUTF8(text), "utf-8"
	case !e.isRuns():
		return text, ""
	}
	var wrong western
	if isLatin9(text) {
		wrong = latin9
	}
	raw := wrong.encode(text)
	for _, charset := range [...]func([]byte) string{declared, detect} {
		name := canonicalName(charset(raw))
		switch name {
		case "", "utf-8", "utf-16le", "utf-16be":
			continue
		}
		if e.isCharacterTable() && isSingleByte(name) {
			continue
		}
		if out, err := wrong.redecode(text, name); err == nil && !isBroken(out) && !isWestern(out) {
			return out, name
		}
	}
	return text, ""
}

// evidence counts the characters beyond ASCII that may be misread bytes.
type evidence struct {
	bytes, adjacent int // how many there are, and how many are next to another
	runs            int // how many runs they form
	others          int // characters that cannot be misread bytes
	good, bad       int // valid characters of UTF-8 among the bytes, and invalid bytes
}

// isUTF8 reports whether the bytes are UTF-8, which real letters hardly ever are.
func (e evidence) isUTF8() bool { return e.good >= 4 && e.bad*10 <= e.good }

// isRuns reports whether most of the characters are next to one another. In
// Western European languages they occur between ASCII letters.
func (e evidence) isRuns() bool {
	return e.bytes >= 64 && e.adjacent*5 >= e.bytes*4 && e.others*10 <= e.bytes
}

// isCharacterTable reports whether the runs are too long for words, as on a
// page that shows all characters of a charset.
func (e evidence) isCharacterTable() bool { return e.bytes > 16*e.runs }

func isSingleByte(name string) bool {
	e, _ := lookup(name)
	_, ok := e.(*charmap.Charmap)
	return ok
}

func examine(text []byte) (e evidence) {
	eachRun(text, func(_ int, run, raw []byte) {
		if len(raw) == 0 {
			e.others += utf8.RuneCount(run)
			return
		}
		const noBreakSpace = 0xA0 // pages indent with runs of it
		if n := len(raw) - bytes.Count(raw, []byte{noBreakSpace}); n > 0 {
			e.bytes += n
			e.runs++
			if n > 1 {
				e.adjacent += n
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

// eachRun calls do for each run of characters beyond ASCII, with its offset and
// the bytes that they may have been. A character that cannot have been a byte
// is a run of its own, with raw empty.
func eachRun(text []byte, do func(offset int, run, raw []byte)) {
	var raw []byte
	for i := 0; i < len(text); {
		if i += asciiPrefix(text[i:]); i == len(text) {
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

// hasHigh reports whether a text has a byte beyond ASCII.
func hasHigh(text []byte) bool { return asciiPrefix(text) < len(text) }

// western is the charset that a page was wrongly decoded with: the characters
// in which it differs from windows-1252, which extends Latin-1.
type western map[rune]byte

// latin9 has some letters where Latin-1 has signs.
var latin9 = western{'€': 0xA4, 'Š': 0xA6, 'š': 0xA8, 'Ž': 0xB4, 'ž': 0xB8, 'Œ': 0xBC, 'œ': 0xBD, 'Ÿ': 0xBE}

// isLatin9 reports whether a misread text has some of these letters and none
// of the signs. Misread text has plenty of either.
func isLatin9(text []byte) (is bool) {
	for _, r := range string(text) {
		switch r {
		case '€', 'Š', 'š', 'Ž', 'ž', 'Œ', 'œ', 'Ÿ':
			is = true
		case '¤', '¦', '¨', '´', '¸', '¼', '½', '¾':
			return false
		}
	}
	return is
}

// byteOf returns the byte that was decoded as r.
func (w western) byteOf(r rune) (byte, bool) {
	if r < 0x100 {
		return byte(r), true
	}
	if r > '™' || 'ƒ' < r && r < '–' && r != 'ˆ' && r != '˜' {
		return 0, false // quickly for most scripts
	}
	if b, ok := w[r]; ok {
		return b, true
	}
	return charmap.Windows1252.EncodeRune(r)
}

// repairUTF8 decodes the bytes that are valid UTF-8 and keeps all else.
func repairUTF8(text []byte) []byte {
	out := make([]byte, 0, len(text))
	last := 0
	eachRun(text, func(offset int, run, raw []byte) {
		out = append(out, text[last:offset]...)
		last = offset + len(run)
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
		out = append(out, run...) // a character that was not a byte
	})
	return append(out, text[last:]...)
}

// encode returns the original bytes, without characters that were not bytes.
func (w western) encode(text []byte) []byte {
	out := make([]byte, 0, len(text))
	for _, r := range string(text) {
		if b, ok := w.byteOf(r); ok {
			out = append(out, b)
		}
	}
	return out
}

// redecode decodes the original bytes with another charset and keeps the
// characters that were not bytes where they are.
func (w western) redecode(text []byte, name string) ([]byte, error) {
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

// isWestern reports whether many of the characters beyond ASCII are still
// those of Western Europe, so that the repair gained nothing.
func isWestern(text []byte) bool {
	var latin1, all int
	for _, r := range string(text) {
		if r >= utf8.RuneSelf {
			all++
			if r < 0x100 {
				latin1++
			}
		}
	}
	return latin1*5 > all
}
