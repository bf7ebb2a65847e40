// Package loosexml splits XML that need not be well-formed into tags and texts, with
// the tokenizer of HTML, which takes any input.
package loosexml

import (
	"io"
	"regexp"
	"strings"

	"golang.org/x/net/html"
)

// Kind is the kind of a token.
type Kind int

// The kinds of tokens. A Start with Empty has no End.
const (
	Text Kind = iota
	Start
	End
)

// Token is a tag or a text.
type Token struct {
	Kind   Kind
	Prefix string // of the name of a tag, in lower case
	Name   string // of a tag without its prefix, in lower case
	Empty  bool   // a Start that closes itself
	Text   string // decoded; of a tag as it is in the document

	attrs map[string]string
}

// Attr returns an attribute by its name in lower case, with its prefix.
func (t Token) Attr(name string) string { return strings.TrimSpace(t.attrs[name]) }

// maxAttrs bounds the attributes of a tag.
const maxAttrs = 64

// Reader reads tokens. Comments, instructions and declarations are skipped, and
// entities that a document declares are never expanded.
type Reader struct{ z *html.Tokenizer }

// NewReader returns a Reader of a document in UTF-8. A token of more than maxToken bytes
// is an error.
func NewReader(r io.Reader, maxToken int) *Reader {
	z := html.NewTokenizer(r)
	z.AllowCDATA(true)
	z.SetMaxBuf(maxToken)
	return &Reader{z}
}

// Next returns the next token, or the error that ends the document: io.EOF, an error of
// the reader, or html.ErrBufferExceeded.
func (r *Reader) Next() (Token, error) {
	for {
		switch kind := r.z.Next(); kind {
		case html.ErrorToken:
			return Token{}, r.z.Err()
		case html.TextToken:
			raw := string(r.z.Raw())
			if content, ok := strings.CutPrefix(raw, "<![CDATA["); ok {
				return Token{Text: clean(strings.TrimSuffix(content, "]]>"))}, nil
			}
			return Token{Text: decode(raw)}, nil
		case html.StartTagToken, html.SelfClosingTagToken:
			t := Token{Kind: Start, Empty: kind == html.SelfClosingTagToken, Text: string(r.z.Raw())}
			name, more := r.z.TagName()
			t.setName(string(name))
			for more && len(t.attrs) < maxAttrs {
				var key, value []byte
				key, value, more = r.z.TagAttr()
				if t.attrs == nil {
					t.attrs = map[string]string{}
				}
				if _, ok := t.attrs[string(key)]; !ok {
					t.attrs[string(key)] = clean(string(value))
				}
			}
			r.z.NextIsNotRawText() // the text of <title> has tags and CDATA
			return t, nil
		case html.EndTagToken:
			t := Token{Kind: End, Text: string(r.z.Raw())}
			name, _ := r.z.TagName()
			t.setName(string(name))
			return t, nil
		}
	}
}

func (t *Token) setName(name string) {
	i := strings.LastIndexByte(name, ':')
	t.Prefix, t.Name = name[:max(i, 0)], name[i+1:]
}

var reference = regexp.MustCompile(`&(?:#[0-9]{1,8}|#[xX][0-9a-fA-F]{1,8}|[a-zA-Z][a-zA-Z0-9]{0,31});`)

// decode returns a text without its references. "&" that begins none stays as it is,
// also where HTML would see one without a semicolon: it is part of a URL.
func decode(s string) string {
	if strings.Contains(s, "&") {
		s = reference.ReplaceAllStringFunc(s, html.UnescapeString)
	}
	return clean(s)
}

// clean removes invalid UTF-8 and the characters that XML does not allow.
func clean(s string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' && r != '\t' && r != '\n' && r != '\r' || r == 0x7f || r >= 0xfffd && r <= 0xffff {
			return -1
		}
		return r
	}, s)
}
