package links

import (
	"net/url"
	"slices"
	"strings"
	"unicode"

	"github.com/lede-news/lede/dom"
)

// MaxURL is the length of the longest URL that is resolved, in bytes. It is what every
// program should be able to read (RFC 9110, section 4.1); longer ones are no links that
// somebody follows.
const MaxURL = 8000

// Base returns the base of the relative links of a page: its <base> or else its
// address, or nil if neither is known.
func Base(d *dom.Document, address string) *url.URL {
	var base *url.URL
	if address != "" {
		base, _ = url.Parse(address) // nil if it is none
	}
	for n := range d.All(0, dom.Base) {
		href := d.Attr(n, "href")
		if href == "" || len(href) > MaxURL {
			continue
		}
		u, err := url.Parse(strings.TrimSpace(href))
		switch {
		case err != nil:
		case base != nil:
			return base.ResolveReference(u)
		case u.IsAbs():
			return u
		}
		break
	}
	return base
}

// Resolve returns the absolute form of a link, or "" if it has none of the schemes
// or may hide another one, or is longer than MaxURL.
// Without a base, a relative link stays as it is.
func Resolve(base *url.URL, link string, schemes ...string) string {
	if link == "" || len(link) > MaxURL {
		return ""
	}
	if IsResolved(link) {
		return strings.Clone(link) // so that it does not keep the page in memory
	}
	u, err := Parse(strings.Map(dropControl, link))
	if err != nil {
		return ""
	}
	if base != nil {
		u = base.ResolveReference(u)
	}
	if u.Scheme != "" && !slices.Contains(schemes, u.Scheme) { // there is none without a base
		return ""
	}
	to := u.String()
	if len(to) > MaxURL {
		return ""
	}
	if i := strings.IndexAny(to, ":/?#&"); i >= 0 && to[i] == '&' {
		return "" // "javascript&colon;" has a scheme for those who decode it once more
	}
	return to
}

// ResolveWeb returns the absolute form of a link over HTTP, or "" if it is none.
func ResolveWeb(base *url.URL, link string) string {
	to := Resolve(base, link, "http", "https")
	_, host, ok := strings.Cut(to, "://")
	if !ok || !strings.HasPrefix(to, "http") || host == "" || strings.ContainsAny(host[:1], "/?#") {
		return ""
	}
	return to
}

// MostlyRelative reports whether most links of a page are relative.
func MostlyRelative(d *dom.Document) bool {
	relative := 0
	for n := range d.All(0, dom.A) {
		switch u, err := Parse(d.Attr(n, "href")); {
		case err != nil:
		case u.Host != "":
			relative--
		case u.Scheme == "" && u.Path != "":
			relative++
		}
	}
	return relative > 0
}

// dropControl removes what browsers ignore in addresses, so that "java\nscript:"
// is recognized.
func dropControl(r rune) rune {
	if r < ' ' || r == 0x7f {
		return -1
	}
	return r
}

// IsResolved reports whether an HTTP address is absolute and so plain that Resolve would not
// change it. Most are, and parsing them costs several allocations.
func IsResolved(address string) bool {
	rest, ok := strings.CutPrefix(address, "https://")
	if !ok {
		rest, ok = strings.CutPrefix(address, "http://")
	}
	host, path, _ := strings.Cut(rest, "/")
	return ok && host != "" && strings.Trim(host, plain+".") == "" && strings.Trim(path, plain+"./?=&") == "" &&
		!strings.Contains("/"+path, "//") && !strings.Contains("/"+path, "/.")
}

// plain are characters that have no meaning of their own in an address.
const plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_"

// Parse is url.Parse, as lenient as browsers where news sites need it: white space
// around the address is dropped, and a percent sign that begins no escape sequence,
// as in /100%-sure, is escaped.
func Parse(address string) (*url.URL, error) {
	return url.Parse(escapePercent(strings.TrimSpace(address)))
}

// Form returns what a part of a path is: a number, a headline, a text with a number
// (numbered) or a word.
func Form(part string) string {
	switch {
	case strings.Trim(part, "0123456789-.") == "":
		return "number"
	case strings.Count(part, "-")+strings.Count(part, "_") >= 2:
		return "headline"
	case strings.IndexFunc(part, unicode.IsDigit) >= 0:
		return "numbered"
	}
	return "word"
}

// escapePercent writes %25 for a percent sign that begins no escape sequence. The
// host is not changed.
func escapePercent(raw string) string {
	path := 0
	if i := strings.IndexAny(raw, "/?#"); i >= 0 && strings.HasPrefix(raw[i:], "//") && (i == 0 || raw[i-1] == ':') {
		host := i + len("//")
		j := strings.IndexAny(raw[host:], "/?#")
		if j < 0 {
			return raw
		}
		path = host + j
	}
	if !strings.Contains(raw[path:], "%") {
		return raw
	}
	var b strings.Builder
	b.WriteString(raw[:path])
	for i := path; i < len(raw); i++ {
		b.WriteByte(raw[i])
		if raw[i] == '%' && !isEscape(raw[i:]) {
			b.WriteString("25")
		}
	}
	return b.String()
}

// isEscape reports whether s begins with an escape sequence such as %2F.
func isEscape(s string) bool {
	return len(s) > 2 && s[0] == '%' && isHex(s[1]) && isHex(s[2])
}

func isHex(c byte) bool {
	return '0' <= c && c <= '9' || 'a' <= c|0x20 && c|0x20 <= 'f'
}
