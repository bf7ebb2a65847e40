// Package metadata finds the facts around a story: its headline, who wrote it
// and when, the language, the site, the picture that stands for it.
//
// Pages tell these facts several times over, and not always the same. One walk
// over the page gathers what every source claims: JSON-LD, the meta elements
// (OpenGraph and its many kin), microdata, and what a reader sees near the
// headline. Then each fact is chosen by rules of its own: a visible headline
// counts for more than the title that is made for search engines, while a
// machine-readable date counts for more than a printed one.
//
// The package is pure: it reads a [dom.Document] and nothing else, not even
// the clock.
package metadata

import (
	"time"

	"github.com/lede-news/lede/article"
	"github.com/lede-news/lede/dom"
)

// Options say what is already known of the page. All of them may be left out:
// the document itself, node 0, counts as no headline and no body.
type Options struct {
	// URL is where the page was found. Relative addresses are resolved
	// against it, and it may tell the day and the site.
	URL string
	// Title is the headline that a method chose, or dom.None.
	Title dom.Node
	// Body is the first node of the body, or dom.None.
	Body dom.Node
	// TitleSuffix is what the site puts after every title, where that is known.
	TitleSuffix string
	// Now guards against dates in the future; the zero time does not.
	Now time.Time
}

// Facts is what a page tells about its story. A fact that the page does not
// tell is empty.
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
	// Type is what the page calls itself: the @type of JSON-LD or og:type.
	Type string
	// Paywalled says that the page asks its readers to pay, subscribe or
	// register for the whole story.
	Paywalled bool
	// LiveBlog says that the page calls itself a story in many dated posts.
	LiveBlog bool
	// Gallery says that the page calls itself a series of pictures.
	Gallery bool
	// Video says that the page calls a film its main thing.
	Video bool
	// Sources tells for every fact above, by its name in lower case, where it
	// came from: json-ld, og, meta, microdata, time, url, html, or text for what
	// the words themselves tell.
	Sources map[string]string
}

// The names of sources.
const (
	fromJSONLD    = "json-ld"
	fromOG        = "og"
	fromMeta      = "meta"
	fromMicrodata = "microdata"
	fromTime      = "time"
	fromURL       = "url"
	fromHTML      = "html"
	fromText      = "text"
)

// Read finds the facts around a story.
func Read(d *dom.Document, opts Options) Facts {
	p := gather(d, opts)
	f := Facts{Sources: map[string]string{}}
	note := func(field, source string, found bool) {
		if found {
			f.Sources[field] = source
		}
	}
	var from string
	f.Lang, from = p.language()
	note("lang", from, f.Lang != "")
	f.Site, from = p.siteName()
	note("site", from, f.Site != "")
	f.Title, from = p.chooseTitle()
	note("title", from, f.Title != "")
	f.Published, f.Modified = p.chooseDates(f.Lang, note)
	f.Authors, from = p.chooseAuthors(f.Site)
	note("authors", from, len(f.Authors) > 0)
	f.Canonical, from = p.canonical()
	note("canonical", from, f.Canonical != "")
	f.Lead, from = p.leadPicture()
	note("lead", from, f.Lead != nil)
	f.Standfirst, from = p.standfirst()
	note("standfirst", from, f.Standfirst != "")
	f.Section, from = p.section()
	note("section", from, f.Section != "")
	f.Tags, from = p.chooseTags()
	note("tags", from, len(f.Tags) > 0)
	f.Type, from = p.pageType()
	note("type", from, f.Type != "")
	f.Paywalled, f.LiveBlog, f.Gallery, f.Video = p.marks.paywalled(), p.marks.live, p.marks.gallery, p.isVideo()
	return f
}
