// Package article holds what lede gives back: the story with its structure
// and the facts around it. It knows nothing of pages, methods or formats.
package article

import (
	"fmt"
	"strings"
	"time"
	"unicode"
)

// Article is one news story taken from a page.
type Article struct {
	// URL is where the page was found; Canonical is where the page says it lives.
	URL       string `json:"url,omitempty"`
	Canonical string `json:"canonical,omitempty"`

	// Title is the headline, without the name of the site.
	Title string `json:"title"`
	// Standfirst is the summary that the page gives of its own story.
	Standfirst string   `json:"standfirst,omitempty"`
	Authors    []Author `json:"authors,omitempty"`
	Published  Date     `json:"published,omitzero"`
	Modified   Date     `json:"modified,omitzero"`

	// Lang is a BCP 47 tag such as "en" or "pt-BR".
	Lang    string   `json:"lang,omitempty"`
	Site    string   `json:"site,omitempty"`
	Section string   `json:"section,omitempty"`
	Tags    []string `json:"tags,omitempty"`

	// Lead is the picture that stands for the whole story, if there is one.
	// Pictures inside the story are blocks of Body.
	Lead *Image `json:"lead,omitempty"`
	// Body is the story in reading order: no headline, byline or dateline.
	Body []Block `json:"body"`
	// Comments are the readers' comments, when they were asked for and found:
	// each with the line of its writer and date, where the page has one.
	Comments []string `json:"comments,omitempty"`

	// Paywalled is set when the page asks readers to pay for the whole story.
	Paywalled bool `json:"paywalled,omitempty"`

	Type PageType `json:"type"`
	// Form tells stories that are not told in paragraphs; empty for those that are.
	Form Form `json:"form,omitempty"`
	// Confidence says how sure the method is of its choice, from 0 to 1.
	Confidence float64 `json:"confidence"`
	// Method is the name of the method that chose the body.
	Method string `json:"method"`
	// Partial is set when a limit cut the page off before its end.
	Partial bool `json:"partial,omitempty"`
}

// Author is somebody named in the byline.
type Author struct {
	Name string `json:"name"`
	URL  string `json:"url,omitempty"`
}

// PageType tells a story from a page that leads to stories.
type PageType string

// The kinds of pages that lede tells apart.
const (
	TypeArticle PageType = "article"
	TypeIndex   PageType = "index"
	TypeOther   PageType = "other"
)

// Form is how a story is told.
type Form string

// The forms that a page may say it has, other than a story to read.
const (
	FormLiveBlog Form = "liveblog"
	FormGallery  Form = "gallery"
	FormVideo    Form = "video"
)

// Text is the body as plain text, a paragraph a line, without captions.
// It is the "text" of a batch line.
func (a *Article) Text() string { return Text(a.Body) }

// Words counts the words of the body; a Han or Kana character is one.
func (a *Article) Words() int {
	n, in := 0, false
	for _, r := range a.Text() {
		switch {
		case r|0x20 >= 'a' && r|0x20 <= 'z', r >= '0' && r <= '9': // most letters of most texts
			if !in {
				n, in = n+1, true
			}
		case unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana):
			n, in = n+1, false
		case unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.Is(unicode.Mn, r):
			if !in {
				n, in = n+1, true
			}
		case r != '\'' && r != '’':
			in = false
		}
	}
	return n
}

// Images lists the pictures of the story, the lead first, each URL once.
func (a *Article) Images() []Image {
	var out []Image
	seen := map[string]int{}
	add := func(im Image) {
		if im.URL == "" {
			return
		}
		if i, dup := seen[im.URL]; dup {
			// The lead often repeats in the body, and only there it has its caption.
			if out[i].Caption == "" && im.Caption != "" {
				out[i] = im
			}
			return
		}
		seen[im.URL] = len(out)
		out = append(out, im)
	}
	if a.Lead != nil {
		add(*a.Lead)
	}
	Walk(a.Body, func(b *Block) {
		if b.Kind == Picture && b.Image != nil {
			add(*b.Image)
		}
	})
	return out
}

// Byline is the authors' names in one line.
func (a *Article) Byline() string {
	names := make([]string, len(a.Authors))
	for i, au := range a.Authors {
		names[i] = au.Name
	}
	return strings.Join(names, ", ")
}

// Date is a moment, or just a day when the page tells no more.
type Date struct {
	Time time.Time
	// DayOnly is set when the page gave no time of day.
	DayOnly bool
}

// IsZero reports whether there is no date at all.
func (d Date) IsZero() bool { return d.Time.IsZero() }

// String is RFC 3339, or the plain day (2006-01-02), or empty.
func (d Date) String() string {
	switch {
	case d.IsZero():
		return ""
	case d.DayOnly:
		return d.Time.Format(time.DateOnly)
	}
	return d.Time.Format(time.RFC3339)
}

// MarshalText writes what String gives.
func (d Date) MarshalText() ([]byte, error) { return []byte(d.String()), nil }

// UnmarshalText reads what MarshalText wrote.
func (d *Date) UnmarshalText(b []byte) error {
	s := string(b)
	if s == "" {
		*d = Date{}
		return nil
	}
	if t, err := time.Parse(time.DateOnly, s); err == nil {
		*d = Date{Time: t, DayOnly: true}
		return nil
	}
	t, err := time.Parse(time.RFC3339, s)
	if err != nil {
		return fmt.Errorf("article: %q is neither a day (2006-01-02) nor RFC 3339", s)
	}
	*d = Date{Time: t}
	return nil
}
