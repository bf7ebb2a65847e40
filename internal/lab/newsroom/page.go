package newsroom

import (
	"bytes"
	"cmp"
	"embed"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"html"
	"io/fs"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"text/template"
	"time"
	"unicode/utf8"
)

// A Page is one page of a site with its gold.
type Page struct {
	Path string // on the site, such as /news/story7.htm
	HTML []byte
	Gold Gold
}

//go:embed templates
var templateFiles embed.FS

// A design is the template and the style sheet of a site.
type design struct {
	tmpl *template.Template
	css  string
}

// templates has the designs of all sites. They are text templates: contextual
// escaping would drop comments and repair markup that is broken on purpose. The
// view escapes all text.
var templates = sync.OnceValue(func() map[string]design {
	shared := template.Must(template.ParseFS(templateFiles, "templates/shared/*.tmpl"))
	all := map[string]design{}
	for _, h := range allSites() {
		dir := "templates/" + h.Name
		t := template.Must(shared.Clone())
		template.Must(t.ParseFS(templateFiles, dir+"/*.tmpl"))
		css, err := fs.ReadFile(templateFiles, dir+"/style.css")
		if err != nil {
			panic("newsroom: " + err.Error())
		}
		all[h.Name] = design{t, string(css)}
	}
	return all
})

// sharedTemplates are the templates that are not those of one site.
var sharedTemplates = sync.OnceValue(func() *template.Template {
	t := template.New("").Funcs(template.FuncMap{"join": strings.Join, "upper": strings.ToUpper, "json": toJSON})
	return template.Must(t.ParseFS(templateFiles, "templates/*.tmpl"))
})

// toJSON returns a value as JSON.
func toJSON(x any) (string, error) {
	data, err := json.Marshal(x)
	return string(data), err
}

// execute executes a shared template.
func execute(name string, data any) []byte { return run(sharedTemplates(), name, data) }

// run executes a template. A template that fails is a bug of this package.
func run(t *template.Template, name string, data any) []byte {
	var out bytes.Buffer
	if err := t.ExecuteTemplate(&out, name, data); err != nil {
		panic("newsroom: " + err.Error())
	}
	return out.Bytes()
}

// Page returns article i of the site, for any i from 0 on.
func (s *Site) Page(i int) Page {
	v := newView(s, "")
	v.st, v.r, v.recent = s.story(i), s.stream(streamBoilerplate, i), s.recent()
	page := v.page(fmt.Sprintf("%s-%06d", s.Name, i), "article", s.path(v.st), v.st.title)
	page.Gold.With = with(v.lines)
	page.Gold.Without = page.Gold.without(v.r, v.shown)
	return page
}

// Index returns a page of headlines: the home page for "", or that of a section
// (see [Site.Sections]). For an unknown section it returns the zero Page.
func (s *Site) Index(section string) Page {
	v := newView(s, "")
	v.r, v.recent = s.stream(streamBoilerplate, -1-int(hash(section)>>1)), s.recent()
	if section == "" {
		return v.page(s.Name+"-home", "index", "/", s.Title)
	}
	for _, x := range s.sections {
		if x.Slug == section {
			v.section = x
			return v.page(s.Name+"-section-"+section, "index", "/"+section+"/", x.Label)
		}
	}
	return Page{}
}

// page generates the page of the view from the template of its kind.
func (v *view) page(id, kind, path, title string) Page {
	v.gold.ID, v.gold.URL, v.gold.Type, v.gold.Title = id, v.origin()+path, kind, title
	v.Headline, v.Canonical = html.EscapeString(title), html.EscapeString(v.gold.URL)
	page := Page{Path: path, HTML: v.write(kind)}
	v.gold.Text = strings.Join(v.lines, "\n")
	page.Gold = v.gold
	return page
}

// write executes the template of the site, or one that shows its look.
func (v *view) write(name string) []byte {
	if v.Site.look == nil {
		page := run(v.Site.tmpl, name, v)
		if v.Site.config.ASCII {
			return ascii(page)
		}
		return page
	}
	r := v.r
	if v.st != nil {
		r = v.Site.stream(streamBoxes, v.st.i)
	}
	return execute("cluttered-"+name, &sheet{look: v.Site.look, V: v, r: r})
}

// ascii writes all other characters as numeric references, so that the page is
// the same whatever charset its meta element names.
func ascii(src []byte) []byte {
	var out bytes.Buffer
	for _, c := range string(src) {
		if c < utf8.RuneSelf {
			out.WriteByte(byte(c))
		} else {
			fmt.Fprintf(&out, "&#%d;", c)
		}
	}
	return out.Bytes()
}

