package feed

import (
	"bytes"
	"fmt"
	"regexp"
	"strings"

	"github.com/lede-news/lede/internal/page/charset"
)

// kind is the kind of a feed.
type kind int

const (
	noFeed kind = iota
	rssFeed
	atomFeed
	jsonFeed
)

// headSize is how much of a document is looked at to recognize it.
const headSize = 64 << 10

var (
	// root is the start of the first element of a feed, with any prefix and in any case.
	root = regexp.MustCompile(`(?i)<(?:[\w.-]+:)?(rss|rdf|feed|channel)[\s/>]`)
	// element is the start of any element.
	element = regexp.MustCompile(`<([a-zA-Z][\w:.-]*)`)
	// page is the beginning of an HTML page.
	page = regexp.MustCompile(`(?i)^\s*(?:<\?xml[^>]*>\s*)?(?:<!--[^>]*-->\s*)?<(?:!doctype html|html)[\s>]`)
)

// recognize returns the kind of a feed and where it starts: after junk, the XML
// declaration, which may be wrong, and the document type, whose entities are thereby
// never expanded.
func recognize(text []byte) (kind, int) {
	head := text[:min(len(text), headSize)]
	list, isList := charset.FindList(head)
	if isList && list.Holds != "articles" || page.Match(head) {
		return noFeed, 0
	}
	if at := bytes.IndexByte(head, '{'); isList && at >= 0 && len(bytes.TrimSpace(head[:at])) == 0 {
		return jsonFeed, at
	}
	rest := skipProlog(head)
	m := root.FindSubmatchIndex(rest)
	if m == nil || !isList && !isJunk(rest[:m[0]]) {
		return noFeed, 0
	}
	at := len(head) - len(rest) + m[0]
	if bytes.EqualFold(rest[m[2]:m[3]], []byte("feed")) {
		return atomFeed, at
	}
	return rssFeed, at
}

// isJunk reports whether a text before the root may be messages of programs, with
// tags at most for their form. Otherwise the root is another element.
func isJunk(text []byte) bool {
	for _, m := range element.FindAllSubmatch(text, -1) {
		switch strings.ToLower(string(m[1])) {
		case "br", "hr", "b", "i", "p", "a", "pre", "font", "div", "span", "strong", "center", "table", "tr", "td", "th", "script", "style", "link", "meta":
		default:
			return false
		}
	}
	return true
}

// skipProlog returns what follows the document type, which may contain anything.
func skipProlog(head []byte) []byte {
	at := bytes.Index(head, []byte("<!DOCTYPE"))
	if at < 0 {
		return head
	}
	if m := root.FindIndex(head); m != nil && m[0] < at {
		return head // it is inside an item
	}
	rest := head[at:]
	end := bytes.IndexByte(rest, '>')
	if open := bytes.IndexByte(rest, '['); open >= 0 && open < end {
		if end = bytes.Index(rest, []byte("]>")); end < 0 {
			if end = bytes.IndexByte(rest[open:], ']'); end >= 0 {
				end += open
			}
		}
	}
	if end < 0 {
		return head
	}
	return rest[end+1:]
}

// notFeed returns the error that says what a document is instead of a feed.
func notFeed(text []byte) error {
	head := text[:min(len(text), headSize)]
	if list, ok := charset.FindList(head); ok {
		return fmt.Errorf("%w: it is %s", ErrNotFeed, list.Kind)
	}
	if page.Match(head) {
		return fmt.Errorf("%w: it is an HTML page", ErrNotFeed)
	}
	return fmt.Errorf("%w: it is neither RSS, Atom, RDF nor JSON Feed", ErrNotFeed)
}
