package dom

import (
	"slices"
	"strconv"
	"strings"

	"golang.org/x/net/html"
)

// lazyAttrs are attributes with the URL of a picture that is loaded lazily, best
// first.
var lazyAttrs = []string{
	"data-src", "data-original", "data-lazy-src", "data-lazy", "data-url", "data-image", "data-img-src",
	"data-original-src", "data-hi-res-src", "data-full-src", "data-large-file", "data-orig-file", "data-lazyload",
	"data-cfsrc", "data-fallback-src", "data-delayed-url", "data-echo", "data-pin-media",
}

// ImageURL returns the URL of the picture that a reader sees at n, which is an
// <img>, <picture>, <amp-img> or <noscript>, or another element that a script
// replaces: the largest that the page offers, including those that are loaded
// lazily. The URL is as in the page, possibly relative. It is "" if there is none.
func (d *Document) ImageURL(n Node) string {
	u, _ := d.ImageSource(n)
	return u
}

// ImageSource is like [Document.ImageURL]. It also returns the width of the file
// in pixels if the page gives it in a srcset, or 0.
func (d *Document) ImageSource(n Node) (address string, width int) {
	if d.nodes[n].tag == Noscript {
		s := d.noscriptSource(n)
		return s.url, s.width
	}
	picture := d.pictureOf(n)
	var s source
	if picture == None {
		s = imageSource(d.attrs(n))
	} else {
		s = d.pictureSource(picture)
	}
	if s.url == "" && picture != None {
		s = d.nearNoscript(picture)
	}
	if s.url == "" {
		s = d.nearNoscript(n)
	}
	return s.url, s.width
}

// source is a file of a picture.
type source struct {
	url   string
	size  float64 // width or density, to compare it with others
	width int     // in pixels, or 0 if unknown
}

// pictureOf returns n or its parent if that is a <picture>, or None.
func (d *Document) pictureOf(n Node) Node {
	for _, p := range []Node{n, d.Parent(n)} {
		if p != None && d.nodes[p].tag == Picture {
			return p
		}
	}
	return None
}

// pictureSource chooses among the <source> elements and the <img> of a <picture>.
func (d *Document) pictureSource(n Node) source {
	best := source{size: -1}
	for c := range d.Children(n) {
		if t := d.nodes[c].tag; t != Source && t != Img {
			continue
		}
		if s := setSource(d.attrs(c)); s.url != "" && s.size > best.size {
			best = s
		}
	}
	if best.url != "" {
		return best
	}
	for c := range d.All(n, Img) {
		return imageSource(d.attrs(c))
	}
	return source{}
}

// imageSource chooses among the attributes of one element.
func imageSource(attrs []html.Attribute) source {
	if s := setSource(attrs); s.url != "" {
		return s
	}
	for _, key := range lazyAttrs {
		if v := valueOf(attrs, key); isImageURL(v) && !hasPrefixFold(strings.TrimSpace(v), "data:") {
			return source{url: strings.TrimSpace(v)}
		}
	}
	if v := valueOf(attrs, "src"); isImageURL(v) && !isPlaceholder(v) {
		return source{url: strings.TrimSpace(v)}
	}
	for i := range attrs { // of a script that is not known
		key, v := attrs[i].Key, strings.TrimSpace(attrs[i].Val)
		lazy := strings.HasPrefix(key, "data-") && (strings.HasSuffix(key, "src") || strings.HasSuffix(key, "lazyload"))
		if lazy && strings.Contains(v, "/") && isImageURL(v) && !isPlaceholder(v) {
			return source{url: v}
		}
	}
	return source{}
}

func valueOf(attrs []html.Attribute, key string) string {
	for i := range attrs {
		if attrs[i].Key == key {
			return attrs[i].Val
		}
	}
	return ""
}

// setSource returns the largest file of the attributes that have several:
// srcset, data-srcset, data-lazy-srcset and so on.
func setSource(attrs []html.Attribute) source {
	best := source{size: -1}
	for i := range attrs {
		key := attrs[i].Key
		if !strings.HasSuffix(key, "srcset") && !strings.HasSuffix(key, "src-set") && !strings.HasSuffix(key, "original-set") {
			continue
		}
		if s := largestSource(attrs[i].Val); s.url != "" && s.size > best.size {
			best = s
		}
	}
	return best
}

