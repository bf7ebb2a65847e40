// Package feed reads feeds (RSS, Atom, RDF, JSON Feed) and finds those of a page.
//
// A feed in the wrong charset, with markup that is not well-formed, or truncated gives
// the items that can be read.
package feed

import (
	"bytes"
	"errors"
	"fmt"
	"net/url"
	"time"

	"github.com/lede-news/lede/internal/crawl/loosexml"
	"github.com/lede-news/lede/internal/page/charset"
)

// Limits of a feed. What is beyond them is not read.
const (
	maxBytes = 20 << 20
	maxItems = 1000
)

// ErrNotFeed means that a document is no feed.
var ErrNotFeed = errors.New("this is not a feed")

// Feed is what a feed says about its site and its stories.
type Feed struct {
	// Home is the address of the page that the feed belongs to, or "".
	Home string
	// Items are the stories in the order of the feed, at most 1,000.
	Items []Item
	// Partial reports whether the feed is truncated or exceeds a limit, so that items
	// are missing.
	Partial bool
}

// Item is a story in a feed.
type Item struct {
	// URL is the absolute address of the story. It is never that of an enclosure, and
	// items without an address are left out.
	URL string
	// Title is the headline, in one line of plain text.
	Title string
	// Published and Updated are zero if the feed does not give them.
	Published, Updated time.Time
}

// Parse reads a feed. charset is that of the HTTP header, or "", and base the address
// of the feed, which links may be relative to. The error is ErrNotFeed if it is no feed.
func Parse(body []byte, charset, base string) (*Feed, error) {
	text, partial, err := decode(body, charset)
	if err != nil {
		return nil, err
	}
	p := parser{feed: new(Feed)}
	if u, err := url.Parse(base); err == nil && u.IsAbs() {
		p.base = u
	}
	if bytes.HasPrefix(bytes.TrimSpace(text), []byte("{")) {
		err = p.readJSON(text)
	} else {
		err = p.readXML(text)
	}
	if errors.Is(err, loosexml.ErrNoRoot) {
		return nil, notFeed(text)
	}
	p.feed.Partial = partial || err != nil
	return p.feed, nil
}

// notFeed returns the error that says what a document is instead of a feed.
func notFeed(text []byte) error {
	if list, ok := charset.FindList(text); ok {
		return fmt.Errorf("%w: it is %s", ErrNotFeed, list.Kind)
	}
	return fmt.Errorf("%w: it is neither RSS, Atom, RDF nor JSON Feed", ErrNotFeed)
}

// decode returns the text of a feed in UTF-8. partial reports whether it is too large
// and has been truncated.
func decode(body []byte, header string) (text []byte, partial bool, err error) {
	if len(body) > maxBytes {
		body, partial = body[:maxBytes], true
	}
	text, _, err = charset.DecodeList(body, charset.Hints{Header: header})
	switch {
	case errors.Is(err, charset.ErrEmpty):
		return nil, false, fmt.Errorf("%w: it is empty", ErrNotFeed)
	case err != nil:
		return nil, false, fmt.Errorf("%w: %w", ErrNotFeed, err)
	}
	return bytes.TrimPrefix(text, []byte("\ufeff")), partial, nil
}
