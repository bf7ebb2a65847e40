package metadata

import (
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// Limits of one JSON-LD script. What lies beyond is not read.
const (
	jsonBytes  = 1 << 20
	jsonDepth  = 24
	jsonValues = 20_000
)

type jsonKind uint8

const (
	jsonNone jsonKind = iota
	jsonString
	jsonBare // a number, true, false, null, or something that should have had quotes
	jsonArray
	jsonObject
)

// jsonValue is a piece of JSON. Strings are slices of the source, still
// escaped, so that the long ones that nobody asks for cost nothing.
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

// fewMembers is as many as most objects have.
const fewMembers = 4

// parseJSON reads all values of a script, in the spirit of HTML: whatever is
// wrong, something comes out. It forgives comments, CDATA and HTML comments
// around the data, commas too many or missing, line breaks and quotes inside
// strings, keys without quotes, and an end that comes too soon.
func parseJSON(s string) []jsonValue {
	r := jsonReader{s: clip(s, jsonBytes), left: jsonValues}
	var out []jsonValue
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
	left int // how many values may still be read
}

// skip passes white space and comments.
func (r *jsonReader) skip() {
	for r.i < len(r.s) {
		rest := r.s[r.i:]
		switch c := rest[0]; {
		case c <= ' ':
			r.i++
		case strings.HasPrefix(rest, "/*"):
			end := strings.Index(rest[2:], "*/")
			if end < 0 {
				r.i = len(r.s)
				return
			}
			r.i += end + 4
		case strings.HasPrefix(rest, "//"):
			end := strings.IndexByte(rest, '\n')
			if end < 0 {
				r.i = len(r.s)
				return
			}
			r.i += end
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

// value reads what begins here. It always moves on, unless at the end or
// before a bracket that closes.
func (r *jsonReader) value(depth int) jsonValue {
	r.skip()
	if r.i >= len(r.s) || r.left <= 0 {
		r.i = len(r.s)
		return jsonValue{}
	}
	r.left--
	switch r.s[r.i] {
	case '{', '[':
		if depth >= jsonDepth {
			r.leap()
			return jsonValue{}
		}
		if r.s[r.i] == '{' {
			return r.object(depth)
		}
		return r.array(depth)
	case '"':
		return jsonValue{kind: jsonString, raw: r.quoted()}
	}
	return jsonValue{kind: jsonBare, raw: r.bare(",]}\n")}
}

func (r *jsonReader) object(depth int) jsonValue {
	v := jsonValue{kind: jsonObject}
	r.i++
	for {
		r.skip()
		if r.i >= len(r.s) {
			return v
		}
		switch r.s[r.i] {
		case '}':
			r.i++
			return v
		case ',', ':', ']':
			r.i++
			continue
		}
		var key string
		if r.s[r.i] == '"' {
			key = r.quoted()
		} else {
			key = strings.Trim(r.bare(":,}\n"), "'")
		}
		r.skip()
		if r.i >= len(r.s) || r.s[r.i] != ':' {
			continue
		}
		r.i++
		if val := r.value(depth + 1); val.kind != jsonNone {
			if v.members == nil {
				v.members = make([]jsonMember, 0, fewMembers)
			}
			v.members = append(v.members, jsonMember{key, val})
		}
	}
}

func (r *jsonReader) array(depth int) jsonValue {
	v := jsonValue{kind: jsonArray}
	r.i++
	for {
		r.skip()
		if r.i >= len(r.s) {
			return v
		}
		switch r.s[r.i] {
		case ']':
			r.i++
			return v
		case ',', ':', '}':
			r.i++
			continue
		}
		if val := r.value(depth + 1); val.kind != jsonNone {
			v.items = append(v.items, val)
		}
	}
}

// bare reads up to one of the characters that end it.
func (r *jsonReader) bare(stops string) string {
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

// leap passes an object or array that is nested too deep.
func (r *jsonReader) leap() {
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

// quoted reads a string. A quote ends it only when what follows can follow a
// string; otherwise somebody forgot to escape it.
func (r *jsonReader) quoted() string {
	r.i++
	start := r.i
	for quote := -1; r.i < len(r.s); {
		if quote < r.i { // looked for once, however many escapes stand before it
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

// ends reports whether a string may end before position i.
func (r *jsonReader) ends(i int) bool {
	row := false
	for ; i < len(r.s) && r.s[i] <= ' '; i++ {
		row = row || r.s[i] == '\n'
	}
	if i >= len(r.s) {
		return true
	}
	switch r.s[i] {
	case ',', ':', '}', ']', '/':
		return true
	}
	return row // a comma is missing
}

// unescape resolves the escapes of a JSON string.
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

// hexRune reads the digits after \u, and the second half of a pair.
func hexRune(s string) (rune, string) {
	if len(s) < 4 {
		return ' ', s
	}
	u, err := strconv.ParseUint(s[:4], 16, 16)
	if err != nil {
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
