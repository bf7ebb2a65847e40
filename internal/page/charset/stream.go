package charset

import (
	"bufio"
	"io"
	"strings"

	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/transform"
)

// headSize is how much of a stream is looked at to find its charset.
const headSize = 64 << 10

// NewListReader returns a reader that converts a sitemap to UTF-8 as it is read. The
// charset is found as by DecodeList, but from the beginning only, and what is no text
// in it is replaced. header is the charset that the HTTP header names, or "".
func NewListReader(r io.Reader, header string) (io.Reader, error) {
	buffered := bufio.NewReaderSize(r, headSize)
	head, err := buffered.Peek(headSize)
	if err != nil && len(head) == 0 {
		return nil, err
	}
	rest, name := cutMark(head)
	if name != "" {
		if _, err := buffered.Discard(len(head) - len(rest)); err != nil {
			return nil, err
		}
	} else {
		name = streamCharset(head, listCharset(head, header))
	}
	e, _ := lookup(name)
	if name == "utf-8" || e == nil {
		e = unicode.UTF8 // replaces invalid bytes
	}
	return transform.NewReader(buffered, e.NewDecoder()), nil
}

// streamCharset returns the charset of a text by its beginning.
func streamCharset(head []byte, label string) string {
	if name := canonicalName(label); compareToUTF8(head) == isASCII && name != "" && !strings.HasPrefix(name, "utf-") {
		return name // other letters may follow
	}
	_, name, err := decodeUnmarked(head, label, xmlCharset)
	if err != nil {
		return "utf-8"
	}
	return name
}
