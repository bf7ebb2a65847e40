package dom

import (
	"bytes"
	"strings"

	"golang.org/x/net/html"
)

// metaCharset is the charset that a page claims in a <meta>, however far in,
// or in an XML declaration. HTML5 looks at the first 1,024 bytes, but pages put
// a hundred kilobytes of scripts before it. A <meta> that has slipped into the
// body speaks for the same bytes.
func metaCharset(page []byte) string {
	z := html.NewTokenizer(bytes.NewReader(page))
	for {
		switch z.Next() {
		case html.ErrorToken:
			return xmlCharset(page)
		case html.StartTagToken, html.SelfClosingTagToken:
			switch name, hasAttr := z.TagName(); string(name) {
			case "meta":
				if label := metaLabel(z, hasAttr); label != "" {
					return label
				}
			case "noscript":
				z.NextIsNotRawText() // a <meta> may stand in it
			}
		}
	}
}

// xmlCharset reads <?xml version="1.0" encoding="…"?>.
func xmlCharset(page []byte) string {
	head := bytes.TrimLeft(page[:min(len(page), 256)], " \t\r\n")
	if !bytes.HasPrefix(head, []byte("<?xml")) {
		return ""
	}
	decl, _, _ := strings.Cut(string(head), "?>")
	_, rest, ok := strings.Cut(decl, "encoding")
	if !ok {
		return ""
	}
	return firstLabel(rest)
}

func metaLabel(z *html.Tokenizer, more bool) string {
	var charset, content string
	var isContentType bool
	for more {
		var k, v []byte
		k, v, more = z.TagAttr()
		switch string(k) {
		case "charset":
			charset = string(v)
		case "http-equiv":
			isContentType = strings.EqualFold(string(v), "content-type")
		case "content":
			content = string(v)
		}
	}
	if charset != "" {
		return strings.TrimSpace(charset)
	}
	if !isContentType {
		return ""
	}
	i := strings.Index(strings.ToLower(content), "charset")
	if i < 0 {
		return ""
	}
	return firstLabel(content[i+len("charset"):])
}

// firstLabel reads the value after a '=', with or without quotes.
func firstLabel(s string) string {
	s = strings.TrimLeft(s, " \t\r\n=\"'")
	if i := strings.IndexAny(s, " \t\r\n;\"',"); i >= 0 {
		s = s[:i]
	}
	return s
}
