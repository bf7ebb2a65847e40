package metadata

import (
	"cmp"
	"net/url"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/lede-news/lede/article"
	"github.com/lede-news/lede/dom"
)

// siteName is what the site calls itself, else its host.
func (p *page) siteName() (name, source string) {
	name, source = p.found.first(ofSite, func(s string) string {
		s = tidy(s)
		if len(s) > 100 || strings.Contains(s, "://") {
			return ""
		}
		return s
	})
	if name == "" && p.host != "" {
		return p.host, fromURL
	}
	return name, source
}

// standfirst is the page's own summary of its story.
func (p *page) standfirst() (text, source string) {
	return p.found.first(ofStandfirst, tidy)
}

// section is the part of the paper that the story stands in.
func (p *page) section() (text, source string) {
	return p.found.first(ofSection, func(s string) string {
		s = tidy(s)
		if strings.Contains(s, "://") || len(s) > 100 {
			return ""
		}
		return s
	})
}

// pageType is what the page calls itself.
func (p *page) pageType() (text, source string) {
	return p.found.first(ofType, tidy)
}

// chooseTags lists the topics of the best source that has any.
func (p *page) chooseTags() (tags []string, source string) {
	const mostTags = 30
	seen := map[string]bool{}
	for _, c := range p.found[ofTag] {
		if source != "" && source != c.from {
			break
		}
		for t := range strings.FieldsFuncSeq(clip(c.text, 4000), func(r rune) bool { return r == ',' || r == ';' || r == '،' || r == '，' || r == '、' }) {
			t = strings.Trim(tidy(t), `"'`)
			if t == "" || len(t) > 80 || seen[strings.ToLower(t)] {
				continue
			}
			if len(tags) == mostTags {
				return tags, source
			}
			seen[strings.ToLower(t)] = true
			tags = append(tags, t)
			source = c.from
		}
	}
	return tags, source
}

// siteNames lists what the site is called, folded for comparing.
func (p *page) siteNames() []string {
	if p.names != nil {
		return p.names
	}
	p.names = []string{}
	for _, c := range p.found[ofSite] {
		name := tidy(c.text)
		if k := fold(name); k != "" && len(name) <= 60 {
			p.names = append(p.names, k)
		}
	}
	if p.host != "" {
		p.names = append(p.names, fold(p.host), fold(hostCore(p.host)))
	}
	return p.names
}

// hostCore is the label of a host that names the site: "thedaily" of
// news.thedaily.co.uk.
func hostCore(host string) string {
	labels := strings.Split(host, ".")
	i := len(labels) - 2
	if i > 0 && len(labels[i]) <= 3 && len(labels[i+1]) == 2 {
		i-- // co.uk, com.au
	}
	if i < 0 {
		i = 0
	}
	return labels[i]
}

// isSite reports whether a piece of a title names the site and nothing else.
func (p *page) isSite(piece string) bool {
	k := fold(piece)
	if k == "" {
		return true
	}
	for _, name := range p.siteNames() {
		switch {
		case k == name:
			return true
		case len(k) >= 3 && 2*len(k) >= len(name) && strings.Contains(name, k):
			return true
		case utf8.RuneCountInString(name) >= 4 && strings.Contains(k, name) && len(k) <= len(name)+14 && countWords(piece, 6) <= 5:
			return true
		}
	}
	if p.host == "" {
		return false
	}
	core := p.names[len(p.names)-1] // of the host, see siteNames
	short := initials(piece)
	return len(short) >= 3 && strings.HasPrefix(core, short)
}

// initials of "New York Times" are "nyt".
func initials(s string) string {
	var b strings.Builder
	for w := range strings.FieldsSeq(s) {
		if r, _ := utf8.DecodeRuneInString(w); unicode.IsUpper(r) {
			b.WriteRune(unicode.ToLower(r))
		}
	}
	return b.String()
}

// seam is where two parts of a title meet.
type seam struct {
	from, to int
	weak     bool // as likely a part of the headline: the colon
}

// seams finds the places where sites join headline, section and name.
func seams(title string) []seam {
	var out []seam
	for i := 0; i < len(title); {
		r, n := utf8.DecodeRuneInString(title[i:])
		from, to := i, i+n
		i = to
		spaceBefore := from > 0 && title[from-1] == ' '
		spaceAfter := to < len(title) && title[to] == ' '
		weak := false
		switch r {
		case '|', '»', '«', '›', '‹', '•', '·', '｜', '►', '→', '←', '¦', '–', '—', '-', '/', '>', '<', '~', '*', '―', '−':
			han := false
			if !spaceBefore && !spaceAfter {
				// Chinese pages join without spaces.
				a, _ := utf8.DecodeLastRuneInString(title[:from])
				b, _ := utf8.DecodeRuneInString(title[to:])
				han = ideograph(a) || ideograph(b)
			}
			if r != '|' && r != '｜' && !han && !(spaceBefore && spaceAfter) {
				continue
			}
		case '_':
			a, _ := utf8.DecodeLastRuneInString(title[:from])
			if !ideograph(a) && !(spaceBefore && spaceAfter) {
				continue
			}
		case ':', '：':
			for to < len(title) && title[to] == ':' {
				to++
			}
			if r == ':' && !spaceAfter && to == from+1 {
				continue
			}
			weak = r == ':' && !spaceBefore
		default:
			continue
		}
		i = to
		for from > 0 && title[from-1] == ' ' {
			from--
		}
		for to < len(title) && title[to] == ' ' {
			to++
		}
		if n := len(out); n > 0 && out[n-1].to >= from {
			out[n-1].to = to
		} else {
			out = append(out, seam{from, to, weak})
		}
		i = max(i, to)
	}
	return out
}

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

// leadPicture is the picture that the page offers for its story.
func (p *page) leadPicture() (*article.Image, string) {
	claims := p.found[ofPicture]
	for i := range claims {
		src, told := p.resolve(tidy(claims[i].text)), claims[i].detail()
		if src == "" || told.width == 1 || told.height == 1 || tracking(src) {
			continue
		}
		im := &article.Image{URL: src, Alt: tidy(told.alt), Width: told.width, Height: told.height}
		for j := range claims { // one source has its address, another its words
			if o := claims[j].shot; o != nil && cmp.Or(o.alt, o.caption, o.credit) != "" && p.resolve(tidy(claims[j].text)) == src {
				im.Alt = cmp.Or(im.Alt, tidy(o.alt))
				im.Caption = cmp.Or(im.Caption, tidy(o.caption))
				im.Credit = cmp.Or(im.Credit, tidy(o.credit))
			}
		}
		return im, claims[i].from
	}
	return nil, ""
}

// tracking reports whether an address is that of a pixel that shows nothing.
func tracking(src string) bool {
	return strings.Contains(src, "1x1.") || strings.HasSuffix(src, "/pixel.gif") || strings.HasSuffix(src, "/blank.gif") || strings.HasSuffix(src, "/spacer.gif")
}
