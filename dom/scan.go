package dom

import (
	"bytes"
	"io"
	"strings"

	"golang.org/x/net/html"
)

// scanResult describes a page that cannot be parsed as it is.
type scanResult struct {
	nodes     int  // elements and texts
	cut       int  // how many bytes of the page to parse
	truncated bool // cut is before the end
	titleEnd  int  // where a <title> without an end tag should end, or 0
}

// scan counts tags and texts up to a limit, without parsing. It follows the rules
// of the tokenizer, so that it counts what the parser will see.
func scan(page []byte, maxNodes int) scanResult {
	s := scanResult{cut: len(page)}
	foreign := false // inside SVG or MathML, where nothing is raw
	for i := 0; i < len(page); {
		j := bytes.IndexByte(page[i:], '<')
		if j < 0 {
			s.nodes++
			break
		}
		if end := i + j; i < end {
			for i < end && page[i] <= ' ' {
				i++ // white space between tags is not a node
			}
			if i < end {
				s.nodes++
			}
			i = end
		}
		i++
		if i >= len(page) {
			break
		}
		switch c := page[i]; {
		case isLetter(c):
			if s.nodes++; s.nodes > maxNodes {
				s.cut, s.truncated = i-1, true
				return s
			}
			tag, n := tagAt(page[i:])
			i = tagEnd(page, i+n)
			switch {
			case tag == SVG || tag == Math:
				foreign = true
			case tag.is(block):
				foreign = false // blocks end SVG and MathML implicitly
			case tag.is(raw) && !foreign:
				end := rawEnd(page, i, tag)
				if tag == Title && end == len(page) && s.titleEnd == 0 {
					end = nextTag(page, i)
					s.titleEnd = end
				}
				i = end
			}
		case c == '/':
			tag, n := tagAt(page[i+1:])
			if n == 0 {
				i = closeAngle(page, i+1)
				continue
			}
			i = tagEnd(page, i+1+n)
			if tag == SVG || tag == Math {
				foreign = false
			}
		case c == '!' || c == '?':
			i = declarationEnd(page, i)
		}
	}
	return s
}

func isLetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }

func isSpace(c byte) bool {
	return c == ' ' || c == '\n' || c == '\r' || c == '\t' || c == '\f'
}

// nextTag returns the offset of the next '<', or the end.
func nextTag(page []byte, i int) int {
	if k := bytes.IndexByte(page[i:], '<'); k >= 0 {
		return i + k
	}
	return len(page)
}

// closeAngle returns the offset after the next '>'.
func closeAngle(page []byte, i int) int {
	if k := bytes.IndexByte(page[i:], '>'); k >= 0 {
		return i + k + 1
	}
	return len(page)
}

// tagEnd returns the offset after the '>' that ends the tag whose name ends at i.
// It skips those in quoted values.
func tagEnd(page []byte, i int) int {
	for i < len(page) {
		switch c := page[i]; {
		case c == '>':
			return i + 1
		case isSpace(c) || c == '/':
			i++
			continue
		}
		for i++; i < len(page) && !endsKey[page[i]]; i++ {
		}
		for i < len(page) && isSpace(page[i]) {
			i++
		}
		if i < len(page) && page[i] == '=' {
			i = valueEnd(page, i+1)
		}
	}
	return len(page)
}

// valueEnd returns the offset after the value of an attribute, quoted or not.
func valueEnd(page []byte, i int) int {
	for i < len(page) && isSpace(page[i]) {
		i++
	}
	if i == len(page) {
		return i
	}
	if q := page[i]; q == '"' || q == '\'' {
		if k := bytes.IndexByte(page[i+1:], q); k >= 0 {
			return i + 1 + k + 1
		}
		return len(page)
	}
	for i < len(page) && page[i] != '>' && !isSpace(page[i]) {
		i++
	}
	return i
}

var endsKey = func() (t [256]bool) {
	for _, c := range "= \n\r\t\f/>" {
		t[c] = true
	}
	return t
}()

// declarationEnd returns the offset after the comment, doctype or bogus comment
// whose '!' or '?' is at i.
func declarationEnd(page []byte, i int) int {
	if !bytes.HasPrefix(page[i:], []byte("!--")) {
		return closeAngle(page, i)
	}
	i += len("!--")
	for start := i; ; {
		k := bytes.IndexByte(page[i:], '>')
		if k < 0 {
			return len(page)
		}
		i += k + 1
		switch inside := page[start : i-1]; {
		case bytes.HasSuffix(inside, []byte("--")), bytes.HasSuffix(inside, []byte("--!")),
			len(inside) == 0, len(inside) == 1 && inside[0] == '-':
			return i
		}
	}
}

// rawEnd returns the offset of the end tag of a raw element that began before i.
func rawEnd(page []byte, i int, tag Tag) int {
	if tag == Plaintext {
		return len(page)
	}
	end := firstEndTag(page, i, tag)
	if tag == Script && nestsScript(page[i:end]) {
		return scriptEnd(page, i)
	}
	return end
}

func firstEndTag(page []byte, i int, tag Tag) int {
	for {
		j := bytes.Index(page[i:], []byte("</"))
		if j < 0 {
			return len(page)
		}
		if t, _ := tagAt(page[i+j+2:]); t == tag {
			return i + j
		}
		i += j + 2
	}
}

// nestsScript reports whether code has a script in a comment. Then the first end
// tag may not end it.
func nestsScript(code []byte) bool {
	k := bytes.Index(code, []byte("<!--"))
	return k >= 0 && bytes.Contains(bytes.ToLower(code[k:]), []byte("<script"))
}

// scriptEnd finds the end of a script with the tokenizer, which has the rules for
// nested scripts.
func scriptEnd(page []byte, i int) int {
	z := html.NewTokenizer(io.MultiReader(strings.NewReader("<script>"), bytes.NewReader(page[i:])))
	z.Next()
	if z.Next() == html.TextToken {
		i += len(z.Raw())
	}
	return i
}
