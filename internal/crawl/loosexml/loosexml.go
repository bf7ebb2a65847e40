// Package loosexml reads the items of feeds and sitemaps, in XML that need not be
// well-formed. The tokenizer of HTML, which takes any input, splits it into tags and
// texts; what is malformed costs at most the item that it is in.
package loosexml

import (
	"errors"
	"io"
	"regexp"
	"slices"
	"strings"

	"golang.org/x/net/html"
)

// Format has the names of the elements of a document, in lower case and without prefixes.
type Format struct {
	Roots   []string
	Items   []string // elements with fields
	Fields  []string // elements with text
	Foreign []string // elements with fields of something else, or with markup; they are skipped
}

// Element is an element of a document.
type Element struct {
	Prefix string // of the name, in lower case
	Name   string // without the prefix, in lower case
	Text   string // of a field, decoded, as far as it is read; a title may contain markup

	attrs []html.Attribute
}

// Attr returns an attribute by its name in lower case, with its prefix.
func (e Element) Attr(name string) string {
	for _, a := range e.attrs {
		if a.Key == name {
			return strings.TrimSpace(clean(a.Val))
		}
	}
	return ""
}

// Item is an item with its fields, or the root with fields outside of items.
type Item struct {
	Element
	Root   Element
	Fields []Element
}

const (
	maxFields = 100     // of an item
	maxText   = 8 << 10 // of a field, about
)

// ErrNoRoot means that a document has none of the roots.
var ErrNoRoot = errors.New("the document has another root")

// errEnd is returned at the end of the root.
var errEnd = errors.New("end of the document")

// Read reads a document in UTF-8 to the end of its root and calls yield for each item with
// fields until that fails. A tag, text or comment of more than maxToken bytes is an error,
// html.ErrBufferExceeded, and a document that is truncated io.ErrUnexpectedEOF; the fields
// that end before are yielded. Entities that a document declares are never expanded.
func Read(r io.Reader, format Format, maxToken int, yield func(Item) error) error {
	z := html.NewTokenizer(r)
	z.AllowCDATA(true)
	z.SetMaxBuf(maxToken)
	p := parser{Format: format, yield: yield}
	for {
		t, err := next(z)
		if err == nil {
			err = p.handle(t)
		} else if p.root.Name == "" && (err == io.EOF || err == html.ErrBufferExceeded) {
			err = ErrNoRoot
		} else {
			if err == io.EOF {
				err = io.ErrUnexpectedEOF
			}
			err = errors.Join(p.endItem(), err)
		}
		switch {
		case err == errEnd:
			return nil
		case err != nil:
			return err
		}
	}
}

// token is a tag or a text. Text is that of a tag as it is in the document.
type token struct {
	Element
	kind html.TokenType // TextToken, StartTagToken, SelfClosingTagToken or EndTagToken
}

// starts reports whether a token is a start tag with one of the names.
func (t *token) starts(names []string) bool {
	return (t.kind == html.StartTagToken || t.kind == html.SelfClosingTagToken) && slices.Contains(names, t.Name)
}

// ends reports whether a token is the end tag of an element.
func (t *token) ends(name string) bool { return t.kind == html.EndTagToken && t.Name == name }

// next returns the next tag or text.
func next(z *html.Tokenizer) (t token, err error) {
	for {
		switch t.kind = z.Next(); t.kind {
		case html.ErrorToken:
			return t, z.Err()
		case html.TextToken:
			t.Text = string(z.Raw())
			if content, ok := strings.CutPrefix(t.Text, "<![CDATA["); ok {
				t.Text = clean(strings.TrimSuffix(content, "]]>"))
			} else {
				t.Text = clean(reference.ReplaceAllStringFunc(t.Text, html.UnescapeString))
			}
			return t, nil
		case html.StartTagToken, html.SelfClosingTagToken, html.EndTagToken:
			t.Text = string(z.Raw())
			tag := z.Token()
			i := strings.LastIndexByte(tag.Data, ':')
			t.Prefix, t.Name, t.attrs = tag.Data[:max(i, 0)], tag.Data[i+1:], tag.Attr
			z.NextIsNotRawText() // the text of <title> has tags and CDATA
			return t, nil
		}
	}
}

