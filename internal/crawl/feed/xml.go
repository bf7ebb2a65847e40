package feed

import (
	"bytes"
	"io"
	"net/url"
	"slices"
	"strings"

	"github.com/lede-news/lede/internal/crawl/loosexml"
	"github.com/lede-news/lede/internal/page/links"
)

// xmlReader reads RSS, RDF and Atom: the elements in leaves, of the feed and of its
// items. What is not well-formed costs at most the item that it is in.
type xmlReader struct {
	*parser
	root   loosexml.Token
	item   *entry // the item that is open, or nil
	name   string // of its element
	leaves int    // elements of the item

	leaf   loosexml.Token // the leaf that is open, if it has a name
	text   strings.Builder
	nested int // elements of its name inside the leaf

	skip  string // name of the foreign element that is open
	depth int    // elements of its name inside it
}

// leaves are the elements that are read.
var leaves = []string{
	"title", "link", "guid", "id", "origlink", "enclosure",
	"pubdate", "published", "updated", "issued", "modified", "created", "date",
}

// foreign are elements with titles and links of something else, or with markup.
var foreign = []string{"image", "textinput", "source", "description", "summary", "content", "encoded", "liveitem"}

// maxLeaves bounds the elements of an item.
const maxLeaves = 100

// readXML reads a feed to the end of its root. The error says why items are missing; an
// item that has not ended is left out.
func (p *parser) readXML(text []byte) error {
	r := xmlReader{parser: p}
	for in := loosexml.NewReader(bytes.NewReader(text), maxBytes); ; {
		t, err := in.Next()
		if err != nil {
			return err
		}
		if err := r.handle(t); err == io.EOF {
			return nil
		} else if err != nil {
			return err
		}
	}
}

// handle handles a token. It returns io.EOF at the end of the root.
func (r *xmlReader) handle(t loosexml.Token) error {
	switch {
	case t.Kind == loosexml.Text:
		if r.skip == "" && r.leaf.Name != "" {
			r.text.WriteString(t.Text)
		}
	case r.skip != "" && !r.endsForeign(t), r.leaf.Name != "" && !r.endsLeaf(t):
	case t.Kind == loosexml.Start:
		return r.start(t)
	case t.Name == r.root.Name:
		if err := r.endItem(); err != nil {
			return err
		}
		return io.EOF
	case r.item != nil && (t.Name == r.name || t.Name == "channel"):
		return r.endItem()
	}
	return nil
}

// isBoundary reports whether a tag begins or ends an item or what contains it.
func (r *xmlReader) isBoundary(t loosexml.Token) bool {
	if t.Kind == loosexml.Start {
		return t.Name == "item" || t.Name == "entry"
	}
	return r.item != nil && t.Name == r.name || t.Name == "channel" || t.Name == r.root.Name
}

// endsForeign reports whether a tag is to be handled although a foreign element is
// open, because that cannot contain it.
func (r *xmlReader) endsForeign(t loosexml.Token) bool {
	switch {
	case t.Name == r.skip && t.Kind == loosexml.Start && !t.Empty:
		r.depth++
	case t.Name == r.skip && t.Kind == loosexml.End:
		if r.depth--; r.depth <= 0 {
			r.skip = ""
		}
	case r.isBoundary(t):
		r.skip = ""
		return true
	}
	return false
}

// endsLeaf reports whether a tag is to be handled although a leaf is open. If so, the
// leaf ends before it: its end tag is missing.
func (r *xmlReader) endsLeaf(t loosexml.Token) bool {
	own := t.Name == r.leaf.Name
	switch {
	case own && t.Kind == loosexml.End && r.nested == 0:
		r.endLeaf()
		return false
	case r.isBoundary(t), t.Kind == loosexml.Start && !own && slices.Contains(leaves, t.Name):
		r.endLeaf()
		return true
	case own && t.Kind == loosexml.End:
		r.nested--
	case own && !t.Empty:
		r.nested++
	}
	if r.leaf.Name == "title" { // which may have markup
		r.text.WriteString(t.Text)
	}
	return false
}

func (r *xmlReader) start(t loosexml.Token) error {
	switch {
	case r.root.Name == "":
		if !slices.Contains([]string{"rss", "rdf", "feed", "channel"}, t.Name) {
			return nil // junk
		}
		r.root, r.base = t, resolveBase(r.base, t)
		if t.Empty {
			return io.EOF
		}
	case t.Name == "item" || t.Name == "entry":
		err := r.endItem()
		r.item, r.name, r.leaves = &entry{media: map[string]bool{}, base: resolveBase(r.base, t)}, t.Name, 0
		return err
	case slices.Contains(foreign, t.Name):
		// The elements inside those of media have the same prefix and are no leaves.
		if !t.Empty && t.Prefix != "media" && t.Prefix != "itunes" {
			r.skip, r.depth = t.Name, 1
		}
	case r.leaves < maxLeaves && slices.Contains(leaves, t.Name):
		r.leaf, r.nested = t, 0
		r.leaves++
		if t.Empty {
			r.endLeaf()
		}
	}
	return nil
}

// resolveBase returns the base of the addresses inside an element.
func resolveBase(base *url.URL, t loosexml.Token) *url.URL {
	if to := links.ResolveWeb(base, t.Attr("xml:base")); to != "" && t.Attr("xml:base") != "" {
		if u, err := links.Parse(to); err == nil {
			return u
		}
	}
	return base
}

// endItem adds the item that is open.
func (r *xmlReader) endItem() error {
	if r.item == nil {
		return nil
	}
	e := r.item
	r.item, r.leaves = nil, 0
	return r.add(e)
}

// endLeaf stores the leaf that is open.
func (r *xmlReader) endLeaf() {
	t, text := r.leaf, strings.TrimSpace(r.text.String())
	r.leaf = loosexml.Token{}
	r.text.Reset()
	own := t.Prefix == "" || t.Prefix == r.root.Prefix || t.Prefix == "rss"
	if !own && !slices.Contains([]string{"atom", "atom03", "dc", "dcterms"}, t.Prefix) && t.Name != "origlink" {
		return // of an extension
	}
	link := text
	if href := t.Attr("href"); href != "" {
		link = href
	}
	rel := strings.ToLower(t.Attr("rel"))
	isPage := t.Name == "link" && (rel == "" || rel == "alternate")
	e := r.item
	if e == nil {
		if own && isPage && r.feed.Home == "" {
			r.setHome(link)
		}
		return
	}
	switch t.Name {
	case "title":
		if own && e.title == "" {
			e.title = text
		}
	case "link":
		switch {
		case rel == "enclosure":
			e.media[link] = true
		case isPage && own:
			e.links = append(e.links, link)
		case isPage:
			e.more = append(e.more, link)
		}
	case "enclosure":
		e.media[t.Attr("url")] = true
	case "origlink":
		e.links = append([]string{text}, e.links...) // of Feedburner
	case "guid", "id":
		if own && e.id == "" && isAbsolute(text) && !strings.EqualFold(t.Attr("ispermalink"), "false") {
			e.id = text
		}
	case "updated", "modified":
		e.updated = append(e.updated, text)
	default:
		e.published = append(e.published, text)
	}
}
