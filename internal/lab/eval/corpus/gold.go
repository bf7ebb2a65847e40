package corpus

import (
	"encoding/json"
	"errors"
	"net/url"
)

// Gold is the gold standard of a page. Empty fields are unknown.
type Gold struct {
	ID    string
	URL   string
	Site  string
	Lang  string
	Type  string // such as article
	Title string
	Text  string // the body
	// TitleInText means that Text begins with the headline, so that an
	// extractor's headline counts as part of its text.
	TitleInText bool `json:"title_in_text"`
	Authors     Texts
	Date        string    // as the corpus has it
	Summary     Texts     // paragraphs of the standfirst
	Sections    []Section // the body; nil if its structure is unknown
	Pictures    []Picture
	Extra       Texts // parts of the article outside its body: captions, datelines
	Comments    Texts // by readers
	With        Texts // snippets that must be in the text
	Without     Texts // snippets that must not be in the text

	page  string // file of the HTML
	where string // file and line of the gold
}

// Section is a part of a body with its sub-headings.
type Section struct {
	Headline, Paragraphs Texts
}

// Picture is a picture of an article with the URLs of all its sizes.
type Picture struct {
	URLs  Texts
	Cover bool // the lead picture
}

// Texts is a list of strings. In JSON it may also be a single string.
type Texts []string

// UnmarshalJSON implements json.Unmarshaler.
func (t *Texts) UnmarshalJSON(data []byte) error {
	var list []string
	if json.Unmarshal(data, &list) == nil {
		*t = list
		return nil
	}
	var one string
	if json.Unmarshal(data, &one) != nil {
		return errors.New("want a string or a list of strings")
	}
	if one != "" {
		*t = Texts{one}
	}
	return nil
}

// UnmarshalJSON implements json.Unmarshaler. The field author stands for authors
// where there are none.
func (g *Gold) UnmarshalJSON(data []byte) error {
	type plain Gold
	in := struct {
		*plain
		Author Texts
	}{plain: (*plain)(g)}
	if err := json.Unmarshal(data, &in); err != nil {
		return err
	}
	if len(g.Authors) == 0 {
		g.Authors = in.Author
	}
	return nil
}

// SiteName returns the site of the page: the field Site, or else the host of the
// URL, or else the ID of the page.
func (g *Gold) SiteName() string {
	if g.Site != "" {
		return g.Site
	}
	if u, err := url.Parse(g.URL); err == nil && u.Hostname() != "" {
		return u.Hostname()
	}
	return g.ID
}

// IsArticle reports whether the page is an article or of an unknown type.
func (g *Gold) IsArticle() bool { return g.Type == "" || g.Type == "article" }
