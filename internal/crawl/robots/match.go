package robots

import (
	"fmt"
	"strconv"
	"strings"
)

// encodeQuery encodes what separates the parts of an address in the query of a path.
func encodeQuery(path string) string {
	before, query, found := strings.Cut(path, "?")
	if !found {
		return path
	}
	return before + "?" + delimiters.Replace(query)
}

var delimiters = strings.NewReplacer(":", "%3A", "/", "%2F", "?", "%3F", "@", "%40")

// matches reports whether a pattern matches the beginning of a path. An address in
// a query may be encoded or not (RFC 9309, section 2.2.2, second example), so the query
// is compared in both forms: "/*/print" also matches "/?at=/print", and
// "/go?to=https://" also "/go?to=https%3A%2F%2F".
func matches(pattern, path string) bool {
	return match(pattern, path) || match(encodeQuery(pattern), encodeQuery(path))
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

// normalise writes a path so that equal ones have the same octets (RFC 9309, section
// 2.2.2): escape sequences of letters, digits and -._~ are decoded, other ones are in upper
// case, and what a URL cannot contain is encoded. So are * and $, unless they have
// their meaning in a rule (section 2.2.3).
func normalise(path string, isRule bool) string {
	var b strings.Builder
	for i := 0; i < len(path); i++ {
		c := path[i]
		if c == '%' && i+2 < len(path) {
			if n, err := strconv.ParseUint(path[i+1:i+3], 16, 8); err == nil {
				i += 2
				if c = byte(n); !isUnreserved(c) {
					fmt.Fprintf(&b, "%%%02X", c)
				} else {
					b.WriteByte(c)
				}
				continue
			}
		}
		keep := isUnreserved(c) || strings.IndexByte(":/?#[]@!&'()+,;=", c) >= 0
		if isRule {
			keep = keep || c == '*' || c == '$' && i == len(path)-1
		}
		if keep {
			b.WriteByte(c)
		} else {
			fmt.Fprintf(&b, "%%%02X", c)
		}
	}
	return b.String()
}

// isUnreserved is the set of RFC 3986, section 2.3.
func isUnreserved(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || strings.IndexByte("-._~", c) >= 0
}
