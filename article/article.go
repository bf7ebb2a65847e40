// Package article defines the result of an extraction: a news article with
// its body as a list of blocks, and its metadata.
//
// Article and its parts have a stable JSON form. Their zero values are valid:
// an empty article has no text, no authors and no dates.
package article

import (
	"fmt"
	"iter"
	"strings"
	"time"
	"unicode"
)

// Article is a news article extracted from a page.
type Article struct {
	// URL is the address of the page, if the caller gave one.
	URL string `json:"url,omitempty"`
	// Canonical is the address that the page declares as its own.
	Canonical string `json:"canonical,omitempty"`

	// Title is the headline, without the name of the site.
	Title string `json:"title"`
	// Standfirst is the summary that the page shows between headline and body. It is
	// not in Body; Text begins with it.
	Standfirst string `json:"standfirst,omitempty"`
	// Description is the summary that the page declares, for search engines and others.
	Description string `json:"description,omitempty"`
	// Authors are the persons and organizations named in the byline.
	Authors []Author `json:"authors,omitempty"`
	// Published and Modified are the dates of publication and of the last
	// change. A date that is unknown is zero.
	Published Date `json:"published,omitzero"`
	Modified  Date `json:"modified,omitzero"`

	// Lang is a BCP 47 language tag such as "en" or "pt-BR".
	Lang string `json:"lang,omitempty"`
	// Site is the name of the site, such as "The Guardian".
	Site string `json:"site,omitempty"`
	// Section is the part of the site that the article is in, such as "Sports".
	Section string `json:"section,omitempty"`
	// Tags are the keywords that the page declares.
	Tags []string `json:"tags,omitempty"`

	// Lead is the main image, or nil: the one that the page shows at the head
	// of the article, or else the one that its metadata declares.
	Lead *Image `json:"lead,omitempty"`
	// Body is the article in reading order, without headline, byline and
	// dateline. Images are blocks of it, each once. Lead is not among them,
	// unless the page shows it in the middle of the text or has no text; the
	// block then has the same URL.
	Body []Block `json:"body"`
	// Comments are the readers' comments, if they were requested. Each begins
	// with the line that names its author and date, where the page has one.
	Comments []string `json:"comments,omitempty"`
	// Cleaned is the page's own HTML without what the method dropped, if it was
	// requested: a document that is safe to open.
	Cleaned string `json:"cleaned,omitempty"`

	// NextPage is the address of the next page of the article, if it is split over
	// several pages and its own address is known.
	NextPage string `json:"next_page,omitempty"`
	// Paywalled is set if readers must pay or register for the whole article.
	Paywalled bool `json:"paywalled,omitempty"`

	// Type is the kind of page.
	Type PageType `json:"type"`
	// Form is the form of the article. It is empty for running text.
	Form Form `json:"form,omitempty"`
	// Confidence is how far the choice can be trusted, from 0 to 1. Below about 0.6 the article
	// is worth a look.
	Confidence float64 `json:"confidence"`
	// Method is the name of the method that chose the body.
	Method string `json:"method"`
	// Partial is set if the page was incomplete, so that the article may be too.
	Partial bool `json:"partial,omitempty"`
	// PartialReason is why the page was incomplete.
	PartialReason PartialReason `json:"partial_reason,omitempty"`
}

// PartialReason is why a page was incomplete.
type PartialReason string

// The reasons.
const (
	PartialNodes      PartialReason = "node-limit"      // lede cut the page off: it has too many nodes
	PartialClosed     PartialReason = "closed-early"    // the connection ended before the page
	PartialCompressed PartialReason = "compressed-data" // the compressed page ends early
	PartialStatus     PartialReason = "status-206"      // the server sent a part of the page
	PartialLength     PartialReason = "content-length"  // the page is shorter than its Content-Length
	PartialRecord     PartialReason = "warc-truncated"  // the crawler stored a part of the page
)

var partialReasons = map[PartialReason]string{
	"":                "",
	PartialNodes:      "the page has too many nodes and was cut off",
	PartialClosed:     "the connection ended before the page",
	PartialCompressed: "the compressed page ends early",
	PartialStatus:     "the server sent a part of the page (status 206)",
	PartialLength:     "the page is shorter than its Content-Length",
	PartialRecord:     "the crawler stored a part of the page (WARC-Truncated)",
}

// Describe returns the reason in words, such as "the connection ended before the
// page".
func (r PartialReason) Describe() string {
	if s, ok := partialReasons[r]; ok {
		return s
	}
	return "the page is incomplete (" + string(r) + ")"
}

