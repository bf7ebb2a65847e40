package compose

import (
	"strings"

	"github.com/lede-news/lede/internal/page/links"
)

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
	if len(addr) <= links.MaxURL && links.IsResolved(addr) { // as most are
		return c.memory.newAddress(addr)
	}
	to := links.Resolve(c.base, addr, schemes...)
	if !c.opts.Steps.Write(len(to)) {
		return ""
	}
	return to
}
