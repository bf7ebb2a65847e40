package metadata

import (
	"strings"

	"github.com/lede-news/lede/dom"
)

// readProperty adds what an element claims by microdata
// (https://html.spec.whatwg.org/multipage/microdata.html) or RDFa.
func (p *page) readProperty(n dom.Node, names string) {
	for name := range strings.FieldsSeq(names) {
		if i := strings.LastIndexByte(name, ':'); i >= 0 {
			name = name[i+1:]
		}
		var what fact
		rank := uint8(6)
		switch name {
		case "headline":
			what = ofTitle
		case "author", "creator":
			what = ofAuthor
		case "datePublished":
			what, rank = ofPublished, 4
		case "dateCreated", "issued":
			what = ofPublished
		case "dateModified":
			what, rank = ofModified, 4
		case "articleSection":
			what = ofSection
		case "image", "thumbnailUrl":
			what = ofPicture
		case "description":
			what = ofStandfirst
		case "inLanguage":
			what = ofLang
		default:
			continue
		}
		if !p.ownItem(n) {
			continue
		}
		text := p.propertyValue(n, what)
		if what == ofStandfirst && len(text) > 1000 {
			continue
		}
		p.found.add(what, candidate{text: text, from: fromMicrodata, rank: rank, node: n, url: p.d.AttrOr(n, "href")})
	}
}

// ownItem reports whether a property belongs to the story and not to a
// comment, a product or a teaser.
func (p *page) ownItem(n dom.Node) bool {
	for a := range p.d.Ancestors(n) {
		if p.d.Tag(a) == dom.Body {
			break
		}
		kind, ok := p.d.Attr(a, "itemtype")
		if !ok {
			kind, ok = p.d.Attr(a, "typeof")
		}
		if !ok {
			continue
		}
		switch kind = schemaName(kind); {
		case kind == "" || typeClass(kind) == classStory || typeClass(kind) == classPage:
			return true
		case typeClass(kind) == classThing:
			return kind != "Product"
		}
		return false
	}
	return true
}

// propertyValue is the machine's value if there is one, else the words.
func (p *page) propertyValue(n dom.Node, what fact) string {
	d := p.d
	for _, key := range [...]string{"content", "datetime"} {
		if v, ok := d.Attr(n, key); ok && strings.TrimSpace(v) != "" {
			return v
		}
	}
	switch what {
	case ofPicture:
		if t := d.Tag(n); t == dom.Img || t == dom.Picture {
			return d.Source(n) // lazy pictures have only a placeholder in src
		}
		for _, key := range [...]string{"src", "href"} {
			if v := d.AttrOr(n, key); v != "" {
				return v
			}
		}
		return ""
	case ofAuthor:
		// A person is an item of its own, and has a name.
		for c := n + 1; c < d.End(n); c++ {
			prop, ok := d.Attr(c, "itemprop")
			if !ok {
				prop, ok = d.Attr(c, "property")
			}
			if ok && strings.HasSuffix(prop, "name") {
				if v := d.AttrOr(c, "content"); v != "" {
					return v
				}
				return foldSpace(d.Text(c))
			}
		}
	}
	if d.Chars(n) > 1000 {
		return ""
	}
	return d.Text(n)
}
