package batch

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/lede-news/lede/article"
	"github.com/lede-news/lede/format"
	growing "github.com/lede-news/lede/internal/output/archive"
)

// Result is the result of one page.
type Result struct {
	Input Input // without its body
	Line  Line
	JSON  []byte // Line in JSON, with a newline at the end
	Err   error  // why the page has no article; nil if it has one
	Bytes int64  // of the page, decompressed, if it was read as a whole
	Note  any    // what Options.Prepare returned

	quarantined bool
	leftOut     bool // by Options.Revise
}

// Line is a result as written to files of JSON lines.
type Line struct {
	ID         string   `json:"id" parquet:"id"`
	URL        string   `json:"url" parquet:"url"`
	Title      string   `json:"title" parquet:"title"`
	Text       string   `json:"text" parquet:"text"` // standfirst and body, one paragraph per line
	Authors    []string `json:"authors" parquet:"authors,list"`
	Date       string   `json:"date" parquet:"date"` // RFC 3339 or a day
	Modified   string   `json:"modified" parquet:"modified"`
	Lang       string   `json:"lang" parquet:"lang,dict"`
	Site       string   `json:"site" parquet:"site,dict"`
	Images     []Image  `json:"images" parquet:"images,list"`
	Comments   []string `json:"comments" parquet:"comments,list"`
	Standfirst string   `json:"standfirst" parquet:"standfirst"`
	// Description is the summary that the page declares.
	Description string           `json:"description" parquet:"description"`
	Section     string           `json:"section" parquet:"section,dict"`
	Tags        []string         `json:"tags" parquet:"tags,list"`
	Canonical   string           `json:"canonical" parquet:"canonical"`
	NextPage    string           `json:"next_page,omitempty" parquet:"next_page"` // of an article that is split
	Lead        *Image           `json:"lead" parquet:"lead,optional"`            // nil if there is none
	Type        article.PageType `json:"type" parquet:"type,dict"`
	Confidence  float64          `json:"confidence" parquet:"confidence"`
	Method      string           `json:"method" parquet:"method,dict"`
	Form        article.Form     `json:"form,omitempty" parquet:"form,dict"`
	Paywalled   bool             `json:"paywalled,omitempty" parquet:"paywalled"`
	Partial     bool             `json:"partial,omitempty" parquet:"partial"` // the page was incomplete
	// PartialReason is why the page was incomplete, as listed in package article.
	PartialReason article.PartialReason `json:"partial_reason,omitempty" parquet:"partial_reason,dict"`
	// FoundBy is how lede follow found the story: feed, sitemap, home or section.
	FoundBy   []string `json:"found_by,omitempty" parquet:"found_by,list"`
	LinkText  string   `json:"link_text,omitempty" parquet:"link_text"`   // of the link that led to the story
	FirstSeen string   `json:"first_seen,omitempty" parquet:"first_seen"` // RFC 3339
	Changed   bool     `json:"changed,omitempty" parquet:"changed"`       // an earlier version was written before
	// CopyOf, Story and StoryScore are set with --stories: the ID of the article that
	// this one is a copy of, the ID of its story, and from 0 to 1 how well it fits.
	CopyOf     string  `json:"copy_of,omitempty" parquet:"copy_of"`
	Story      string  `json:"story,omitempty" parquet:"story"`
	StoryScore float64 `json:"story_score,omitempty" parquet:"story_score"`
	// Body is the body in the form of Options.Body: a string of Markdown or HTML, or
	// a list of blocks.
	Body json.RawMessage `json:"body,omitempty" parquet:"-"`
	// Error and Kind describe why a page has no article. If not even its title is known,
	// the line has no other fields than ID, URL and those of lede follow. Kind is a short name: crash (ErrCrash), hang
	// (ErrHang), too-large (ErrTooLarge), memory (ErrMemory), source (ErrSource),
	// status (ErrStatus), file (a *fs.PathError), one that Options.ErrorKind returns, or other.
	Error string `json:"error,omitempty" parquet:"error"`
	Kind  string `json:"kind,omitempty" parquet:"kind,dict"`
}

// Image is an image of an article.
type Image struct {
	URL     string `json:"url" parquet:"url"`
	Caption string `json:"caption" parquet:"caption"`
}

