package feed

import (
	"bytes"
	"cmp"
	"net/url"
	"slices"
	"strings"

	"github.com/lede-news/lede/internal/crawl/loosexml"
	"github.com/lede-news/lede/internal/page/links"
)

// xmlFormat is that of RSS, RDF and Atom.
var xmlFormat = loosexml.Format{
	Roots: []string{"rss", "rdf", "feed", "channel"},
	Items: []string{"item", "entry"},
	Fields: []string{
		"title", "link", "guid", "id", "origlink", "enclosure",
		"pubdate", "published", "updated", "issued", "modified", "created", "date",
	},
	Foreign: []string{"image", "textinput", "source", "description", "summary", "content", "encoded", "liveitem"},
}

// readXML reads a feed. The error says why items are missing.
func (p *parser) readXML(text []byte) error {
	return loosexml.Read(bytes.NewReader(text), xmlFormat, maxBytes, p.addXML)
}

// addXML adds an item, or reads the fields of the feed itself.
func (p *parser) addXML(item loosexml.Item) error {
	base := resolveBase(p.base, item.Root)
	if !slices.Contains(xmlFormat.Items, item.Name) {
		for _, f := range item.Fields {
			if link, rel := linkOf(f); f.Name == "link" && rel == "alternate" && isOwn(f, item.Root) && p.feed.Home == "" {
				p.feed.Home = links.ResolveWeb(base, link)
			}
		}
		return nil
	}
	e := entry{media: map[string]bool{}, base: resolveBase(base, item.Element)}
	for _, f := range item.Fields {
		own := isOwn(f, item.Root)
		if own || f.Name == "origlink" || slices.Contains([]string{"atom", "atom03", "dc", "dcterms"}, f.Prefix) {
			e.addField(f, own)
		}
	}
	return p.add(&e)
}

// isOwn reports whether a field belongs to the format and not to an extension.
func isOwn(f, root loosexml.Element) bool {
	return f.Prefix == "" || f.Prefix == root.Prefix || f.Prefix == "rss"
}

// resolveBase returns the base of the addresses inside an element.
func resolveBase(base *url.URL, e loosexml.Element) *url.URL {
	if to := links.ResolveWeb(base, e.Attr("xml:base")); to != "" {
		if u, err := links.Parse(to); err == nil {
			return u
		}
	}
	return base
}

// linkOf returns the address of a link and what it leads to.
func linkOf(f loosexml.Element) (link, rel string) {
	return cmp.Or(f.Attr("href"), f.Text), cmp.Or(strings.ToLower(f.Attr("rel")), "alternate")
}

// addField adds a field to an item. own reports whether it is not one of an extension.
func (e *entry) addField(f loosexml.Element, own bool) {
	switch f.Name {
	case "title":
		if own && e.title == "" {
			e.title = f.Text
		}
	case "link":
		switch link, rel := linkOf(f); {
		case rel == "enclosure":
			e.media[link] = true
		case rel == "alternate" && own:
			e.links = append(e.links, link)
		case rel == "alternate":
			e.more = append(e.more, link)
		}
	case "enclosure":
		e.media[f.Attr("url")] = true
	case "origlink":
		e.links = append([]string{f.Text}, e.links...) // of Feedburner
	case "guid", "id":
		if own && e.id == "" && isAbsolute(f.Text) && !strings.EqualFold(f.Attr("ispermalink"), "false") {
			e.id = f.Text
		}
	case "updated", "modified":
		e.updated = append(e.updated, f.Text)
	default:
		e.published = append(e.published, f.Text)
	}
}
