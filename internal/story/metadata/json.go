package metadata

import (
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// Limits of a JSON-LD script. The rest is ignored.
const (
	maxJSONBytes  = 1 << 20
	maxJSONDepth  = 24
	maxJSONValues = 20_000
)

type jsonKind uint8

const (
	jsonNone jsonKind = iota
	jsonString
	jsonUnquoted // a number, true, false, null, or a string without quotes
	jsonArray
	jsonObject
)

// jsonValue is a JSON value. Strings are slices of the source and still escaped,
// so that unused ones cost nothing.
type jsonValue struct {
	kind    jsonKind
	raw     string
	items   []jsonValue
	members []jsonMember
}

type jsonMember struct {
	key   string
	value jsonValue
}

// parseJSON returns all objects and arrays of a script. It never fails: it
// tolerates comments, CDATA and HTML comments around the data, missing and
// duplicate commas, line breaks and quotes inside strings, unquoted keys and
// truncated input.
func parseJSON(s string) (out []jsonValue) {
	r := jsonReader{s: truncate(s, maxJSONBytes), left: maxJSONValues}
	for r.left > 0 {
		i := strings.IndexAny(r.s[r.i:], "{[")
		if i < 0 {
			break
		}
		if strings.HasPrefix(r.s[r.i+i:], "[CDATA[") {
			r.i += i + len("[CDATA[")
			continue
		}
		r.i += i
		out = append(out, r.value(0))
	}
	return out
}

type jsonReader struct {
	s    string
	i    int
	left int // number of values that may still be parsed
}

// skip skips white space and comments.
func (r *jsonReader) skip() {
	for r.i < len(r.s) {
		rest := r.s[r.i:]
		switch c := rest[0]; {
		case c <= ' ':
			r.i++
		case strings.HasPrefix(rest, "/*"):
			_, after, _ := strings.Cut(rest[2:], "*/")
			r.i = len(r.s) - len(after)
		case strings.HasPrefix(rest, "//"):
			_, after, _ := strings.Cut(rest, "\n")
			r.i = len(r.s) - len(after)
		case c >= utf8.RuneSelf:
			x, n := utf8.DecodeRuneInString(rest)
			if x != 0xA0 && x != 0xFEFF && x != 0x200B && x != 0x2028 {
				return
			}
			r.i += n
		default:
			return
		}
	}
}

// value parses the value at the current position. It always advances, except at
// the end of the input or before a closing bracket.
func (r *jsonReader) value(depth int) jsonValue {
	r.skip()
	if r.i >= len(r.s) || r.left <= 0 {
		r.i = len(r.s)
		return jsonValue{}
	}
	r.left--
	switch r.s[r.i] {
	case '{', '[':
		if depth >= maxJSONDepth {
			r.skipNested()
			return jsonValue{}
		}
		if r.s[r.i] == '{' {
			return r.object(depth)
		}
		return r.array(depth)
	case '"':
		return jsonValue{kind: jsonString, raw: r.quoted()}
	}
	return jsonValue{kind: jsonUnquoted, raw: r.unquoted(",]}\n")}
}

func (r *jsonReader) object(depth int) jsonValue {
	v := jsonValue{kind: jsonObject}
	r.i++
	for r.more('}') {
		var key string
		if r.s[r.i] == '"' {
			key = r.quoted()
		} else {
			key = strings.Trim(r.unquoted(":,}\n"), "'")
		}
		r.skip()
		if r.i >= len(r.s) || r.s[r.i] != ':' {
			continue
		}
		r.i++
		if val := r.value(depth + 1); val.kind != jsonNone {
			v.members = append(v.members, jsonMember{key, val})
		}
	}
	return v
}

func (r *jsonReader) array(depth int) jsonValue {
	v := jsonValue{kind: jsonArray}
	r.i++
	for r.more(']') {
		if val := r.value(depth + 1); val.kind != jsonNone {
			v.items = append(v.items, val)
		}
	}
	return v
}

// more skips separators and brackets of the wrong kind. It reports whether an
// element follows. Otherwise it has skipped the closing bracket, if there is one.
func (r *jsonReader) more(closing byte) bool {
	for r.skip(); r.i < len(r.s); r.skip() {
		switch r.s[r.i] {
		case closing:
			r.i++
			return false
		case ',', ':', ']', '}':
			r.i++
		default:
			return true
		}
	}
	return false
}

// unquoted parses an unquoted value up to one of the stop characters.
func (r *jsonReader) unquoted(stops string) string {
	n := strings.IndexAny(r.s[r.i:], stops)
	if n < 0 {
		n = len(r.s) - r.i
	}
	s := r.s[r.i : r.i+n]
	r.i += n
	if n == 0 && r.i < len(r.s) {
		r.i++
	}
	return strings.TrimSpace(s)
}

// skipNested skips an object or array that is nested too deeply.
func (r *jsonReader) skipNested() {
	for open := 0; r.i < len(r.s); {
		switch r.s[r.i] {
		case '"':
			r.quoted()
			continue
		case '{', '[':
			open++
		case '}', ']':
			open--
		}
		r.i++
		if open <= 0 {
			return
		}
	}
}

// quoted parses a string. A quote ends it only if what follows can follow a
// string. Otherwise the quote should have been escaped.
func (r *jsonReader) quoted() string {
	r.i++
	start := r.i
	for quote := -1; r.i < len(r.s); {
		if quote < r.i { // search once, however many escapes precede the quote
			n := strings.IndexByte(r.s[r.i:], '"')
			if n < 0 {
				break
			}
			quote = r.i + n
		}
		if n := strings.IndexByte(r.s[r.i:quote], '\\'); n >= 0 {
			r.i += n + 2
			continue
		}
		r.i = quote
		if r.ends(r.i + 1) {
			r.i++
			return r.s[start : r.i-1]
		}
		r.i++
	}
	r.i = len(r.s)
	return r.s[start:]
}

// ends reports whether a string can end before position i.
func (r *jsonReader) ends(i int) bool {
	newline := false
	for ; i < len(r.s) && r.s[i] <= ' '; i++ {
		newline = newline || r.s[i] == '\n'
	}
	if i >= len(r.s) {
		return true
	}
	switch r.s[i] {
	case ',', ':', '}', ']', '/':
		return true
	}
	return newline // a comma is missing
}

// unescape decodes the escapes of a JSON string.
func unescape(s string) string {
	if !strings.Contains(s, `\`) {
		return s
	}
	var b strings.Builder
	for {
		i := strings.IndexByte(s, '\\')
		if i < 0 || i+1 >= len(s) {
			b.WriteString(s)
			return b.String()
		}
		b.WriteString(s[:i])
		c := s[i+1]
		s = s[i+2:]
		switch c {
		case 'n', 't', 'r', 'b', 'f':
			b.WriteByte(' ')
		case 'u':
			r, rest := hexRune(s)
			b.WriteRune(r)
			s = rest
		default:
			b.WriteByte(c)
		}
	}
}

// hexRune decodes the digits after \u, and the second half of a surrogate pair.
func hexRune(s string) (rune, string) {
	u, err := strconv.ParseUint(s[:min(4, len(s))], 16, 16)
	if err != nil || len(s) < 4 {
		return ' ', s
	}
	r, s := rune(u), s[4:]
	if utf16.IsSurrogate(r) && len(s) >= 6 && s[:2] == `\u` {
		if low, err := strconv.ParseUint(s[2:6], 16, 16); err == nil {
			if full := utf16.DecodeRune(r, rune(low)); full != utf8.RuneError {
				return full, s[6:]
			}
		}
	}
	return r, s
}