// A view is the data of a template. Its methods return escaped text and record
// in the gold what the template shows: a site whose template shows no byline
// has no authors in its gold.
type view struct {
	Site      *Site
	CSS       string
	Base      string // prefix of addresses inside the site
	Masthead  string // name of the site
	Headline  string // title of the story or of the section
	Canonical string // absolute address of the page

	st      *story  // nil on an index page
	section section // of an index page; zero for the home page
	r       *rand.Rand
	gold    Gold
	shown   []string // boilerplate, for Gold.Without
	body    []*block
	lines   []string
	pics    int
	recent  []*story // that boxes list, the newest first
	root    string   // start of absolute addresses, if it is not that of the site
}

func newView(s *Site, base string) *view {
	return &view{Site: s, CSS: s.css, Base: base, Masthead: html.EscapeString(s.Title), gold: Gold{Site: s.Name, Lang: s.Lang}}
}

// origin returns the start of absolute addresses.
func (v *view) origin() string { return cmp.Or(v.root, "https://"+v.Site.Host) }

// UI returns a label in the language of the site.
func (v *view) UI(key string) string {
	label, ok := v.Site.grammar.ui[key]
	if !ok {
		panic("newsroom: no label " + key)
	}
	return html.EscapeString(label)
}

// Noise returns a label that is not part of the story.
func (v *view) Noise(key string) string {
	label := v.UI(key)
	v.noise(v.Site.grammar.ui[key])
	return label
}

func (v *view) noise(text string) { v.shown = append(v.shown, text) }
func (v *view) extra(text string) { v.gold.Extra = append(v.gold.Extra, text) }

// Kicker returns the line above the headline.
func (v *view) Kicker() string {
	v.extra(v.st.kicker)
	return html.EscapeString(v.st.kicker)
}

// Standfirst returns the summary under the headline.
func (v *view) Standfirst() string {
	v.gold.Standfirst = v.st.standfirst
	return html.EscapeString(v.st.standfirst)
}

// Summary returns the standfirst for a meta element, which is not visible.
func (v *view) Summary() string { return html.EscapeString(v.st.standfirst) }

// Authors returns the names in the byline.
func (v *view) Authors() []link {
	v.gold.Authors = v.st.authors
	return v.links("author", v.st.authors)
}

// links returns links to the pages of authors or topics.
func (v *view) links(kind string, names []string) []link {
	var links []link
	for _, name := range names {
		links = append(links, link{Title: html.EscapeString(name), URL: v.Base + "/" + kind + "/" + slugOrHash(name) + "/"})
	}
	return links
}

// Byline returns the authors as one string.
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

// Date returns the date of publication in the format of the site.
func (v *view) Date() string {
	v.gold.Date = v.st.date.Format(time.RFC3339)
	return html.EscapeString(v.Site.grammar.formatDate(v.st.date, v.Site.config.Date))
}

// DateISO returns the date of publication in RFC 3339.
func (v *view) DateISO() string { return v.st.date.Format(time.RFC3339) }

// Updated returns the date of the last change, empty if there was none.
func (v *view) Updated() string {
	if v.st.modified.IsZero() {
		return ""
	}
	return html.EscapeString(v.Site.grammar.formatDate(v.st.modified, v.Site.config.Date))
}

// UpdatedISO returns the date of the last change, or of publication, in RFC
// 3339.
func (v *view) UpdatedISO() string {
	if v.st.modified.IsZero() {
		return v.DateISO()
	}
	return v.st.modified.Format(time.RFC3339)
}

// Section returns the section of the page.
func (v *view) Section() link {
	if v.st == nil {
		return v.sectionLink(v.section)
	}
	return v.sectionLink(v.st.section)
}

// Tags returns the topics of the story.
func (v *view) Tags() []link {
	return v.links("tag", v.st.tags)
}

// Body returns the blocks of the story and those between them.
func (v *view) Body() []*block {
	if v.body == nil {
		v.body = v.writeBody()
		for _, b := range v.body {
			v.lines = append(v.lines, b.lines()...)
		}
	}
	return v.body
}

// Part returns the k-th of n parts of the body, for sites that split it. The
// first is the first paragraph.
func (v *view) Part(k, n int) []*block {
	all := v.Body()
	if k == 1 {
		return all[:1]
	}
	rest := all[1:]
	return rest[len(rest)*(k-2)/(n-1) : len(rest)*(k-1)/(n-1)]
}

// Render executes the template of the block's kind.
func (v *view) Render(b *block) string { return string(run(v.Site.tmpl, b.Kind, b)) }

// ViewState returns the value of a hidden form field.
func (v *view) ViewState() string {
	raw := make([]byte, 300)
	for i := range raw {
		raw[i] = byte(v.r.Uint32())
	}
	return base64.StdEncoding.EncodeToString(raw)
}

