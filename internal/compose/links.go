package compose

import (
	"net/url"
	"strings"

	"github.com/lede-news/lede/dom"
)

// baseURL is what relative links of the page stand on: its <base>, else its
// own address. It is nil when neither is known.
func baseURL(d *dom.Document, page string) *url.URL {
	base, err := url.Parse(page)
	if err != nil || page == "" {
		base = nil
	}
	for n := range d.All(0, dom.Base) {
		href := d.AttrOr(n, "href")
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

// link is the absolute address of a link, or empty when it leads nowhere: to
// a script, to a place in the same page.
func (c *compositor) link(href string) string {
	href = strings.TrimSpace(href)
	if href == "" || href[0] == '#' {
		return ""
	}
	return c.absolute(href, "http", "https", "mailto")
}

// absolute resolves an address and lets through only the schemes given.
func (c *compositor) absolute(addr string, schemes ...string) string {
	if addr == "" {
		return ""
	}
	if isPlain(addr) {
		return strings.Clone(addr) // a link must not keep the whole page in memory
	}
	u, err := url.Parse(strings.Map(dropControl, addr))
	if err != nil {
		return ""
	}
	if c.base != nil {
		u = c.base.ResolveReference(u)
	}
	if u.Scheme == "" {
		return u.String() // nothing is known to stand it on
	}
	for _, s := range schemes {
		if strings.EqualFold(u.Scheme, s) {
			return u.String()
		}
	}
	return ""
}

// dropControl takes out what browsers ignore inside addresses, so that
// "java\nscript:" is seen for what it is.
func dropControl(r rune) rune {
	if r < ' ' || r == 0x7f {
		return -1
	}
	return r
}

// isPlain reports whether an address of the web is absolute and written so
// plainly that resolving it would give the same: most are, and to take them
// apart costs several copies of each.
func isPlain(addr string) bool {
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
		case c == '.': // "/./" and "/../" are ways up
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
