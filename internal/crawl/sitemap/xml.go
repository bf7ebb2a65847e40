package sitemap

import (
	"errors"
	"io"

	"github.com/lede-news/lede/internal/crawl/loosexml"
	"github.com/lede-news/lede/internal/story/metadata"
)

// maxToken bounds the size of one tag, text or comment.
const maxToken = 256 << 10

var xmlFormat = loosexml.Format{
	Roots:   []string{"urlset", "sitemapindex"},
	Items:   []string{"url", "sitemap"},
	Fields:  []string{"loc", "lastmod", "news", "title", "publication_date"}, // "news" has the last two
	Foreign: []string{"image", "video"},
}

// readXML reads the entries of a sitemap.
func readXML(r io.Reader, s *sink) error {
	err := loosexml.Read(r, xmlFormat, maxToken, s.addItem)
	if err == nil || errors.Is(err, loosexml.ErrNoRoot) || errors.Is(err, errStopped) {
		return err
	}
	return damaged(err)
}

// addItem adds an entry, or several if their own elements are missing. Namespaces are often
// wrong, but the prefixes of the extensions are nearly always the same.
func (s *sink) addItem(item loosexml.Item) error {
	blank := Entry{Index: item.Name == "sitemap" || item.Name == "sitemapindex"}
	e := blank
	for _, f := range item.Fields {
		if f.Prefix == "image" || f.Prefix == "video" {
			continue
		}
		switch f.Name {
		case "loc":
			if e.URL != "" {
				if err := s.add(e); err != nil {
					return err
				}
				e = blank
			}
			e.URL = f.Text
		case "lastmod":
			e.LastMod, _ = metadata.ParseTime(f.Text)
		default:
			e.News = true
			if f.Name == "title" {
				e.Title = metadata.PlainText(f.Text)
			} else if f.Name == "publication_date" {
				e.Published, _ = metadata.ParseTime(f.Text)
			}
		}
	}
	return s.add(e)
}
