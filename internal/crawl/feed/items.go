package feed

import (
	"bytes"
	"context"
	"fmt"
	"net/url"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/lede-news/lede/dom"
	"github.com/lede-news/lede/internal/page/links"
	"github.com/lede-news/lede/internal/story/metadata"
	"github.com/mmcdole/gofeed/atom"
	ext "github.com/mmcdole/gofeed/extensions"
	"github.com/mmcdole/gofeed/rss"
)

// parser makes a Feed of what gofeed reads.
type parser struct {
	base *url.URL // of the document, or nil
	feed *Feed
}

// Lengths of texts in bytes, to bound the memory of a feed.
const (
	maxTitle   = 1000
	maxSummary = 4000
	maxGUID    = 2000
	maxURL     = 2048
)

func (p *parser) readRSS(text []byte) (err error) {
	defer guard(&err)
	repaired, partial := repair(text)
	p.feed.Partial = p.feed.Partial || partial
	f, err := new(rss.Parser).Parse(bytes.NewReader(repaired))
	if err != nil {
		return fmt.Errorf("the feed cannot be read: %w", err)
	}
	p.feed.Title = title(f.Title)
	p.setHome(f.Links...)
	for _, it := range f.Items {
		p.addRSS(it)
	}
	return nil
}

func (p *parser) addRSS(it *rss.Item) {
	media := map[string]bool{}
	for _, e := range it.Enclosures {
		media[e.URL] = true
	}
	found := extension(it.Extensions, "feedburner", "origLink")
	found = append(found, it.Links...)
	for _, prefix := range []string{"atom", "atom03"} {
		for _, l := range it.Extensions[prefix]["link"] {
			if rel := l.Attrs["rel"]; rel == "" || rel == "alternate" {
				found = append(found, l.Attrs["href"])
			}
		}
	}
	item := Item{Title: title(it.Title), Summary: summary(it.Description)}
	if it.GUID != nil {
		item.GUID = truncate(strings.TrimSpace(it.GUID.Value), maxGUID)
		if !strings.EqualFold(strings.TrimSpace(it.GUID.IsPermalink), "false") && isAbsolute(item.GUID) {
			found = append(found, item.GUID)
		}
	}
	dates := []string{it.PubDate}
	for _, name := range []string{"date", "created", "issued"} {
		dates = append(dates, extension(it.Extensions, "dc", name)...)
		dates = append(dates, extension(it.Extensions, "dcterms", name)...)
	}
	for _, name := range []string{"published", "pubDate", "date"} {
		dates = append(dates, it.Custom[name])
		dates = append(dates, extension(it.Extensions, "atom", name)...)
	}
	item.Published = firstTime(it.PubDateParsed, dates...)
	changed := extension(it.Extensions, "dcterms", "modified")
	changed = append(changed, extension(it.Extensions, "atom", "updated")...)
	item.Updated = firstTime(nil, append(changed, it.Custom["updated"], it.Custom["modified"])...)
	p.add(item, found, media)
}

func (p *parser) readAtom(text []byte) (err error) {
	defer guard(&err)
	repaired, partial := repair(text)
	p.feed.Partial = p.feed.Partial || partial
	f, err := new(atom.Parser).Parse(bytes.NewReader(repaired))
	if err != nil {
		return fmt.Errorf("the feed cannot be read: %w", err)
	}
	p.feed.Title = title(f.Title)
	p.setHome(alternates(f.Links)...)
	for _, e := range f.Entries {
		found := append(extension(e.Extensions, "feedburner", "origLink"), alternates(e.Links)...)
		if isAbsolute(e.ID) {
			found = append(found, e.ID) // some feeds have no other address
		}
		p.add(Item{
			Title:     title(e.Title),
			GUID:      truncate(strings.TrimSpace(e.ID), maxGUID),
			Published: firstTime(e.PublishedParsed, e.Published),
			Updated:   firstTime(e.UpdatedParsed, e.Updated),
			Summary:   summary(e.Summary),
		}, found, enclosures(e.Links))
	}
	return nil
}

// alternates returns the addresses of the pages that links of Atom name.
func alternates(list []*atom.Link) (found []string) {
	for _, l := range list {
		if strings.EqualFold(strings.TrimSpace(l.Rel), "alternate") {
			found = append(found, l.Href)
		}
	}
	return found
}

// enclosures returns the addresses of the media that links of Atom name.
func enclosures(list []*atom.Link) map[string]bool {
	media := map[string]bool{}
	for _, l := range list {
		if strings.EqualFold(strings.TrimSpace(l.Rel), "enclosure") {
			media[l.Href] = true
		}
	}
	return media
}

// extension returns the texts of the elements of an extension.
func extension(all ext.Extensions, prefix, name string) (values []string) {
	for _, e := range all[prefix][name] {
		values = append(values, e.Value)
	}
	return values
}

// add adds an item with the first address that is one of the web and not of media.
func (p *parser) add(item Item, found []string, media map[string]bool) {
	for _, link := range found {
		if media[link] {
			continue
		}
		if to := links.ResolveWeb(p.resolver(), strings.TrimSpace(link)); to != "" && len(to) <= maxURL {
			item.URL = to
			break
		}
	}
	switch {
	case item.URL == "":
	case len(p.feed.Items) >= maxItems:
		p.feed.Partial = true
	default:
		p.feed.Items = append(p.feed.Items, item)
	}
}

// resolver returns what relative links are relative to: the address of the feed, or
// else the page that it belongs to.
func (p *parser) resolver() *url.URL {
	if p.base != nil || p.feed.Home == "" {
		return p.base
	}
	home, err := links.Parse(p.feed.Home)
	if err != nil {
		return nil
	}
	return home
}

func (p *parser) setHome(found ...string) {
	for _, link := range found {
		if p.feed.Home = links.ResolveWeb(p.base, link); p.feed.Home != "" {
			return
		}
	}
}

func isAbsolute(address string) bool {
	address = strings.ToLower(strings.TrimSpace(address))
	return strings.HasPrefix(address, "http://") || strings.HasPrefix(address, "https://")
}

// firstTime returns the time that gofeed read, or else the first that can be read.
func firstTime(read *time.Time, texts ...string) time.Time {
	for _, s := range texts {
		if t, ok := metadata.ParseTime(s); ok {
			return t
		}
	}
	if read != nil && read.Year() > 1990 {
		return *read
	}
	return time.Time{}
}

// title returns a title as plain text in one line.
func title(s string) string {
	return truncate(metadata.PlainText(truncate(s, 4*maxTitle)), maxTitle)
}

// summary returns a description as plain text in one line.
func summary(s string) string {
	s = truncate(s, 4*maxSummary)
	if strings.ContainsAny(s, "<&") {
		d, err := dom.ParseFragment(context.Background(), []byte(s), "div", dom.Options{Charset: "utf-8"})
		if err != nil {
			return ""
		}
		s = d.AllText()
	}
	return truncate(strings.Join(strings.Fields(s), " "), maxSummary)
}

// truncate returns up to n bytes of s, and no part of a character. The result is a copy,
// so that it does not keep the document in memory.
func truncate(s string, n int) string {
	if len(s) > n {
		for n > 0 && !utf8.RuneStart(s[n]) {
			n--
		}
		s = s[:n]
	}
	return strings.Clone(s)
}
