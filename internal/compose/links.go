package compose

import (
	"net/url"
	"slices"
	"strings"

	"github.com/lede-news/lede/dom"
)

// baseURL returns the base of relative links: the <base> of the page, or else
// its address, or nil.
func baseURL(d *dom.Document, page string) *url.URL {
	base, err := url.Parse(page)
	if err != nil || page == "" {
		base = nil
	}
	for n := range d.All(0, dom.Base) {
		href := d.Attr(n, "href")
		if href == "" {
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

// link returns the absolute address of a link, or "" if it leads to a script or
// within the page.
func (c *composer) link(href string) string {
	href = strings.TrimSpace(href)
	if href == "" || href[0] == '#' {
		return ""
	}
	return c.absolute(href, "http", "https", "mailto")
}

// absolute resolves an address. It returns "" unless it has one of the schemes.
func (c *composer) absolute(addr string, schemes ...string) string {
	if addr == "" {
		return ""
	}
	if isResolved(addr) {
		return strings.Clone(addr) // so that it does not keep the page in memory
	}
	u, err := url.Parse(strings.Map(dropControl, addr))
	if err != nil {
		return ""
	}
	if c.base != nil {
		u = c.base.ResolveReference(u)
	}
	if u.Scheme != "" && !slices.Contains(schemes, u.Scheme) { // there is none without a base
		return ""
	}
	return u.String()
}

// dropControl removes what browsers ignore in addresses, so that "java\nscript:"
// is recognized.
func dropControl(r rune) rune {
	if r < ' ' || r == 0x7f {
		return -1
	}
	return r
}

// isResolved reports whether an HTTP address is absolute and would not change
// when resolved. Most are, and parsing them costs several allocations.
func isResolved(addr string) bool {
	rest, ok := strings.CutPrefix(addr, "https://")
	if !ok {
		if rest, ok = strings.CutPrefix(addr, "http://"); !ok {
			return false
		}
	}
	host := strings.IndexByte(rest, '/')
	if host <= 0 {
		return false
	}
	inQuery := false
	for i := range len(rest) {
		switch c := rest[i]; {
		case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', '0' <= c && c <= '9', c == '-', c == '_':
		case c == '.': // "/./" and "/../" are resolved
			if !inQuery && i > host && rest[i-1] == '/' {
				return false
			}
		case i < host:
			return false
		case c == '/':
			if !inQuery && i > host && rest[i-1] == '/' {
				return false
			}
		case c == '?' && !inQuery:
			inQuery = true
		case inQuery && (c == '=' || c == '&' || c == ';' || c == '%' || c == '+' || c == ',' || c == ':'):
		default:
			return false
		}
	}
	return true
}
