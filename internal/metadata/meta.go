package metadata

import (
	_ "embed"
	"strconv"
	"strings"
	"sync"

	"github.com/lede-news/lede/dom"
)

//go:embed data/names.txt
var namesFile string

// nameRule says what a <meta> of some name tells.
type nameRule struct {
	what fact
	rank uint8
	from string
}

var metaNames = sync.OnceValue(func() map[string]nameRule {
	facts := map[string]fact{
		"title": ofTitle, "author": ofAuthor, "published": ofPublished, "modified": ofModified,
		"lang": ofLang, "site": ofSite, "section": ofSection, "canonical": ofCanonical,
		"standfirst": ofStandfirst, "tag": ofTag, "picture": ofPicture, "type": ofType,
	}
	rules := map[string]nameRule{}
	for row := range dataRows(namesFile) {
		f := strings.Fields(row)
		rank, err := strconv.ParseUint(f[2], 10, 8)
		what, ok := facts[f[1]]
		if err != nil || !ok {
			panic("metadata: names.txt: " + row)
		}
		rules[f[0]] = nameRule{what, uint8(rank), f[3]}
	}
	return rules
})

// readMeta adds what one <meta> claims.
func (p *page) readMeta(n dom.Node) {
	var names [2]string
	var content, item string
	for k, v := range p.d.Attrs(n) {
		switch k {
		case "name", "http-equiv":
			names[0] = v
		case "property":
			names[1] = v
		case "itemprop":
			item = v
		case "content", "value":
			content = v
		}
	}
	if content = strings.TrimSpace(content); content == "" {
		return
	}
	if item != "" {
		p.readProperty(n, item)
	}
	for _, name := range names {
		if name == "" {
			continue
		}
		name = strings.ToLower(strings.TrimSpace(name))
		if name == "article:content_tier" || name == "og:article:content_tier" {
			p.markTier(content)
			return
		}
		if p.readPictureDetail(name, content) || p.readLabel(name, content) {
			continue
		}
		if name == "citation_author" {
			content = givenFirst(content)
		}
		rule, ok := metaNames()[name]
		if !ok && ownPublished(name) {
			rule, ok = nameRule{ofPublished, 6, fromMeta}, true
		}
		if ok {
			p.found.add(rule.what, candidate{text: content, from: rule.from, rank: rule.rank, node: n})
			return
		}
	}
}

// ownPublished reports whether a name of the site's own making tells the date
// of publication: w-published-date, acme:publish_time.
func ownPublished(name string) bool {
	i := strings.Index(name, "publi")
	if i < 0 || len(name) > 60 {
		return false
	}
	return strings.HasSuffix(name[i:], "date") || strings.HasSuffix(name[i:], "time") || strings.HasSuffix(name[i:], "_at")
}

// readPictureDetail reads the structured properties of OpenGraph, which
// belong to the picture named before them (https://ogp.me/#structured).
func (p *page) readPictureDetail(name, content string) bool {
	if !strings.HasPrefix(name, "og:image:") && name != "twitter:image:alt" {
		return false
	}
	from := fromOG
	if name[0] == 't' {
		from = fromMeta
	}
	var last *candidate
	for i := range p.found[ofPicture] {
		if c := &p.found[ofPicture][i]; c.from == from {
			last = c
		}
	}
	detail := name[strings.LastIndexByte(name, ':')+1:]
	switch detail {
	case "width", "height", "alt":
		if last == nil {
			return true
		}
	}
	switch detail {
	case "width":
		last.detail().width = leadingNumber(content)
	case "height":
		last.detail().height = leadingNumber(content)
	case "alt":
		last.detail().alt = content
	case "type":
	default:
		return false
	}
	return true
}

// readLabel reads the pairs of a label and its value that cards show below a
// title: twitter:label1 "Written by" and twitter:data1 with the name.
func (p *page) readLabel(name, content string) bool {
	if number, ok := strings.CutPrefix(name, "twitter:label"); ok {
		if isBy(content) {
			p.byLabel = number
		}
		return true
	}
	number, ok := strings.CutPrefix(name, "twitter:data")
	if ok && number == p.byLabel && number != "" {
		p.found.add(ofAuthor, candidate{text: content, from: fromMeta, rank: 5})
	}
	return ok
}

// givenFirst turns "Lee, Ann", as libraries write names, into "Ann Lee".
func givenFirst(name string) string {
	family, given, ok := strings.Cut(name, ",")
	if !ok || strings.Contains(given, ",") {
		return name
	}
	return strings.TrimSpace(given) + " " + strings.TrimSpace(family)
}

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
