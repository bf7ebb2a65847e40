package metadata

import (
	"cmp"
	_ "embed"
	"strconv"
	"strings"
	"sync"

	"github.com/lede-news/lede/article"
	"github.com/lede-news/lede/dom"
	"github.com/lede-news/lede/internal/page/lines"
)

//go:embed data/names.txt
var namesFile string

// metaRule is what a <meta> element or a property with a known name contains.
type metaRule struct {
	what   fact
	rank   uint8
	source string
}

var metaRules = sync.OnceValue(func() map[string]metaRule {
	facts := map[string]fact{
		"title": factTitle, "author": factAuthor, "published": factPublished, "modified": factModified,
		"lang": factLang, "site": factSite, "section": factSection, "canonical": factCanonical,
		"description": factDescription, "tag": factTag, "image": factImage, "type": factType,
	}
	rules := map[string]metaRule{}
	for line := range lines.Data(namesFile) {
		f := strings.Fields(line)
		rank, err := strconv.ParseUint(f[2], 10, 8)
		what, ok := facts[f[1]]
		if err != nil || !ok {
			panic("metadata: names.txt: " + line)
		}
		rules[f[0]] = metaRule{what, uint8(rank), f[3]}
	}
	return rules
})

// readMeta collects candidates from a <meta> element.
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
		switch name {
		case "article:content_tier", "og:article:content_tier":
			p.readContentTier(content)
			return
		case "parsely-page":
			p.readParsely(content)
			return
		}
		if p.readImageDetail(name, content) || p.readLabel(name, content) {
			continue
		}
		if name == "citation_author" {
			content = familyNameLast(content)
		}
		rule, ok := metaRules()[name]
		if !ok && isCustomPublished(name) {
			rule, ok = metaRule{factPublished, 6, sourceMeta}, true
		}
		if ok {
			p.candidates.add(rule.what, candidate{text: content, source: rule.source, rank: rule.rank})
			return
		}
	}
}

// readParsely collects candidates from the object in <meta name="parsely-page">.
func (p *page) readParsely(content string) {
	for _, v := range parseJSON(content) {
		o, _ := v.(map[string]any)
		for key, what := range map[string]fact{"title": factTitle, "pub_date": factPublished, "author": factAuthor, "section": factSection} {
			for _, t := range texts(o[key]) {
				p.candidates.add(what, candidate{text: t, source: sourceMeta, rank: 4})
			}
		}
	}
}

// isCustomPublished reports whether a name invented by the site means the date
// of publication: w-published-date, acme:publish_time.
func isCustomPublished(name string) bool {
	i := strings.Index(name, "publi")
	if i < 0 || len(name) > 60 {
		return false
	}
	return strings.HasSuffix(name[i:], "date") || strings.HasSuffix(name[i:], "time") || strings.HasSuffix(name[i:], "_at")
}

// readImageDetail reads a structured property of an OpenGraph image, which
// describes the image before it (https://ogp.me/#structured). It reports
// whether name is such a property.
func (p *page) readImageDetail(name, content string) bool {
	if !strings.HasPrefix(name, "og:image:") && name != "twitter:image:alt" {
		return false
	}
	var im article.Image // a property without an image is ignored
	last := &im
	for i := range p.candidates[factImage] {
		if c := &p.candidates[factImage][i]; (c.source == sourceOG) == (name[0] == 'o') {
			last = &c.image
		}
	}
	switch name[strings.LastIndexByte(name, ':')+1:] {
	case "width":
		last.Width = leadingNumber(content)
	case "height":
		last.Height = leadingNumber(content)
	case "alt":
		last.Alt = content
	case "type":
	default:
		return false
	}
	return true
}

// readLabel reads the pairs of labels and values of Twitter cards:
// twitter:label1 "Written by" and twitter:data1 with the name. It reports
// whether name is one of them.
func (p *page) readLabel(name, content string) bool {
	if number, ok := strings.CutPrefix(name, "twitter:label"); ok {
		if isBy(content) {
			p.byLabel = number
		}
		return true
	}
	number, ok := strings.CutPrefix(name, "twitter:data")
	if ok && number == p.byLabel && number != "" {
		p.candidates.add(factAuthor, candidate{text: content, source: sourceMeta, rank: 5})
	}
	return ok
}

// familyNameLast turns "Lee, Ann" into "Ann Lee".
func familyNameLast(name string) string {
	family, given, ok := strings.Cut(name, ",")
	if !ok || strings.Contains(given, ",") {
		return name
	}
	return strings.TrimSpace(given) + " " + strings.TrimSpace(family)
}

// readProperty collects candidates from a microdata property
// (https://html.spec.whatwg.org/multipage/microdata.html) or an RDFa property.
func (p *page) readProperty(n dom.Node, names string) {
	for name := range strings.FieldsSeq(names) {
		if i := strings.LastIndexByte(name, ':'); i >= 0 {
			name = name[i+1:]
		}
		rule, ok := metaRules()["itemprop="+name]
		if !ok || !p.isOwnItem(n) {
			continue
		}
		text := p.propertyValue(n, rule.what)
		if rule.what == factDescription && len(text) > 1000 {
			continue
		}
		p.candidates.add(rule.what, candidate{text: text, source: rule.source, rank: rule.rank, url: p.d.Attr(n, "href"), node: n})
	}
}

// isOwnItem reports whether a property belongs to the article and not to a
// comment, a product or a teaser.
func (p *page) isOwnItem(n dom.Node) bool {
	for a := range p.d.Ancestors(n) {
		if p.d.Tag(a) == dom.Body {
			break
		}
		kind, ok := p.d.LookupAttr(a, "itemtype")
		if !ok {
			kind, ok = p.d.LookupAttr(a, "typeof")
		}
		if ok {
			kind = schemaName(kind)
			return kind == "" || typeClass(kind) >= classPage && kind != "Product" && kind != "AudioObject"
		}
	}
	return true
}

// propertyValue returns the machine-readable value of a property if there is
// one, or else its text.
func (p *page) propertyValue(n dom.Node, what fact) string {
	d := p.d
	for _, key := range [...]string{"content", "datetime"} {
		if v := d.Attr(n, key); strings.TrimSpace(v) != "" {
			return v
		}
	}
	if (what == factPublished || what == factModified) && hasDigit(d.Attr(n, "title")) {
		return d.Attr(n, "title") // <abbr title="2024-05-03T10:00:00Z">10:00</abbr>
	}
	switch what {
	case factImage:
		if t := d.Tag(n); t == dom.Img || t == dom.Picture {
			return d.ImageURL(n) // lazily loaded images have only a placeholder in src
		}
		return cmp.Or(d.Attr(n, "src"), d.Attr(n, "href"))
	case factAuthor:
		// A person may be an item with a name of its own.
		for c := n + 1; c < d.End(n); c++ {
			prop, ok := d.LookupAttr(c, "itemprop")
			if !ok {
				prop, ok = d.LookupAttr(c, "property")
			}
			if ok && strings.HasSuffix(prop, "name") {
				return cmp.Or(d.Attr(c, "content"), collapseSpace(d.Text(c)))
			}
		}
	}
	if d.Chars(n) > 1000 {
		return ""
	}
	return d.Text(n)
}