// reference matches a reference. "&" that begins none stays as it is, also where HTML would
// see one without a semicolon: it is part of a URL.
var reference = regexp.MustCompile(`&(?:#[0-9]{1,8}|#[xX][0-9a-fA-F]{1,8}|[a-zA-Z][a-zA-Z0-9]{0,31});`)

// clean removes invalid UTF-8 and the characters that XML does not allow.
func clean(s string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' && r != '\t' && r != '\n' && r != '\r' || r == 0x7f || r >= 0xfffd && r <= 0xffff {
			return -1
		}
		return r
	}, s)
}

// parser collects the fields of items.
type parser struct {
	Format
	yield func(Item) error
	root  Element
	item  Item // the root outside of items

	field  Element // the field that is open, if it has a name
	text   strings.Builder
	nested int // elements of its name inside the field

	skip  string // name of the foreign element that is open
	depth int    // elements of its name that are open
}

// handle handles a token. It returns errEnd at the end of the root.
func (p *parser) handle(t token) error {
	switch {
	case p.root.Name == "":
		return p.findRoot(t)
	case t.kind == html.TextToken:
		if p.skip == "" {
			p.addText(t.Text)
		}
	case p.skip != "" && !p.endsForeign(t), p.field.Name != "" && !p.endsField(t):
	case t.starts(p.Items):
		err := p.endItem()
		p.item.Element = t.Element
		return err
	case t.starts(p.Foreign):
		if t.kind == html.StartTagToken {
			p.skip, p.depth = t.Name, 1
		}
	case t.starts(p.Fields):
		p.field, p.nested = t.Element, 0
		if t.kind == html.SelfClosingTagToken {
			p.endField()
		}
	case p.isBoundary(t):
		err := p.endItem()
		if err == nil && t.Name == p.root.Name {
			err = errEnd
		}
		return err
	}
	return nil
}

// findRoot looks for the root. There may be junk before it.
func (p *parser) findRoot(t token) error {
	switch {
	case t.starts([]string{"html"}):
		return ErrNoRoot
	case t.starts(p.Roots):
		p.root = t.Element
		p.item = Item{Element: p.root, Root: p.root}
		if t.kind == html.SelfClosingTagToken {
			return errEnd
		}
	}
	return nil
}

func (p *parser) addText(text string) {
	if p.field.Name != "" && p.text.Len() < maxText {
		p.text.WriteString(text[:min(len(text), maxText)])
	}
}

// isBoundary reports whether a tag begins or ends an item or what contains it.
func (p *parser) isBoundary(t token) bool {
	return t.starts(p.Items) || t.ends(p.item.Name) || t.kind == html.EndTagToken && slices.Contains(p.Roots, t.Name)
}

// endsForeign reports whether a tag is to be handled although a foreign element is open,
// because that cannot contain it.
func (p *parser) endsForeign(t token) bool {
	switch {
	case t.ends(p.skip):
		p.depth--
	case t.Name == p.skip && t.kind == html.StartTagToken:
		p.depth++
	case p.isBoundary(t):
		p.skip = ""
		return true
	}
	if p.depth == 0 {
		p.skip = ""
	}
	return false
}

// endsField reports whether a tag is to be handled although a field is open. If so, the
// field ends before it: its end tag is missing.
func (p *parser) endsField(t token) bool {
	own := t.Name == p.field.Name
	switch {
	case t.ends(p.field.Name) && p.nested == 0:
		p.endField()
		return false
	case p.isBoundary(t), !own && t.starts(p.Fields):
		p.endField()
		return true
	case t.ends(p.field.Name):
		p.nested--
	case own && t.kind == html.StartTagToken:
		p.nested++
	}
	if p.field.Name == "title" {
		p.addText(t.Text)
	}
	return false
}

// endField adds the field that is open.
func (p *parser) endField() {
	p.field.Text = strings.TrimSpace(p.text.String())
	if len(p.item.Fields) < maxFields {
		p.item.Fields = append(p.item.Fields, p.field)
	}
	p.field = Element{}
	p.text.Reset()
}

// endItem yields the item that is open. A field that is open is not complete.
func (p *parser) endItem() error {
	item := p.item
	p.item = Item{Element: p.root, Root: p.root}
	p.field = Element{}
	p.text.Reset()
	if len(item.Fields) == 0 {
		return nil
	}
	return p.yield(item)
}
