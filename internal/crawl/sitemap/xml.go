package sitemap

import (
	"bufio"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/lede-news/lede/internal/story/metadata"
)

// readXML reads the elements of a sitemap. It needs no well-formed document: raw
// tokens are enough to find the entries, and after a syntax error it goes on with what
// follows.
func readXML(r *bufio.Reader, s *sink) error {
	const maxErrors = 1000
	src := &source{r: r}
	p := &parser{sink: s}
	var first error
	for n := 0; ; {
		err := p.readTokens(src)
		if err == nil {
			break
		}
		var syntax *xml.SyntaxError
		if errors.As(err, &syntax) && syntax.Msg != cutOff {
			if first == nil {
				first = fmt.Errorf("%w: %s", ErrDamaged, syntax.Msg)
			}
			if n++; n < maxErrors {
				if p.field != "" && strings.HasSuffix(syntax.Msg, "after <") {
					p.text = append(p.text, '<') // it is text
				}
				src.resume()
				continue
			}
			return first
		}
		if flushed := p.flush(); flushed != nil {
			return flushed
		}
		if syntax != nil {
			err = io.ErrUnexpectedEOF
		}
		return damaged(err)
	}
	if err := p.flush(); err != nil {
		return err
	}
	return first
}

// cutOff is the message of the syntax error for a document that ends in a tag.
const cutOff = "unexpected EOF"

// parser collects the entries of a sitemap.
type parser struct {
	sink      *sink
	index     bool // the root is <sitemapindex>
	entry     Entry
	open      bool
	extension string // the element of an extension that is open
	field     string // the element whose text is collected
	text      []byte
}

// readTokens reads until the end tag of the root, for which it returns nil.
func (p *parser) readTokens(src *source) error {
	d := xml.NewDecoder(src)
	d.Strict = false
	d.Entity = xml.HTMLEntity
	d.CharsetReader = func(_ string, r io.Reader) (io.Reader, error) { return r, nil } // it is UTF-8 by now
	for {
		src.token = 0
		token, err := d.RawToken()
		if err != nil {
			return err
		}
		switch t := token.(type) {
		case xml.StartElement:
			if err := p.start(strings.ToLower(t.Name.Space), strings.ToLower(t.Name.Local)); err != nil {
				return err
			}
		case xml.EndElement:
			done, err := p.end(strings.ToLower(t.Name.Local))
			if done || err != nil {
				return err
			}
		case xml.CharData:
			if p.field != "" && len(p.text) <= 2*maxURL {
				p.text = append(p.text, t[:min(len(t), 2*maxURL+1)]...)
			}
		}
	}
}

// start handles a start tag. Namespaces are often wrong, but the prefixes of the
// extensions are nearly always the same, and their elements are inside one of theirs.
func (p *parser) start(prefix, name string) error {
	p.store() // the end tag is missing
	switch name {
	case "urlset", "sitemapindex":
		p.index = name == "sitemapindex"
	case "url", "sitemap":
		if p.extension != "" && prefix == p.extension {
			return nil
		}
		if err := p.flush(); err != nil {
			return err
		}
		p.begin(name == "sitemap")
	case "news", "image", "video":
		p.extension = name
		if name == "news" && p.open {
			p.entry.News = true
		}
	case "loc":
		if p.extension != "" || prefix == "image" || prefix == "video" {
			return nil
		}
		if p.entry.URL != "" { // the tags of the entry are missing
			if err := p.flush(); err != nil {
				return err
			}
		}
		if !p.open {
			p.begin(p.index)
		}
		p.field = name
	case "lastmod":
		if p.extension == "" && p.open {
			p.field = name
		}
	case "title", "publication_date":
		if p.open && (p.extension == "news" || p.extension == "" && prefix == "news") {
			p.entry.News = true
			p.field = name
		}
	}
	return nil
}

// end handles an end tag. It reports whether it is that of the root.
func (p *parser) end(name string) (done bool, err error) {
	p.store()
	switch name {
	case "news", "image", "video":
		p.extension = ""
	case "url", "sitemap":
		if p.extension == "" || p.entry.URL != "" {
			return false, p.flush()
		}
	case "urlset", "sitemapindex":
		return true, nil
	}
	return false, nil
}

// begin begins an entry.
func (p *parser) begin(index bool) {
	p.entry, p.open, p.extension = Entry{Index: index}, true, ""
}

// store keeps the text of the field that ends.
func (p *parser) store() {
	field, text := p.field, string(p.text)
	p.field, p.text = "", p.text[:0]
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
	e, open := p.entry, p.open
	p.entry, p.open, p.extension, p.field, p.text = Entry{}, false, "", "", p.text[:0]
	if !open || e.URL == "" {
		return nil
	}
	return p.sink.add(e)
}
