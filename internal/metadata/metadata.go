// Package metadata finds the metadata of an article: its headline, authors and
// dates, the language, the site and the main image.
//
// A page usually states each of these several times, and not always in the
// same way. One pass over the page collects candidates from JSON-LD, meta
// elements (OpenGraph and others), microdata and the visible text near the
// headline. Each field is then chosen by its own rules. For example, a visible
// headline is preferred to the title written for search engines, but a
// machine-readable date is preferred to a printed one.
//
// The package reads a [dom.Document] and nothing else, not even the clock.
package metadata

import (
	"time"

	"github.com/lede-news/lede/article"
	"github.com/lede-news/lede/dom"
)

// Options are what is already known about the page. All of them are optional.
type Options struct {
	// URL is the address of the page. Relative addresses are resolved against
	// it, and it may contain the date.
	URL string
	// Title is the headline that a method selected. 0 and dom.None mean none.
	Title dom.Node
	// Body is the first node of the body. 0 and dom.None mean unknown.
	Body dom.Node
	// TitleSuffix is what the site appends to every title, if known.
	TitleSuffix string
	// Now is used to reject dates in the future, unless it is zero.
	Now time.Time
}

// Facts are the metadata of an article. Unknown fields are empty.
type Facts struct {
	Title      string
	Standfirst string
	Lang       string // BCP 47
	Site       string
	Section    string
	Canonical  string
	Authors    []article.Author
	Published  article.Date
	Modified   article.Date
	Tags       []string
	Lead       *article.Image
	// Type is the type that the page declares: the @type of JSON-LD or og:type.
	Type string
	// Paywalled is set if readers must pay, subscribe or register.
	Paywalled bool
	// LiveBlog is set if the page declares itself a live blog.
	LiveBlog bool
	// Gallery is set if the page declares itself an image gallery.
	Gallery bool
	// Video is set if the page declares a video as its main content.
	Video bool
	// Sources maps the name of a field in lower case to its source: json-ld,
	// og, meta, microdata, time, url, html, or text if it was inferred from
	// the text.
	Sources map[string]string
}

// The values of Facts.Sources.
const (
	sourceJSONLD    = "json-ld"
	sourceOG        = "og"
	sourceMeta      = "meta"
	sourceMicrodata = "microdata"
	sourceTime      = "time"
	sourceURL       = "url"
	sourceHTML      = "html"
	sourceText      = "text"
)

// Read returns the metadata of the article on a page.
func Read(d *dom.Document, opts Options) Facts {
	p := newPage(d, opts)
	f := Facts{Sources: map[string]string{}}
	record := func(field, source string, found bool) {
		if found {
			f.Sources[field] = source
		}
	}
	var source string
	f.Lang, source = p.language()
	record("lang", source, f.Lang != "")
	f.Site, source = p.siteName()
	record("site", source, f.Site != "")
	f.Title, source = p.chooseTitle()
	record("title", source, f.Title != "")
	f.Published, f.Modified = p.chooseDates(f.Lang, record)
	f.Authors, source = p.chooseAuthors()
	record("authors", source, len(f.Authors) > 0)
	f.Canonical, source = p.canonical()
	record("canonical", source, f.Canonical != "")
	f.Lead, source = p.leadImage()
	record("lead", source, f.Lead != nil)
	f.Standfirst, source = p.candidates.first(factStandfirst, cleanText)
	record("standfirst", source, f.Standfirst != "")
	f.Section, source = p.candidates.first(factSection, cleanName)
	record("section", source, f.Section != "")
	f.Tags, source = p.chooseTags()
	record("tags", source, len(f.Tags) > 0)
	f.Type, source = p.candidates.first(factType, cleanText)
	record("type", source, f.Type != "")
	f.Paywalled, f.LiveBlog, f.Gallery, f.Video = p.flags.paywalled(), p.flags.live, p.flags.gallery, p.isVideo()
	return f
}
