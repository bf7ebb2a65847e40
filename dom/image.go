package dom

import (
	"cmp"
	"strconv"
	"strings"

	"golang.org/x/net/html"
)

// lazyAttrs are where pages keep the address of a picture until the reader
// scrolls to it, best first.
var lazyAttrs = []string{
	"data-src", "data-original", "data-lazy-src", "data-lazy", "data-url", "data-image", "data-img-src",
	"data-original-src", "data-hi-res-src", "data-full-src", "data-delayed-url", "data-echo", "data-pin-media",
}

var lazySets = []string{"data-srcset", "data-lazy-srcset", "data-original-set", "data-src-set"}

// Source is the address of the picture that a reader sees at n, an <img>,
// <picture> or <amp-img>: the largest of those that the page offers, looking
// where lazy loading hides it. It is as in the page, not yet absolute, and
// empty when there is none.
func (d *Document) Source(n Node) string {
	picture := d.pictureOf(n)
	if picture == None {
		return cmp.Or(imageSource(d.src[n]), d.noscriptSource(n))
	}
	return cmp.Or(d.pictureSource(picture), d.noscriptSource(picture), d.noscriptSource(n))
}

// pictureOf is the <picture> that n is or stands directly in.
func (d *Document) pictureOf(n Node) Node {
	for _, p := range []Node{n, d.Parent(n)} {
		if p != None && d.nodes[p].tag == Picture {
			return p
		}
	}
	return None
}

// pictureSource looks through the <source> elements and the <img> of a <picture>.
func (d *Document) pictureSource(n Node) string {
	best, width := "", -1.0
	for c := range d.Children(n) {
		if t := d.nodes[c].tag; t != Source && t != Img {
			continue
		}
		for _, key := range append([]string{"srcset"}, lazySets...) {
			if u, w := largest(d.AttrOr(c, key)); u != "" && w > width {
				best, width = u, w
			}
		}
	}
	if best != "" {
		return best
	}
	for c := range d.All(n, Img) {
		return imageSource(d.src[c])
	}
	return ""
}

// imageSource chooses among the attributes of one element.
func imageSource(n *html.Node) string {
	for _, key := range append([]string{"srcset"}, lazySets...) {
		v, _ := attr(n, key)
		if u, _ := largest(v); u != "" {
			return u
		}
	}
	for _, key := range lazyAttrs {
		if v, _ := attr(n, key); isAddress(v) {
			return strings.TrimSpace(v)
		}
	}
	if v, _ := attr(n, "src"); isAddress(v) && !isPlaceholder(v) {
		return strings.TrimSpace(v)
	}
	return ""
}

// noscriptSource finds the picture that a lazy one keeps for browsers without
// scripts, in the <noscript> right after or before it.
func (d *Document) noscriptSource(n Node) string {
	for _, s := range []Node{d.Next(n), d.Prev(n)} {
		if s == None || d.nodes[s].tag != Noscript {
			continue
		}
		z := html.NewTokenizer(strings.NewReader(d.Raw(s)))
		for tt := z.Next(); tt != html.ErrorToken; tt = z.Next() {
			if tt != html.StartTagToken && tt != html.SelfClosingTagToken {
				continue
			}
			if t := z.Token(); t.Data == "img" {
				if src := imageSource(&html.Node{Attr: t.Attr}); src != "" {
					return src
				}
			}
		}
	}
	return ""
}

// largest reads a srcset: addresses, each with a width ("800w") or a density
// ("2x"). Commas also stand inside addresses, so that the white space decides.
func largest(set string) (string, float64) {
	best, size := "", -1.0
	for set = strings.TrimLeft(set, " \t\r\n,"); set != ""; set = strings.TrimLeft(set, " \t\r\n,") {
		u, rest := set, ""
		if i := strings.IndexAny(set, " \t\r\n"); i >= 0 {
			u, rest = set[:i], set[i:]
		}
		s := 1.0
		if t := strings.TrimRight(u, ","); t != u {
			u = t // no size given
		} else {
			var desc string
			desc, rest, _ = strings.Cut(rest, ",")
			desc, _, _ = strings.Cut(strings.TrimSpace(desc), " ") // "800w 600h"
			if v, err := strconv.ParseFloat(strings.TrimRight(desc, "wx"), 64); err == nil {
				s = v
			}
		}
		set = rest
		if s > size && isAddress(u) && !isPlaceholder(u) {
			best, size = u, s
		}
	}
	return best, size
}

func isAddress(v string) bool {
	v = strings.TrimSpace(v)
	return v != "" && v != "#" && !strings.HasPrefix(v, "{") && !hasPrefixFold(v, "javascript:") && !hasPrefixFold(v, "about:")
}

// isPlaceholder reports whether an address is the blank that stands in for a
// picture not yet loaded.
func isPlaceholder(v string) bool {
	v = strings.TrimSpace(v)
	if hasPrefixFold(v, "data:") {
		const tiny = 1 << 10 // a real picture takes more
		return len(v) < tiny || hasPrefixFold(v, "data:image/svg")
	}
	name := v
	if i := strings.IndexAny(name, "?#"); i >= 0 {
		name = name[:i]
	}
	name = strings.ToLower(name[strings.LastIndexByte(name, '/')+1:])
	for _, blank := range []string{"blank.", "spacer.", "placeholder.", "pixel.", "transparent.", "lazy.", "clear.gif", "1x1."} {
		if strings.HasPrefix(name, blank) {
			return true
		}
	}
	return false
}
