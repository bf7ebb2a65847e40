package sitemap

import (
	"errors"
	"io"
	"strings"

	"github.com/lede-news/lede/internal/crawl/loosexml"
	"github.com/lede-news/lede/internal/story/metadata"
)

// maxToken bounds the size of one tag, text or comment.
const maxToken = 256 << 10

// readXML reads the elements of a sitemap up to the end of its root. It needs no
// well-formed document: tags and texts are enough to find the entries.
func readXML(r io.Reader, s *sink) error {
	p := &parser{sink: s}
	for in := loosexml.NewReader(r, maxToken); ; {
		t, err := in.Next()
		if err == nil {
			err = p.handle(t)
		}
		switch {
		case err == errEnd:
			return p.flush()
		case err == errStopped:
			return nil
		case err != nil:
			return damaged(errors.Join(p.flush(), err))
		}
	}
}

// errEnd is returned at the end of the root.
var errEnd = errors.New("end of the sitemap")

// parser collects the entries of a sitemap.
type parser struct {
	sink      *sink
	index     bool // the root is <sitemapindex>
	entry     *Entry
	extension string // the element of an extension that is open
	field     string // the element whose text is collected
	text      strings.Builder
}

func (p *parser) handle(t loosexml.Token) error {
	if t.Kind == loosexml.Text {
		if p.field != "" && p.text.Len() <= 2*maxURL {
			p.text.WriteString(t.Text)
		}
		return nil
	}
	p.store() // the end tag may be missing
	if t.Kind == loosexml.Start {
		err := p.start(t)
		if err != nil || !t.Empty {
			return err
		}
	}
	switch t.Name {
	case "news", "image", "video":
		p.extension = ""
	case "url", "sitemap":
		if p.extension == "" || p.entry != nil && p.entry.URL != "" {
			return p.flush()
		}
	case "urlset", "sitemapindex":
		return errEnd
	}
	return nil
}

// start handles a start tag. Namespaces are often wrong, but the prefixes of the
// extensions are nearly always the same, and their elements are inside one of theirs.
func (p *parser) start(t loosexml.Token) error {
	switch t.Name {
	case "urlset", "sitemapindex":
		p.index = t.Name == "sitemapindex"
	case "url", "sitemap":
		if p.extension == "" || t.Prefix != p.extension {
			err := p.flush()
			p.entry = &Entry{Index: t.Name == "sitemap"}
			return err
		}
	case "news", "image", "video":
		p.extension = t.Name
		if t.Name == "news" && p.entry != nil {
			p.entry.News = true
		}
	case "loc":
		if p.extension != "" || t.Prefix == "image" || t.Prefix == "video" {
			return nil
		}
		p.field = t.Name
		if p.entry == nil || p.entry.URL != "" { // the tags of the entry are missing
			err := p.flush()
			p.entry, p.field = &Entry{Index: p.index}, t.Name
			return err
		}
	case "lastmod":
		if p.extension == "" && p.entry != nil {
			p.field = t.Name
		}
	case "title", "publication_date":
		if p.entry != nil && (p.extension == "news" || p.extension == "" && t.Prefix == "news") {
			p.entry.News = true
			p.field = t.Name
		}
	}
	return nil
}

// store keeps the text of the field that ends.
func (p *parser) store() {
	field, text := p.field, p.text.String()
	p.field = ""
	p.text.Reset()
	switch field {
	case "loc":
		p.entry.URL = strings.TrimSpace(text)
	case "lastmod":
		p.entry.LastMod, _ = metadata.ParseTime(text)
	case "publication_date":
		p.entry.Published, _ = metadata.ParseTime(text)
	case "title":
		p.entry.Title = metadata.PlainText(text)
	}
}

// flush yields the entry that is open. A field without an end is not complete.
func (p *parser) flush() error {
	e := p.entry
	p.entry, p.extension, p.field = nil, "", ""
	p.text.Reset()
	if e == nil || e.URL == "" {
		return nil
	}
	return p.sink.add(*e)
}
