package feed

import (
	"cmp"
	"errors"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/lede-news/lede/internal/page/links"
	"github.com/lede-news/lede/internal/story/metadata"
)

// parser collects the items of a feed.
type parser struct {
	base *url.URL // of the document, or nil
	feed *Feed
}

// entry is an item as it is in the feed.
type entry struct {
	title              string
	links, more        []string // addresses; those in more are of extensions
	id                 string   // the guid, if it is an address
	media              map[string]bool
	published, updated []string
	base               *url.URL
}

// Lengths of texts in bytes, to bound the memory of a feed.
const (
	maxTitle = 1000
	maxURL   = 2048
)

var errTooMany = errors.New("the feed has too many items")

// add adds an item with the first address that is one of the web and not of media.
func (p *parser) add(e *entry) error {
	base := cmp.Or(e.base, p.base)
	for _, link := range slices.Concat(e.links, e.more, []string{e.id}) {
		to := links.ResolveWeb(base, strings.TrimSpace(link))
		if link == "" || e.media[link] || to == "" || len(to) > maxURL {
			continue
		}
		if len(p.feed.Items) == maxItems {
			return errTooMany
		}
		p.feed.Items = append(p.feed.Items, Item{URL: to, Title: title(e.title), Published: firstTime(e.published), Updated: firstTime(e.updated)})
		return nil
	}
	return nil
}

func isAbsolute(address string) bool {
	address = strings.ToLower(strings.TrimSpace(address))
	return strings.HasPrefix(address, "http://") || strings.HasPrefix(address, "https://")
}

// firstTime returns the first time that can be read.
func firstTime(texts []string) time.Time {
	for _, s := range texts {
		if t, ok := metadata.ParseTime(s); ok {
			return t
		}
	}
	return time.Time{}
}

// title returns a title as plain text in one line. The result is a copy, so that it does
// not keep the document in memory.
func title(s string) string {
	s = metadata.PlainText(strings.ToValidUTF8(s[:min(len(s), 4*maxTitle)], ""))
	return strings.Clone(strings.ToValidUTF8(s[:min(len(s), maxTitle)], ""))
}