// NewLine returns the line of an article, without Body. If url is empty, it is the
// canonical URL of the article.
func NewLine(id, url string, a *article.Article) Line {
	l := Line{
		ID: id, URL: url, Title: a.Title, Text: a.Text(),
		Authors: []string{}, Images: []Image{}, Comments: []string{}, Tags: []string{},
		Standfirst: a.Standfirst, Description: a.Description, Section: a.Section, Canonical: a.Canonical, NextPage: a.NextPage,
		Date: a.Published.String(), Modified: a.Modified.String(), Lang: a.Lang, Site: a.Site,
		Type: a.Type, Confidence: a.Confidence, Method: a.Method, Form: a.Form, Paywalled: a.Paywalled,
		Partial: a.Partial, PartialReason: a.PartialReason,
	}
	if l.URL == "" {
		l.URL = a.Canonical
	}
	for _, au := range a.Authors {
		l.Authors = append(l.Authors, au.Name)
	}
	for _, im := range a.Images() {
		l.Images = append(l.Images, Image{URL: im.URL, Caption: im.Caption})
	}
	if a.Lead != nil && a.Lead.URL != "" {
		lead := l.Images[0] // it has the caption that the page may give only in the body
		l.Lead = &lead
	}
	l.Comments = append(l.Comments, a.Comments...)
	l.Tags = append(l.Tags, a.Tags...)
	return l
}

// BodyForms returns the values of Options.Body.
func BodyForms() []string { return []string{"text", "md", "html", "blocks", "cleaned"} }

func (o *Options) checkBody() error {
	if o.Body != "" && !slices.Contains(BodyForms(), o.Body) {
		return fmt.Errorf("unknown form of the body %q: use one of %s", o.Body, strings.Join(BodyForms(), ", "))
	}
	return nil
}

// newLine returns the line of an article with the body in the form of Options.Body.
func (o *Options) newLine(in *Input, a *article.Article) (l Line, err error) {
	l = NewLine(in.ID, in.URL, a)
	l.setFound(in.found)
	l.Body, err = o.encodeBody(a)
	return l, err
}

// setFound sets the fields of lede follow.
func (l *Line) setFound(f growing.Found) {
	l.URL = cmp.Or(f.URL, l.URL)
	l.FoundBy, l.LinkText, l.Changed = f.By, f.LinkText, f.Changed
	if !f.FirstSeen.IsZero() {
		l.FirstSeen = f.FirstSeen.UTC().Format(time.RFC3339)
	}
}

// encodeBody returns the body in the form of Options.Body, or nil for text.
func (o *Options) encodeBody(a *article.Article) (json.RawMessage, error) {
	var b bytes.Buffer
	switch o.Body {
	case "", "text":
		return nil, nil
	case "cleaned":
		return json.Marshal(a.Cleaned)
	case "blocks":
	default:
		if err := format.Write(&b, a, o.Body, format.Options{BodyOnly: true, Fragment: true}); err != nil {
			return nil, err
		}
		return json.Marshal(strings.TrimSuffix(b.String(), "\n"))
	}
	if err := format.JSON(&b, &article.Article{Body: a.Body}, format.Options{}); err != nil {
		return nil, err
	}
	var clean struct{ Body json.RawMessage }
	if err := json.Unmarshal(b.Bytes(), &clean); err != nil {
		return nil, err
	}
	if string(clean.Body) == "null" {
		return json.RawMessage("[]"), nil
	}
	return clean.Body, nil
}

// NewResult returns a result as Run makes it, for a page that was extracted elsewhere, with
// its body in a form of BodyForms.
func NewResult(l Line, a *article.Article, body string) (*Result, error) {
	opts := Options{Body: body}
	if err := opts.checkBody(); err != nil {
		return nil, err
	}
	var err error
	if l.Body, err = opts.encodeBody(a); err != nil {
		return nil, err
	}
	text, err := l.encode()
	return &Result{Line: l, JSON: text}, err
}

// encode returns the line in JSON, with a newline. A line with an error and no title has
// no fields of an article.
func (l *Line) encode() ([]byte, error) {
	var v any = l
	if l.Error != "" && l.Title == "" {
		v = struct {
			ID        string   `json:"id"`
			URL       string   `json:"url"`
			FoundBy   []string `json:"found_by,omitempty"`
			LinkText  string   `json:"link_text,omitempty"`
			FirstSeen string   `json:"first_seen,omitempty"`
			Changed   bool     `json:"changed,omitempty"`
			Error     string   `json:"error"`
			Kind      string   `json:"kind"`
		}{l.ID, l.URL, l.FoundBy, l.LinkText, l.FirstSeen, l.Changed, l.Error, l.Kind}
	}
	b, err := json.Marshal(v)
	return append(b, '\n'), err
}

// Host returns the host name of the page's URL without "www.". Without a URL it
// is the site that the input names, or "(none)".
func (r *Result) Host() string {
	u, err := url.Parse(r.Line.URL)
	if err != nil || u.Hostname() == "" {
		return orNone(r.Input.Site)
	}
	return strings.TrimPrefix(strings.ToLower(u.Hostname()), "www.")
}

func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }
