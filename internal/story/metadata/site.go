package metadata

import (
	"cmp"
	"net/url"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/lede-news/lede/article"
	"github.com/lede-news/lede/dom"
	"github.com/lede-news/lede/internal/page/links"
	"github.com/lede-news/lede/internal/words"
)

// siteName returns the declared name of the site, or else its host.
func (p *page) siteName() (name, source string) {
	name, source = p.candidates.first(factSite, func(s string) string {
		if s = cleanName(s); p.isDeclaredTitle(s) {
			return ""
		}
		return s
	})
	if name == "" && p.host != "" {
		return p.host, sourceURL
	}
	return name, source
}

// isDeclaredTitle reports whether a name is the title of the page: some pages
// declare their headline as the name of the application.
func (p *page) isDeclaredTitle(name string) bool {
	const minWords = 5 // names of sites are shorter
	if words.Count(name, minWords) < minWords {
		return false
	}
	key := words.Fold(name)
	return slices.ContainsFunc(p.candidates[factTitle], func(c candidate) bool {
		return len(c.text) <= 2*len(name)+20 && words.Fold(cleanText(c.text)) == key
	})
}

// cleanName returns the cleaned name of a site or section, or "" if s cannot
// be one.
func cleanName(s string) string {
	s = cleanText(s)
	if len(s) > 100 || strings.Contains(s, "://") {
		return ""
	}
	return s
}

// chooseTags returns the tags of the best source that has any.
func (p *page) chooseTags() (tags []string, source string) {
	const maxTags = 30
	isComma := func(r rune) bool { return strings.ContainsRune(",;،，、", r) }
	for _, c := range p.candidates[factTag] {
		if source != "" && source != c.source {
			break
		}
		for t := range strings.FieldsFuncSeq(truncate(c.text, 4000), isComma) {
			t = strings.Trim(cleanText(t), `"'`)
			if t == "" || len(t) > 80 || slices.ContainsFunc(tags, func(u string) bool { return strings.EqualFold(t, u) }) {
				continue
			}
			if len(tags) == maxTags {
				return tags, source
			}
			tags, source = append(tags, t), c.source
		}
	}
	return tags, source
}

// siteNames returns the folded names of the site.
func (p *page) siteNames() []string {
	if p.names != nil {
		return p.names
	}
	p.names = []string{}
	for _, c := range p.candidates[factSite] {
		name := cleanText(truncate(c.text, 200))
		if k := words.Fold(name); k != "" && len(name) <= 60 && !p.isDeclaredTitle(name) {
			p.names = append(p.names, k)
		}
	}
	if p.host != "" {
		p.names = append(p.names, words.Fold(p.host), words.Fold(hostLabel(p.host)))
	}
	return p.names
}

// hostLabel returns the label of a host that names the site: "thedaily" for
// news.thedaily.co.uk.
func hostLabel(host string) string {
	labels := strings.Split(host, ".")
	i := len(labels) - 2
	if i > 0 && len(labels[i]) <= 3 && len(labels[i+1]) == 2 {
		i-- // co.uk, com.au
	}
	return labels[max(i, 0)]
}

// isSiteName reports whether a part of a title is only the name of the site.
func (p *page) isSiteName(part string) bool {
	k := words.Fold(part)
	if k == "" {
		return true
	}
	for _, name := range p.siteNames() {
		if k == name || len(k) >= 3 && 2*len(k) >= len(name) && strings.Contains(name, k) ||
			utf8.RuneCountInString(name) >= 4 && strings.Contains(k, name) && len(k) <= len(name)+14 && words.Count(part, 6) <= 5 {
			return true
		}
	}
	return false
}

// readLink collects candidates from a <link> element.
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
		p.candidates.add(factCanonical, candidate{text: href, source: sourceHTML, rank: 1})
	case strings.EqualFold(rel, "image_src"):
		p.candidates.add(factImage, candidate{text: href, source: sourceHTML, rank: 5})
	}
}

// canonical returns the canonical address that the page declares. A front page
// is rejected as a misconfiguration.
func (p *page) canonical() (address, source string) {
	for _, c := range p.candidates[factCanonical] {
		to := p.resolve(c.text)
		u := parseWebURL(to)
		if u == nil {
			continue
		}
		front := strings.Trim(u.Path, "/") == "" && u.RawQuery == ""
		if front && p.own != nil && (bareHost(u) != bareHost(p.own) || strings.Trim(p.own.Path, "/") != "") {
			continue
		}
		if !links.IsResolved(to) {
			to = u.String()
		}
		return to, c.source
	}
	return "", ""
}

// findHost sets the host from the URL of the page, or else from its canonical
// URL or <base>.
func (p *page) findHost() {
	if p.own != nil {
		p.host = bareHost(p.own)
		return
	}
	for _, c := range p.candidates[factCanonical] {
		if u := parseWebURL(c.text); u != nil {
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

// resolve returns the absolute form of a web address, or "" if there is none.
func (p *page) resolve(ref string) string {
	ref = strings.TrimSpace(ref)
	if ref == "" || len(ref) > 4096 {
		return ""
	}
	return links.ResolveWeb(p.base, strings.ReplaceAll(ref, "&amp;", "&"))
}

// parseWebURL returns nil if s is not an absolute HTTP address.
func parseWebURL(s string) *url.URL {
	if s == "" {
		return nil
	}
	u, err := url.Parse(strings.TrimSpace(s))
	if err != nil || !isWebURL(u) {
		return nil
	}
	return u
}

func isWebURL(u *url.URL) bool {
	return (u.Scheme == "http" || u.Scheme == "https") && u.Host != ""
}

func bareHost(u *url.URL) string {
	return strings.TrimPrefix(strings.ToLower(u.Hostname()), "www.")
}

// images returns the pictures that the page declares, best first, and the source
// of the first.
func (p *page) images() (images []article.Image, source string) {
	const maxImages = 64
	index := map[string]int{}
	for _, c := range p.candidates[factImage] {
		src, info := p.resolve(cleanText(c.text)), c.image
		if src == "" || info.Width == 1 || info.Height == 1 || isTrackingPixel(src) {
			continue
		}
		i, seen := index[src]
		if !seen {
			if i = len(images); i == maxImages {
				break
			}
			if index[src] = i; i == 0 {
				source = c.source
			}
			images = append(images, article.Image{URL: src, Width: info.Width, Height: info.Height})
		}
		im := &images[i] // another source may have the caption
		im.Alt = cmp.Or(im.Alt, cleanText(info.Alt))
		im.Caption = cmp.Or(im.Caption, cleanText(info.Caption))
		im.Credit = cmp.Or(im.Credit, cleanText(info.Credit))
	}
	return images, source
}

func isTrackingPixel(src string) bool {
	return containsAny(src, "1x1.", "/pixel.gif", "/blank.gif", "/spacer.gif")
}
