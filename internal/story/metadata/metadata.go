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
	"maps"
	"time"

	"github.com/lede-news/lede/article"
	"github.com/lede-news/lede/dom"
	"github.com/lede-news/lede/internal/page/steps"
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
	// End is the last node of the body. 0 and dom.None mean unknown.
	End dom.Node
	// TitleSuffix is what the site appends to every title, if known.
	TitleSuffix string
	// Now is used to reject dates in the future, unless it is zero.
	Now time.Time
	// NoSources leaves Sources, Places and Candidates of Facts nil.
	NoSources bool
	// Steps ends the work early, with any facts. It may be nil.
	Steps *steps.Counter
}

// Facts are the metadata of an article. Unknown fields are empty.
type Facts struct {
	Title string
	// Headline is the node that shows the title, or dom.None.
	Headline dom.Node
	// Standfirst is what the page shows between headline and body, and
	// StandfirstNode the element that has it and nothing else, or dom.None.
	Standfirst     string
	StandfirstNode dom.Node
	// Description is the summary that the page declares.
	Description string
	Lang        string // BCP 47
	Site        string
	Section     string
	Canonical   string
	Authors     []article.Author
	Published   article.Date
	Modified    article.Date
	Tags        []string
	// Images are the pictures that the page declares, the main one first.
	Images []article.Image
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
	// Places has the nodes that show title, authors, published and standfirst, whatever source
	// the values came from. What the page does not show is left out.
	Places map[string]dom.Node
	// Candidates are the values that the page offers for a fact, those that lost included, by
	// fact and then by score.
	Candidates []Candidate
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
	f := Facts{Headline: dom.None, StandfirstNode: dom.None}
	if opts.Steps.Look() != nil {
		return f
	}
	from := make(map[string]string, factCount)
	f.Lang, from["lang"] = p.language()
	f.Site, from["site"] = p.siteName()
	f.Title, from["title"] = p.chooseTitle()
	f.Headline = p.headline
	f.Published, f.Modified, from["published"], from["modified"] = p.chooseDates(f.Lang)
	f.Authors, from["authors"] = p.chooseAuthors(f.Lang)
	f.Canonical, from["canonical"] = p.canonical()
	f.Images, from["lead"] = p.images()
	f.Description, from["description"] = p.candidates.first(factDescription, cleanText)
	if f.Standfirst, f.StandfirstNode = p.chooseStandfirst(); f.Standfirst != "" {
		from["standfirst"] = sourceHTML
	}
	f.Section, from["section"] = p.candidates.first(factSection, cleanName)
	f.Tags, from["tags"] = p.chooseTags()
	f.Type, from["type"] = p.candidates.first(factType, cleanText)
	if !opts.NoSources {
		maps.DeleteFunc(from, func(_, source string) bool { return source == "" })
		f.Sources = from
		f.Candidates = p.offered
		f.Places = p.places(&f)
	}
	f.Paywalled, f.LiveBlog, f.Gallery, f.Video = p.flags.paywalled(), p.flags.live, p.flags.gallery, p.isVideo()
	return f
}

// places returns Facts.Places.
func (p *page) places(f *Facts) map[string]dom.Node {
	all := map[string]dom.Node{
		"title": f.Headline, "standfirst": f.StandfirstNode, "authors": p.authorsNode(f.Authors), "published": p.dateNode,
	}
	maps.DeleteFunc(all, func(_ string, n dom.Node) bool { return n <= 0 })
	return all
}
