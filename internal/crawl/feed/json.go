package feed

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
)

type jsonItem struct {
	ID            any // a string, or wrongly a number
	URL           string
	ExternalURL   string `json:"external_url"`
	Title         string
	Summary       string
	DatePublished string `json:"date_published"`
	DateModified  string `json:"date_modified"`
	Attachments   []struct{ URL string }
}

// readJSON reads a JSON Feed up to the first error of its syntax.
func (p *parser) readJSON(text []byte) error {
	text = bytes.Map(func(r rune) rune { return max(r, ' ') }, text) // line breaks in strings
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	if _, err := d.Token(); err != nil {
		return err
	}
	for d.More() {
		key, err := d.Token()
		if err != nil {
			return err
		}
		if key == "items" {
			if err := p.readItems(d); err != nil {
				return err
			}
			continue
		}
		var value any
		if err := d.Decode(&value); err != nil {
			return err
		}
		switch text, _ := value.(string); key {
		case "title":
			p.feed.Title = title(text)
		case "home_page_url":
			p.setHome(text)
		}
	}
	_, err := d.Token()
	return err
}

// readItems reads the array of items.
func (p *parser) readItems(d *json.Decoder) error {
	if open, err := d.Token(); err != nil || open != json.Delim('[') {
		return cmp.Or(err, errors.New("items is not an array"))
	}
	for d.More() {
		var it jsonItem
		if err := d.Decode(&it); err != nil && !errors.As(err, new(*json.UnmarshalTypeError)) {
			return err
		}
		e := entry{title: it.Title, summary: it.Summary, links: []string{it.URL}, media: map[string]bool{},
			published: []string{it.DatePublished}, updated: []string{it.DateModified}}
		if it.ID != nil {
			e.guid = fmt.Sprint(it.ID)
		}
		if isAbsolute(e.guid) {
			e.links = append(e.links, e.guid)
		}
		e.links = append(e.links, it.ExternalURL)
		for _, a := range it.Attachments {
			e.media[a.URL] = true
		}
		if err := p.add(&e); err != nil {
			return err
		}
	}
	_, err := d.Token()
	return err
}
