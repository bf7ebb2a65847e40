package feed

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"golang.org/x/net/html"
)

// tokenKind is the kind of a token.
type tokenKind int

const (
	endToken tokenKind = iota
	textToken
	cdataToken
	startTag
	closeTag
)

// token is a piece of a document that need not be well-formed.
type token struct {
	kind  tokenKind
	raw   []byte // as in the document; of CDATA its content
	name  string // of a tag, as written
	attrs []byte // of a start tag, as written
	empty bool   // the tag closes itself
}

// scanner splits a document into tokens. What is no tag is text. Comments,
// instructions and declarations are skipped.
type scanner struct {
	rest  []byte
	cut   bool // the document ends inside a tag, comment or CDATA
	known bool // the end of CDATA has been looked for
	after int  // size of what followed it
}

// maxTag bounds the size of a tag. Without it, finding the ends of those that do not
// end would take the square of the size of the document.
const maxTag = 64 << 10

func (s *scanner) next() token {
	for len(s.rest) > 0 {
		if s.rest[0] != '<' {
			return s.text(0)
		}
		switch {
		case bytes.HasPrefix(s.rest, []byte("<!--")):
			s.skip("-->")
		case bytes.HasPrefix(s.rest, []byte("<![CDATA[")):
			return s.cdata()
		case bytes.HasPrefix(s.rest, []byte("<?")), bytes.HasPrefix(s.rest, []byte("<!")):
			s.skip(">")
		default:
			if t, ok := s.tag(); ok {
				return t
			}
			return s.text(1)
		}
	}
	return token{}
}

// cdata returns the content of the CDATA section that the rest begins with. A section
// that has another one and a tag before its end has lost its own end: it ends at the
// tag.
func (s *scanner) cdata() token {
	const start, end = "<![CDATA[", "]]>"
	s.rest = s.rest[len(start):]
	if !s.known || s.after > len(s.rest)-len(end) { // looking for it in each section would take the square of the size
		i := bytes.Index(s.rest, []byte(end))
		if i < 0 {
			t := token{kind: cdataToken, raw: s.rest}
			s.rest, s.cut = nil, true
			return t
		}
		s.known, s.after = true, len(s.rest)-i-len(end)
	}
	content, rest := s.rest[:len(s.rest)-s.after-len(end)], s.rest[len(s.rest)-s.after:]
	if i := bytes.Index(content, []byte(start)); i >= 0 {
		if tag := bytes.Index(content[:i], []byte("</")); tag >= 0 {
			content, rest = content[:tag], s.rest[tag:]
		}
	}
	s.rest = rest
	return token{kind: cdataToken, raw: content}
}

// text returns the text up to the next "<" after the first n bytes.
func (s *scanner) text(n int) token {
	end := bytes.IndexByte(s.rest[n:], '<')
	if end < 0 {
		end = len(s.rest) - n
	}
	t := token{kind: textToken, raw: s.rest[:n+end]}
	s.rest = s.rest[n+end:]
	return t
}

// skip skips what ends in end.
func (s *scanner) skip(end string) {
	_, rest, ok := bytes.Cut(s.rest, []byte(end))
	s.rest = rest
	s.cut = s.cut || !ok
}

// tag returns the tag that the rest begins with. ok is false if that is no tag, as the
// "<" in "1 < 2" or "a <b c".
func (s *scanner) tag() (t token, ok bool) {
	b := s.rest[:min(len(s.rest), maxTag)]
	i := 1
	t.kind = startTag
	if i < len(b) && b[i] == '/' {
		t.kind = closeTag
		i++
	}
	from := i
	for i < len(b) && isNameByte(b[i], i == from) {
		i++
	}
	if i == from {
		return token{}, false
	}
	t.name = string(b[from:i])
	from = i
	for i < len(b) && b[i] != '>' {
		switch c := b[i]; {
		case c == '<':
			return token{}, false
		case (c == '"' || c == '\'') && afterEquals(b[from:i]):
			end := bytes.IndexByte(b[i+1:], c)
			if end < 0 {
				s.cut = s.cut || len(b) == len(s.rest)
				return token{}, false
			}
			i += end + 1
		}
		i++
	}
	if i >= len(b) {
		s.cut = s.cut || len(b) == len(s.rest)
		return token{}, false
	}
	t.raw = b[:i+1]
	t.attrs, t.empty = bytes.CutSuffix(b[from:i], []byte("/"))
	s.rest = s.rest[i+1:]
	return t, true
}

