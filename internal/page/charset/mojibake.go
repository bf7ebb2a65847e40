package charset

import (
	"bytes"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"
)

// repairMojibake restores a page whose bytes were decoded as windows-1252 or
// Latin-1 and then encoded as UTF-8, so that "więcej" became "wiÄ™cej". Many pages
// in archives are like that. It returns the charset that the page was in at first,
// or "" if there is nothing to repair.
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
	wrong := charmap.Windows1252
	if bytes.ContainsAny(text, "€ŠšŽžŒœŸ") && !bytes.ContainsAny(text, "¤¦¨´¸¼½¾") {
		wrong = charmap.ISO8859_15 // has these letters where Latin-1 has these signs
	}
	raw := make([]byte, 0, len(text)) // without characters that were not bytes
	for _, r := range string(text) {
		if b, ok := byteOf(r, wrong); ok {
			raw = append(raw, b)
		}
	}
	for _, charset := range [...]func([]byte) string{declared, detect} {
		name := canonicalName(charset(raw))
		switch name {
		case "", "utf-8", "utf-16le", "utf-16be":
			continue
		}
		if e.isCharacterTable() && singleByte(name) != nil {
			continue
		}
		if out, err := redecode(text, wrong, name); err == nil && !isBroken(out) && !isWestern(out) {
			return out, name
		}
	}
	return text, ""
}

// byteOf returns the byte that was decoded as r, as Latin-1 where the wrong charset has no
// such character.
func byteOf(r rune, wrong *charmap.Charmap) (byte, bool) {
	if b, ok := wrong.EncodeRune(r); ok || r >= 0x100 {
		return b, ok
	}
	return byte(r), true
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

func examine(text []byte) (e evidence) {
	var raw []byte // the bytes that a run of characters may have been
	for len(text) > 0 {
		if n := asciiPrefix(text); n > 0 {
			e.addRun(raw)
			raw, text = raw[:0], text[n:]
			continue
		}
		r, n := utf8.DecodeRune(text)
		text = text[n:]
		if b, ok := byteOf(r, charmap.Windows1252); ok {
			raw = append(raw, b)
			continue
		}
		e.others++
		e.addRun(raw)
		raw = raw[:0]
	}
	e.addRun(raw)
	return e
}

func (e *evidence) addRun(raw []byte) {
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
}

// repairUTF8 decodes the bytes that are valid UTF-8 and keeps all else.
func repairUTF8(text []byte) []byte {
	out := make([]byte, 0, len(text))
	for len(text) > 0 {
		if n := asciiPrefix(text); n > 0 {
			out, text = append(out, text[:n]...), text[n:]
			continue
		}
		// The next characters as bytes, and where each of them ends.
		var raw [utf8.UTFMax]byte
		var ends [utf8.UTFMax]int
		n, end := 0, 0
		for n < len(raw) && end < len(text) {
			r, size := utf8.DecodeRune(text[end:])
			b, ok := byteOf(r, charmap.Windows1252)
			if !ok {
				break
			}
			end += size
			raw[n], ends[n] = b, end
			n++
		}
		if r, size := utf8.DecodeRune(raw[:n]); r != utf8.RuneError {
			out = append(out, raw[:size]...)
			text = text[ends[size-1]:]
			continue
		}
		_, size := utf8.DecodeRune(text)
		out = append(out, text[:size]...)
		text = text[size:]
	}
	return out
}

// redecode decodes the original bytes with another charset and keeps the
// characters that were not bytes where they are.
func redecode(text []byte, wrong *charmap.Charmap, name string) ([]byte, error) {
	var out, raw []byte
	flush := func() error {
		s, _, err := convert(raw, name)
		out, raw = append(out, s...), raw[:0]
		return err
	}
	for _, r := range string(text) {
		if b, ok := byteOf(r, wrong); ok {
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