// SetPartial marks the article as that of an incomplete page. It has no effect if
// reason is empty.
func (a *Article) SetPartial(reason PartialReason) {
	if reason != "" {
		a.Partial, a.PartialReason = true, reason
	}
}

// Author is a person or an organization named in the byline.
type Author struct {
	Name string `json:"name"`
	// URL is the address of the author's page, if the article links to it.
	URL string `json:"url,omitempty"`
}

// PageType is the kind of a page.
type PageType string

// The page types.
const (
	TypeArticle PageType = "article" // a single article
	TypeIndex   PageType = "index"   // a home page, section front or other list of articles
	TypeOther   PageType = "other"   // anything else
)

// Form is the form of an article. It is empty for running text.
type Form string

// The forms other than running text.
const (
	FormLiveBlog Form = "liveblog"
	FormGallery  Form = "gallery" // images with captions and little other text
	FormVideo    Form = "video"   // a video with little text
)

// Text returns the standfirst and the body as plain text. See [Text] for its format.
func (a *Article) Text() string {
	body := Text(a.Body)
	if a.Standfirst == "" || body == "" {
		return a.Standfirst + body
	}
	return a.Standfirst + "\n" + body
}

// WordCount returns the number of words of the text. A Han or Kana character
// counts as a word.
func (a *Article) WordCount() int {
	n, inWord := 0, false
	for _, r := range a.Text() {
		switch {
		case r > unicode.MaxLatin1 && unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana):
			n, inWord = n+1, false
		case unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.Is(unicode.Mn, r):
			if !inWord {
				n, inWord = n+1, true
			}
		case r != '\'' && r != '’':
			inWord = false
		}
	}
	return n
}

// Blocks returns an iterator over all blocks of the body in reading order,
// including those inside quotes, lists and tables. A block comes before the
// blocks inside it.
func (a *Article) Blocks() iter.Seq[*Block] {
	return func(yield func(*Block) bool) { walk(a.Body, yield) }
}

func walk(blocks []Block, yield func(*Block) bool) bool {
	for i := range blocks {
		b := &blocks[i]
		if !yield(b) || !walk(b.Blocks, yield) {
			return false
		}
		for _, item := range b.Items {
			if !walk(item, yield) {
				return false
			}
		}
		for _, row := range b.Rows {
			for j := range row {
				if !walk(row[j].Blocks, yield) {
					return false
				}
			}
		}
	}
	return true
}

// Images returns the images of the article, Lead first. An image that appears
// more than once is returned once.
func (a *Article) Images() []Image {
	var images []Image
	seen := map[string]int{}
	add := func(im Image) {
		if im.URL == "" {
			return
		}
		if i, dup := seen[im.URL]; dup {
			// The lead often appears in the body again, and has a caption only there.
			if images[i].Caption == "" && im.Caption != "" {
				images[i] = im
			}
			return
		}
		seen[im.URL] = len(images)
		images = append(images, im)
	}
	if a.Lead != nil {
		add(*a.Lead)
	}
	for b := range a.Blocks() {
		if b.Kind == Picture && b.Image != nil {
			add(*b.Image)
		}
	}
	return images
}

// Byline returns the names of the authors, separated by commas.
func (a *Article) Byline() string {
	names := make([]string, len(a.Authors))
	for i, au := range a.Authors {
		names[i] = au.Name
	}
	return strings.Join(names, ", ")
}

// Date is a point in time, or a calendar day if the page gives no time of day.
type Date struct {
	// Time is the point in time, or midnight if DayOnly is set. It is zero if
	// the date is unknown.
	Time time.Time
	// DayOnly is set if only the day is known.
	DayOnly bool
}

// IsZero reports whether the date is unknown.
func (d Date) IsZero() bool { return d.Time.IsZero() }

// String returns the date in RFC 3339 format, or as 2006-01-02 if only the
// day is known. It returns "" for the zero date.
func (d Date) String() string {
	switch {
	case d.IsZero():
		return ""
	case d.DayOnly:
		return d.Time.Format(time.DateOnly)
	}
	return d.Time.Format(time.RFC3339)
}

// MarshalText returns the result of String.
func (d Date) MarshalText() ([]byte, error) { return []byte(d.String()), nil }

// UnmarshalText parses the format of String.
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
		return fmt.Errorf("article: date %q is neither 2006-01-02 nor RFC 3339", s)
	}
	*d = Date{Time: t}
	return nil
}
