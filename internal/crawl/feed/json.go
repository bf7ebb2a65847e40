package feed

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/lede-news/lede/internal/crawl/loosexml"
	"github.com/lede-news/lede/internal/page/charset"
	"github.com/lede-news/lede/internal/page/links"
)

type jsonItem struct {
	ID            any // a string, or wrongly a number
	URL           string
	ExternalURL   string `json:"external_url"`
	Title         string
	DatePublished string `json:"date_published"`
	DateModified  string `json:"date_modified"`
	Attachments   []struct{ URL string }
}

// readJSON reads a JSON Feed. Fields of a wrong type are left out.
func (p *parser) readJSON(text []byte) error {
	if _, ok := charset.FindList(text); !ok {
		return loosexml.ErrNoRoot
	}
	text = bytes.Map(func(r rune) rune { return max(r, ' ') }, text) // line breaks in strings
	var feed struct {
		Home  string `json:"home_page_url"`
		Items []jsonItem
	}
	if err := json.Unmarshal(text, &feed); err != nil && !errors.As(err, new(*json.UnmarshalTypeError)) {
		return err
	}
	p.feed.Home = links.ResolveWeb(p.base, feed.Home)
	for _, it := range feed.Items {
		e := entry{title: it.Title, links: []string{it.URL}, media: map[string]bool{},
			published: []string{it.DatePublished}, updated: []string{it.DateModified}}
		if id := fmt.Sprint(it.ID); isAbsolute(id) {
			e.links = append(e.links, id)
		}
		e.links = append(e.links, it.ExternalURL)
		for _, a := range it.Attachments {
			e.media[a.URL] = true
		}
		if err := p.add(&e); err != nil {
			return err
		}
	}
	return nil
}
