package coding

import (
	"bufio"
	"bytes"
	"net/http"
	"strings"
)

const zstdMagic = "\x28\xb5\x2f\xfd"

// isPlain holds for a body that is not coded whatever its header says: many
// crawlers store the body decoded and leave the header, some servers name a
// coding that they have not applied, and some answers with one have no body.
func isPlain(name string, in *bufio.Reader) bool {
	b, _ := in.Peek(64)
	switch name {
	case "gzip", "x-gzip": // the magic number is no text
		return len(b) == 0 || isText(b)
	case "zstd": // here it may be
		magic := b[:min(len(b), len(zstdMagic))]
		return len(b) == 0 || !strings.HasPrefix(zstdMagic, string(magic)) && isText(b)
	}
	return len(b) == 0 || isMarkup(b)
}

func isText(b []byte) bool { return strings.HasPrefix(http.DetectContentType(b), "text/") }

// isMarkup holds for bytes that no compressor begins with.
func isMarkup(b []byte) bool {
	b = bytes.TrimLeft(bytes.TrimPrefix(b, []byte("\xef\xbb\xbf")), " \t\r\n")
	return len(b) > 16 && b[0] == '<' && isText(b)
}
