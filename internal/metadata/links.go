package metadata

import (
	"net/url"
	"strings"

	"github.com/lede-news/lede/dom"
)

// readLink adds what one <link> claims.
func (p *page) readLink(n dom.Node) {
	var rel, href string
	for k, v := range p.d.Attrs(n) {
		switch k {
		case "rel":
			rel = v
		case "href":
			href = v
		}
	}
	switch {
	case strings.EqualFold(rel, "canonical"):
		p.found.add(ofCanonical, candidate{text: href, from: fromHTML, rank: 1})
	case strings.EqualFold(rel, "image_src"):
		p.found.add(ofPicture, candidate{text: href, from: fromHTML, rank: 5})
	}
}

// canonical is where the page says it lives. A page that points to the front
// page of somebody else was set up wrongly.
func (p *page) canonical() (address, source string) {
	own := p.own
	for _, c := range p.found[ofCanonical] {
		u := absolute(p.resolve(c.text))
		if u == nil {
			continue
		}
		front := strings.Trim(u.Path, "/") == "" && u.RawQuery == ""
		if front && own != nil && bareHost(u) != bareHost(own) {
			continue
		}
		if front && own != nil && strings.Trim(own.Path, "/") != "" {
			continue
		}
		return u.String(), c.from
	}
	return "", ""
}

// findHost names the page's host from its URL, or from what it says of itself.
func (p *page) findHost() {
	if p.own != nil {
		p.host = bareHost(p.own)
		return
	}
	for _, c := range p.found[ofCanonical] {
		if u := absolute(c.text); u != nil {
			p.host = bareHost(u)
			if p.base == nil {
				p.base = u
			}
			return
		}
	}
	if p.base != nil {
		p.host = bareHost(p.base)
	}
}

// resolve makes an address absolute if it can; otherwise it is empty.
func (p *page) resolve(ref string) string {
	ref = strings.TrimSpace(ref)
	if ref == "" || len(ref) > 4096 {
		return ""
	}
	if strings.Contains(ref, "&amp;") {
		ref = strings.ReplaceAll(ref, "&amp;", "&")
	}
	u, err := url.Parse(ref)
	if err != nil {
		return ""
	}
	if p.base != nil {
		u = p.base.ResolveReference(u)
	}
	if !isWeb(u) {
		return ""
	}
	return u.String()
}

// absolute parses an address of the web, or gives nil.
func absolute(s string) *url.URL {
	u, err := url.Parse(strings.TrimSpace(s))
	if err != nil || !isWeb(u) {
		return nil
	}
	return u
}

func isWeb(u *url.URL) bool {
	return (u.Scheme == "http" || u.Scheme == "https") && u.Host != ""
}

func bareHost(u *url.URL) string {
	return strings.TrimPrefix(strings.ToLower(u.Hostname()), "www.")
}