// IsIndex reports whether the page is an index of headlines.
func (v *view) IsIndex() bool { return v.st == nil }

// Number returns the number of the story.
func (v *view) Number() int { return v.st.i }

// Odd reports whether the number of the story is odd, for sites with two page
// designs.
func (v *view) Odd() bool { return v.st.i%2 == 1 }

// JSONLD returns the story as linked data. Its contents count as shown.
func (v *view) JSONLD() string {
	v.Authors()
	v.Date()
	return strings.TrimSpace(string(execute("linked data", map[string]any{
		"Title": v.st.title, "Summary": v.st.standfirst, "URL": v.gold.URL, "Published": v.DateISO(), "Modified": v.UpdatedISO(),
		"Section": v.st.section.Label, "Tags": v.st.tags, "Image": v.LeadURL(), "Authors": v.st.authors, "Publisher": v.Site.Title,
	})))
}

// Dateline returns the dateline of a wire story.
func (v *view) Dateline() string {
	town := cmp.Or(strings.ToUpper(v.st.facts["town#1"]), "NORTHCAPE")
	d := town + ", " + v.Site.grammar.formatDate(v.st.date, "%B %d") + " (" + v.Site.config.Dateline + ") -"
	v.extra(d)
	return d
}

// Wire returns the body broken into lines, as on a teleprinter.
func (v *view) Wire(width int) string {
	var paragraphs []string
	for i, b := range v.Body() {
		text := b.Text
		if i == 0 {
			text = v.Dateline() + " " + text
		}
		line, lines := "  ", []string(nil)
		for _, word := range strings.Fields(text) {
			if utf8.RuneCountInString(line+" "+word) > width {
				lines, line = append(lines, line), word
			} else {
				line += " " + word
			}
		}
		paragraphs = append(paragraphs, strings.Join(append(lines, line), "\n"))
	}
	return html.EscapeString(strings.Join(paragraphs, "\n\n"))
}

// Gold is what an extractor should find on a page, in the form of a line of a
// corpus.
type Gold struct {
	ID         string   `json:"id"`
	URL        string   `json:"url"`
	Site       string   `json:"site"`
	Lang       string   `json:"lang"`
	Type       string   `json:"type"` // article or index
	Title      string   `json:"title"`
	Standfirst string   `json:"standfirst,omitempty"`
	Text       string   `json:"text"` // body only, one block on each line; the cells of a table row are separated by tabs
	Authors    []string `json:"authors,omitempty"`
	Date       string   `json:"date,omitempty"`  // RFC 3339
	Extra      []string `json:"extra,omitempty"` // captions, credits, datelines, kickers, pull quotes: part of the story, not of the body
	Comments   []string `json:"comments,omitempty"`
	With       []string `json:"with,omitempty"`    // snippets that must appear in the text
	Without    []string `json:"without,omitempty"` // snippets of the page that must not appear
	Links      []Link   `json:"links,omitempty"`   // headlines of an index page
}

// A Link is a headline on an index page.
type Link struct {
	URL   string `json:"url"`
	Title string `json:"title"`
}

const (
	maxWith    = 5
	maxWithout = 6
)

// with returns snippets of lines from all parts of the text.
func with(lines []string) []string {
	var snippets []string
	step := max(1, (len(lines)+maxWith-1)/maxWith)
	for i := 0; i < len(lines); i += step {
		if s := snippet(lines[i]); len(s) >= 12 && !slices.Contains(snippets, s) {
			snippets = append(snippets, s)
		}
	}
	return snippets
}

// snippet returns the start of a line up to the end of a word.
func snippet(line string) string {
	line, _, _ = strings.Cut(line, "\t")
	if utf8.RuneCountInString(line) <= 48 {
		return line
	}
	cut := string([]rune(line)[:48])
	if i := strings.LastIndexByte(cut, ' '); i > 0 {
		return cut[:i]
	}
	return string([]rune(cut)[:18]) // a script without spaces between words
}

// without returns some of the boilerplate on the page, none of it so short that
// it could occur in the story by chance.
func (g *Gold) without(r *rand.Rand, shown []string) []string {
	story := strings.Join(append([]string{g.Text, g.Title, g.Standfirst}, g.Extra...), "\n")
	var snippets []string
	for _, k := range r.Perm(len(shown)) {
		s := shown[k]
		if len(s) >= 12 && !strings.Contains(story, s) && !slices.Contains(snippets, s) {
			snippets = append(snippets, s)
		}
		if len(snippets) == maxWithout {
			break
		}
	}
	return snippets
}
