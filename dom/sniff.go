package dom

import "bytes"

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
