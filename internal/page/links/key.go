package links

import (
	"cmp"
	_ "embed"
	"net/netip"
	"slices"
	"strings"
	"unicode/utf8"
)

// Key returns a text that is the same for addresses of the same page, or "" if the
// address is not an absolute one of HTTP. Addresses are the same if they differ only
// in
//
//   - the scheme: http, https or none, as in //paper.example/story
//   - the case of the host, a dot after it, a default port, or a user name
//   - "www.", "m.", "mobile." or "amp." before the host
//   - the fragment
//   - slashes at the end of the path, and "." and ".." in it
//   - the way in which characters are escaped
//   - the order of the parameters, and those that only track readers; tracking.txt
//     lists them
//
// The key is not an address to fetch.
func Key(address string) string {
	_, rest, _ := strings.Cut(address, "://")
	host, path, hasPath := strings.Cut(rest, "/")
	if hasPath && IsResolved(address) && !strings.Contains(path, "?") { // most are; parsing costs several allocations
		if host = bareHost(host); host == "" {
			return ""
		}
		return strings.TrimRight(host+"/"+path, "/")
	}
	return parsedKey(address)
}

// StoryKey is Key for stories: it is also the same for the AMP and print editions of a
// story, and for addresses that differ in the session of a reader.
func StoryKey(address string) string {
	path, query, hasQuery := strings.Cut(Key(address), "?")
	if i := strings.IndexByte(path, ';'); i >= 0 && IsSession(paramName(path[i+1:])) {
		path = path[:i]
	}
	host, path, _ := strings.Cut(path, "/")
	parts := slices.DeleteFunc(strings.Split(path, "/"), func(p string) bool { return strings.HasPrefix(p, "(S(") })
	if n := len(parts); n > 1 && isEdition(parts[0]) {
		parts = parts[1:]
	} else if n > 1 && isEdition(parts[n-1]) {
		parts = parts[:n-1]
	}
	last := &parts[len(parts)-1]
	if stem, ok := strings.CutSuffix(*last, ".amp.html"); ok {
		*last = stem + ".html"
	}
	*last = strings.TrimSuffix(*last, ".amp")
	key := strings.TrimRight(host+"/"+strings.Join(parts, "/"), "/")
	if hasQuery {
		params := slices.DeleteFunc(strings.Split(query, "&"), func(p string) bool {
			name, value, _ := strings.Cut(strings.ToLower(p), "=")
			isView := slices.Contains([]string{"outputtype", "output", "view", "format", "mode"}, name)
			return IsSession(name) || isEdition(name) && value != "0" || isEdition(value) && isView
		})
		if len(params) > 0 {
			key += "?" + strings.Join(params, "&")
		}
	}
	return key
}

// isEdition reports whether part of an address means another edition of a story.
func isEdition(s string) bool { return s == "amp" || s == "print" || s == "printable" }

// IsSession reports whether a parameter of an address is the session of a reader.
func IsSession(name string) bool {
	switch name = strings.ToLower(name); name {
	case "sid", "sessid", "sessionid", "session_id", "session", "phpsessid", "jsessionid", "cfid", "cftoken", "oscsid", "zenid":
		return true
	}
	return strings.HasPrefix(name, "aspsessionid")
}

// parsedKey is Key for any address.
func parsedKey(address string) string {
	// Without this, url.URL would take %2F for a slash in paths with such characters.
	u, err := Parse(escapeText(strings.TrimSpace(address)))
	if err != nil || u.Scheme != "http" && u.Scheme != "https" && u.Scheme != "" || u.Opaque != "" {
		return ""
	}
	host := bareHost(u.Hostname())
	if host == "" || strings.ContainsAny(host, "%/?#@\\ ") {
		return ""
	}
	if strings.Contains(host, ":") {
		if _, err := netip.ParseAddr(host); err != nil {
			return ""
		}
		host = "[" + host + "]"
	}
	if port := u.Port(); port != "" && port != "80" && port != "443" {
		host += ":" + port
	}
	u = u.ResolveReference(u) // removes "." and ".."
	key := host + strings.TrimRight(unescape(u.EscapedPath()), "/")
	if query := queryKey(u.RawQuery); query != "" {
		key += "?" + query
	}
	return key
}

// bareHost returns a host in lower case, without the names of its mobile and AMP
// editions.
func bareHost(host string) string {
	host = strings.TrimRight(strings.ToLower(host), ".")
	for {
		name, rest, ok := strings.Cut(host, ".")
		if !ok || !slices.Contains([]string{"www", "m", "mobile", "amp"}, name) || !strings.Contains(rest, ".") {
			return host
		}
		host = rest
	}
}

// queryKey returns the parameters of a query in the order of their names, without
// those that track readers.
func queryKey(query string) string {
	if query == "" {
		return ""
	}
	params := strings.FieldsFunc(query, func(r rune) bool { return r == '&' })
	for i := range params {
		params[i] = unescape(params[i])
	}
	params = slices.DeleteFunc(params, func(p string) bool { return IsTracking(paramName(p)) })
	slices.SortStableFunc(params, func(a, b string) int { return cmp.Compare(paramName(a), paramName(b)) })
	return strings.Join(params, "&")
}

func paramName(p string) string {
	name, _, _ := strings.Cut(p, "=")
	return name
}

//go:embed tracking.txt
var trackingFile string

// tracking returns the names of parameters that only track readers. Those that end
// in * stand for all that begin so.
var tracking = readSet(trackingFile)

// IsTracking reports whether a parameter of an address only tracks readers.
func IsTracking(name string) bool {
	name = strings.ToLower(name)
	if tracking()[name] {
		return true
	}
	i := strings.IndexAny(name, "_-.")
	return i >= 0 && tracking()[name[:i+1]+"*"]
}

const hexDigits = "0123456789ABCDEF"

// escapeText escapes what an address should not have without.
func escapeText(s string) string {
	escape := func(c byte) bool { return c >= utf8.RuneSelf || strings.IndexByte(" \"<>\\^`{|}", c) >= 0 }
	b := make([]byte, 0, len(s)+16)
	for i := range len(s) {
		if c := s[i]; escape(c) {
			b = append(b, '%', hexDigits[c>>4], hexDigits[c&15])
		} else {
			b = append(b, c)
		}
	}
	return string(b)
}

// unescape replaces the escape sequences of a path or query, except for characters
// that have a meaning there, and escapes white space and control characters.
func unescape(s string) string {
	plain := func(c byte) bool { return c > ' ' && c != 0x7f && !strings.ContainsRune("/?#%&=+;", rune(c)) }
	if !strings.ContainsFunc(s, func(r rune) bool { return r == '%' || r <= ' ' || r == 0x7f }) {
		return s
	}
	b := make([]byte, 0, len(s))
	for i := 0; i < len(s); i++ {
		c, escaped := s[i], isEscape(s[i:])
		if escaped {
			c = unhex(s[i+1])<<4 | unhex(s[i+2])
			i += 2
		}
		if plain(c) || !escaped && c > ' ' && c != 0x7f && c != '%' {
			b = append(b, c)
			continue
		}
		b = append(b, '%', hexDigits[c>>4], hexDigits[c&15])
	}
	return string(b)
}

func unhex(c byte) byte {
	if c <= '9' {
		return c - '0'
	}
	return c | 0x20 - 'a' + 10
}
