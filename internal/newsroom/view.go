package newsroom

import (
	"encoding/base64"
	"html"
	"math/rand/v2"
	"strings"
	"time"
)

// A view is what a template sees. Its methods give text that is already escaped,
// and write into the gold what the template shows: a site whose template shows
// no byline has no authors in its gold.
type view struct {
	Site  *Site
	CSS   string
	base  string // prefix of the addresses inside the site
	st    *story // nil on an index page
	front section
	r     *rand.Rand
	gold  Gold
	shown []string // furniture, for the snippets that must not appear
	body  []*block
	lines []string
	pics  int
}

func newView(s *Site, base string) *view {
	return &view{Site: s, CSS: s.css, base: base, gold: Gold{Site: s.Name, Lang: s.Lang, Country: s.Country}}
}

// Base is what comes before every address inside the site.
func (v *view) Base() string { return v.base }

// Masthead is the name of the site.
func (v *view) Masthead() string { return html.EscapeString(v.Site.Title) }

// Canonical is the absolute address of the page.
func (v *view) Canonical() string { return html.EscapeString(v.gold.URL) }

// UI is a label in the language of the site.
func (v *view) UI(key string) string {
	label, ok := v.Site.grammar.ui[key]
	if !ok {
		panic("newsroom: no label " + key)
	}
	return html.EscapeString(label)
}

// Noise is a label that no extractor should take for the story.
func (v *view) Noise(key string) string {
	label := v.UI(key)
	v.noise(v.Site.grammar.ui[key])
	return label
}

func (v *view) noise(text string) { v.shown = append(v.shown, text) }
func (v *view) extra(text string) { v.gold.Extra = append(v.gold.Extra, text) }

// Headline is the title of the story or of the section.
func (v *view) Headline() string { return html.EscapeString(v.gold.Title) }

// Kicker is the line above the headline.
func (v *view) Kicker() string {
	v.extra(v.st.kicker)
	return html.EscapeString(v.st.kicker)
}

// Standfirst is the summary under the headline.
func (v *view) Standfirst() string {
	v.gold.Standfirst = v.st.standfirst
	return html.EscapeString(v.st.standfirst)
}

// Summary is the same for a meta element, which readers do not see.
func (v *view) Summary() string { return html.EscapeString(v.st.standfirst) }

// Authors are the names in the byline.
func (v *view) Authors() []link {
	v.gold.Authors = v.st.authors
	var links []link
	for _, a := range v.st.authors {
		links = append(links, link{Title: html.EscapeString(a), URL: v.base + "/author/" + slugOr(a) + "/"})
	}
	return links
}

// Byline is the authors in one string.
func (v *view) Byline() string {
	var names []string
	for _, a := range v.Authors() {
		names = append(names, a.Title)
	}
	if v.Site.grammar.ui["space"] == "no" {
		return strings.Join(names, v.UI("and"))
	}
	return strings.Join(names, " "+v.UI("and")+" ")
}

// Date is the time of publication as the site writes it.
func (v *view) Date() string {
	v.gold.Date = v.st.date.Format(time.RFC3339)
	return html.EscapeString(v.Site.grammar.formatDate(v.st.date, v.Site.habits.Date))
}

// DateISO is the same for machines.
func (v *view) DateISO() string { return v.st.date.Format(time.RFC3339) }

// Updated is the time of the last change, empty when there was none.
func (v *view) Updated() string {
	if v.st.modified.IsZero() {
		return ""
	}
	v.gold.Modified = v.st.modified.Format(time.RFC3339)
	return html.EscapeString(v.Site.grammar.formatDate(v.st.modified, v.Site.habits.Date))
}

// UpdatedISO is the same for machines.
func (v *view) UpdatedISO() string {
	if v.st.modified.IsZero() {
		return v.DateISO()
	}
	return v.st.modified.Format(time.RFC3339)
}

// Section is the part of the paper to which the page belongs.
func (v *view) Section() link {
	if v.st == nil {
		return v.sectionLink(v.front)
	}
	v.gold.Section = v.st.section.Label
	return v.sectionLink(v.st.section)
}

// Tags are the topics of the story.
func (v *view) Tags() []link {
	v.gold.Topics = v.st.tags
	var links []link
	for _, t := range v.st.tags {
		links = append(links, link{Title: html.EscapeString(t), URL: v.base + "/tag/" + slugOr(t) + "/"})
	}
	return links
}

// Body is the column of text, with all that the site puts in between.
func (v *view) Body() []*block {
	if v.body == nil {
		v.body = v.compose()
		for _, b := range v.body {
			v.lines = append(v.lines, b.lines()...)
		}
	}
	return v.body
}

// Part is the k-th of n pieces of the body, for sites that tear it apart. The
// first is the opening paragraph alone.
func (v *view) Part(k, n int) []*block {
	all := v.Body()
	if k == 1 {
		return all[:1]
	}
	rest := all[1:]
	return rest[len(rest)*(k-2)/(n-1) : len(rest)*(k-1)/(n-1)]
}

// Render runs the template of the block's kind.
func (v *view) Render(b *block) (string, error) {
	var out strings.Builder
	err := v.Site.tmpl.ExecuteTemplate(&out, b.Kind, b)
	return out.String(), err
}

// ViewState is the sort of thing that forms carry about.
func (v *view) ViewState() string {
	raw := make([]byte, 300)
	for i := range raw {
		raw[i] = byte(v.r.Uint32())
	}
	return base64.StdEncoding.EncodeToString(raw)
}

// IsIndex reports whether the page is one of headlines.
func (v *view) IsIndex() bool { return v.st == nil }

// Number is the running number of the story.
func (v *view) Number() int { return v.st.i }

// Odd is true for every other story, for sites with two ways of doing things.
func (v *view) Odd() bool { return v.st.i%2 == 1 }
