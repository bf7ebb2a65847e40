package feed

import (
	"bytes"
	"fmt"
	"regexp"

	"github.com/lede-news/lede/internal/page/charset"
)

// kind is the kind of a feed.
type kind int

const (
	noFeed kind = iota
	xmlFeed
	jsonFeed
)

// headSize is how much of a document is looked at to recognize it.
const headSize = 64 << 10

var (
	// root is the start of the first element of a feed, with any prefix and in any case.
	root = regexp.MustCompile(`(?i)<(?:[\w.-]+:)?(rss|rdf|feed|channel)[\s/>]`)
	// page is the beginning of an HTML page.
	page = regexp.MustCompile(`(?i)^\s*(?:<\?xml[^>]*>\s*)?(?:<!--[^>]*-->\s*)?<(?:!doctype html|html)[\s>]`)
)

// recognize returns the kind of a feed. There may be junk before its root.
func recognize(text []byte) kind {
	head := text[:min(len(text), headSize)]
	list, isList := charset.FindList(head)
	switch {
	case isList && list.Holds != "articles" || page.Match(head):
		return noFeed
	case isList && bytes.HasPrefix(bytes.TrimSpace(head), []byte("{")):
		return jsonFeed
	case isList || root.Match(head):
		return xmlFeed
	}
	return noFeed
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