// attrs returns the attributes of n.
func (d *Document) attrs(n Node) []html.Attribute {
	attrs := make([]html.Attribute, 0, 8)
	for key, value := range d.Attrs(n) {
		attrs = append(attrs, html.Attribute{Key: key, Val: value})
	}
	return attrs
}

// nearNoscript returns the picture in a <noscript> right after, before or in n.
func (d *Document) nearNoscript(n Node) source {
	for _, s := range []Node{d.Next(n), d.Prev(n), d.FirstChild(n)} {
		if s == None || d.nodes[s].tag != Noscript {
			continue
		}
		if found := d.noscriptSource(s); found.url != "" {
			return found
		}
	}
	return source{}
}

// noscriptSource returns the picture in a <noscript>.
func (d *Document) noscriptSource(n Node) source {
	z := html.NewTokenizer(strings.NewReader(d.Raw(n)))
	for tt := z.Next(); tt != html.ErrorToken; tt = z.Next() {
		if tt != html.StartTagToken && tt != html.SelfClosingTagToken {
			continue
		}
		if t := z.Token(); t.Data == "img" {
			if s := imageSource(t.Attr); s.url != "" {
				return s
			}
		}
	}
	return source{}
}

// largestSource returns the file with the largest width ("800w") or density ("2x")
// in a srcset. URLs may contain commas; they end at white space.
func largestSource(set string) source {
	const maxWidth = 1e5 // of a real picture
	best := source{size: -1}
	for set = strings.TrimLeft(set, " \t\r\n,"); set != ""; set = strings.TrimLeft(set, " \t\r\n,") {
		u, rest := set, ""
		if i := strings.IndexAny(set, " \t\r\n"); i >= 0 {
			u, rest = set[:i], set[i:]
		}
		s := source{size: 1}
		if t := strings.TrimRight(u, ","); t != u {
			u = t // no size given
		} else {
			var desc string
			desc, rest, _ = strings.Cut(rest, ",")
			desc, _, _ = strings.Cut(strings.TrimSpace(desc), " ") // "800w 600h"
			if v, err := strconv.ParseFloat(strings.TrimRight(desc, "wx"), 64); err == nil {
				s.size = v
				if strings.HasSuffix(desc, "w") && v >= 1 && v < maxWidth {
					s.width = int(v)
				}
			}
		}
		set = rest
		if s.size > best.size && isImageURL(u) && !isPlaceholder(u) {
			s.url = u
			best = s
		}
	}
	return best
}

func hasPrefixFold(s, prefix string) bool {
	return len(s) >= len(prefix) && strings.EqualFold(s[:len(prefix)], prefix)
}

func isImageURL(v string) bool {
	v = strings.TrimSpace(v)
	return v != "" && v != "#" && !strings.HasPrefix(v, "{") && !hasPrefixFold(v, "javascript:") && !hasPrefixFold(v, "about:")
}

// isPlaceholder reports whether a URL is that of a blank picture, which is shown
// until the real one is loaded.
func isPlaceholder(v string) bool {
	v = strings.TrimSpace(v)
	if hasPrefixFold(v, "data:") {
		const tiny = 1 << 10 // smaller than a real picture
		return len(v) < tiny || hasPrefixFold(v, "data:image/svg")
	}
	name := v
	if i := strings.IndexAny(name, "?#"); i >= 0 {
		name = name[:i]
	}
	name = strings.ToLower(name[strings.LastIndexByte(name, '/')+1:])
	return slices.ContainsFunc(placeholders, func(p string) bool { return strings.HasPrefix(name, p) }) ||
		strings.Contains(name, "placeholder") || strings.Contains(name, "transparent") && !strings.Contains(name, ".jp")
}

// placeholders are how the file names of blank pictures begin.
var placeholders = []string{
	"blank.", "spacer.", "pixel.", "lazy.", "clear.gif", "1x1.", "spinner", "loading.", "loader.", "ajax-loader",
}
