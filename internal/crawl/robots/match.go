package robots

import "strings"

// pattern is the path of a rule. The text is normalised, and its length is that of the
// rule.
type pattern struct {
	text  string
	query string // the text with the delimiters of its query encoded
}

// target is a path with its query, normalised in the same way.
type target struct {
	text, query string
}

func newPattern(path string) pattern {
	text := normalise(path, true)
	return pattern{text, encodeQuery(text)}
}

func newTarget(path string) target {
	text := normalise(path, false)
	return target{text, encodeQuery(text)}
}

// matches reports whether a pattern matches the beginning of a target. An address in
// a query may be encoded or not (RFC 9309, section 2.2.2, second example), so the query
// is compared in both forms: "/*/print" also matches "/?at=/print", and
// "/go?to=https://" also "/go?to=https%3A%2F%2F".
func (p *pattern) matches(t target) bool {
	if match(p.text, t.text) {
		return true
	}
	return (len(p.query) != len(p.text) || len(t.query) != len(t.text)) && match(p.query, t.query)
}

// match reports whether a pattern matches the beginning of a path. "*" stands for any
// octets, and "$" at the end for the end of the path. Taking the first place where a
// part matches is enough, so no part is tried twice.
func match(pattern, path string) bool {
	pattern, atEnd := strings.CutSuffix(pattern, "$")
	first, rest, more := strings.Cut(pattern, "*")
	path, ok := strings.CutPrefix(path, first)
	if !ok {
		return false
	}
	for more {
		var part string
		part, rest, more = strings.Cut(rest, "*")
		if !more && atEnd {
			return strings.HasSuffix(path, part)
		}
		i := strings.Index(path, part)
		if i < 0 {
			return false
		}
		path = path[i+len(part):]
	}
	return !atEnd || path == ""
}

// pathOf returns the path and the query of an address.
func pathOf(address string) string {
	address, _, _ = strings.Cut(address, "#")
	if scheme, rest, ok := strings.Cut(address, "://"); ok && isScheme(scheme) {
		i := strings.IndexAny(rest, "/?")
		if i < 0 {
			return "/"
		}
		address = rest[i:]
	}
	if !strings.HasPrefix(address, "/") {
		address = "/" + address
	}
	return address
}

func isScheme(s string) bool {
	return s != "" && strings.Trim(strings.ToLower(s), "abcdefghijklmnopqrstuvwxyz0123456789+-.") == ""
}

const hexDigits = "0123456789ABCDEF"

// normalise writes a path so that equal ones have the same octets (RFC 9309, section
// 2.2.2): escape sequences of letters, digits and -._~ are decoded, other ones are in upper
// case, and what a URL cannot contain is encoded. So are * and $, unless they have
// their meaning in a pattern (section 2.2.3).
func normalise(path string, isPattern bool) string {
	changed := func(c byte, i int) bool {
		switch {
		case isUnreserved(c):
			return false
		case c == '*':
			return !isPattern
		case c == '$':
			return !isPattern || i < len(path)-1
		}
		return !isReserved(c)
	}
	first := 0
	for first < len(path) && !changed(path[first], first) {
		first++
	}
	if first == len(path) {
		return path
	}
	b := append(make([]byte, 0, len(path)+16), path[:first]...)
	for i := first; i < len(path); i++ {
		c := path[i]
		if c == '%' && i+2 < len(path) {
			if hi, lo := unhex(path[i+1]), unhex(path[i+2]); hi >= 0 && lo >= 0 {
				i += 2
				if d := byte(hi<<4 | lo); isUnreserved(d) {
					b = append(b, d)
				} else {
					b = appendEncoded(b, d)
				}
				continue
			}
		}
		if changed(c, i) {
			b = appendEncoded(b, c)
		} else {
			b = append(b, c)
		}
	}
	return string(b)
}

// encodeQuery encodes the delimiters in the query of a normalised path that separate
// the parts of an address.
func encodeQuery(path string) string {
	i := strings.IndexByte(path, '?') + 1
	if i == 0 || !strings.ContainsAny(path[i:], ":/?@") {
		return path
	}
	b := append(make([]byte, 0, len(path)+16), path[:i]...)
	for ; i < len(path); i++ {
		switch c := path[i]; c {
		case ':', '/', '?', '@':
			b = appendEncoded(b, c)
		default:
			b = append(b, c)
		}
	}
	return string(b)
}

func appendEncoded(b []byte, c byte) []byte {
	return append(b, '%', hexDigits[c>>4], hexDigits[c&15])
}

// isUnreserved and isReserved are the sets of RFC 3986, section 2.
func isUnreserved(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || strings.IndexByte("-._~", c) >= 0
}

func isReserved(c byte) bool { return strings.IndexByte(":/?#[]@!$&'()*+,;=", c) >= 0 }

func unhex(c byte) int {
	switch {
	case '0' <= c && c <= '9':
		return int(c - '0')
	case 'a' <= c && c <= 'f':
		return int(c-'a') + 10
	case 'A' <= c && c <= 'F':
		return int(c-'A') + 10
	}
	return -1
}