// afterEquals reports whether a value may begin after b.
func afterEquals(b []byte) bool {
	b = bytes.TrimRight(b, " \t\r\n")
	return len(b) > 0 && b[len(b)-1] == '='
}

func isNameByte(c byte, first bool) bool {
	return 'a' <= c|0x20 && c|0x20 <= 'z' || c == '_' || c >= utf8.RuneSelf || !first && ('0' <= c && c <= '9' || c == ':' || c == '-' || c == '.')
}

// attribute is an attribute of a tag, its value decoded.
type attribute struct{ name, value string }

// readAttrs returns the attributes of a tag, at most 64.
func readAttrs(b []byte) (list []attribute) {
	const most = 64
	for len(list) < most {
		b = bytes.TrimLeft(b, " \t\r\n\"'=/")
		n := bytes.IndexAny(b, "= \t\r\n")
		if n <= 0 {
			return list
		}
		name := string(b[:n])
		b = bytes.TrimLeft(b[n:], " \t\r\n")
		if len(b) == 0 || b[0] != '=' {
			continue // it has no value
		}
		b = bytes.TrimLeft(b[1:], " \t\r\n")
		var value []byte
		if len(b) > 0 && (b[0] == '"' || b[0] == '\'') {
			value, b, _ = bytes.Cut(b[1:], b[:1])
		} else {
			end := bytes.IndexAny(b, " \t\r\n")
			if end < 0 {
				end = len(b)
			}
			value, b = b[:end], b[end:]
		}
		list = append(list, attribute{name, decodeText(value)})
	}
	return list
}

// decodeText returns a text without its references. "&" that begins none stays as it
// is, also where HTML would see one without a semicolon: it is part of an address.
func decodeText(b []byte) string {
	var out strings.Builder
	for {
		i := bytes.IndexByte(b, '&')
		if i < 0 {
			writeClean(&out, b)
			return out.String()
		}
		writeClean(&out, b[:i])
		b = b[i:]
		n := referenceLen(b)
		if n == 0 {
			out.WriteByte('&')
			b = b[1:]
			continue
		}
		if decoded := html.UnescapeString(string(b[:n])); decoded == string(b[:n]) {
			out.WriteString(decoded) // unknown
		} else {
			writeClean(&out, []byte(decoded))
		}
		b = b[n:]
	}
}

// referenceLen returns the length of the reference, such as &eacute; or &#233;, that b
// begins with, or 0.
func referenceLen(b []byte) int {
	const longest = len("&CounterClockwiseContourIntegral;")
	for i := 1; i < min(len(b), longest); i++ {
		switch c := b[i]; {
		case c == ';' && i > 1:
			return i + 1
		case '0' <= c && c <= '9', 'a' <= c|0x20 && c|0x20 <= 'z', c == '#' && i == 1:
		default:
			return 0
		}
	}
	return 0
}

// writeClean writes text without the characters that XML does not allow.
func writeClean(out *strings.Builder, b []byte) {
	for len(b) > 0 {
		r, n := utf8.DecodeRune(b)
		if r >= ' ' && r != 0x7f && r != 0xFFFE && r != 0xFFFF && !(r == utf8.RuneError && n == 1) || r == '\t' || r == '\n' || r == '\r' {
			out.Write(b[:n])
		}
		b = b[n:]
	}
}
