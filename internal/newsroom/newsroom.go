// Package newsroom makes up news sites for tests, demos and load.
//
// A [Newsroom] holds a fixed set of sites, each with its own template, style
// sheet, language and bad habits: a table layout of 2008, a whole-page form,
// hashed class names, a live blog that never closes its paragraphs. Every page
// comes with its [Gold], what an extractor should find on it, in the form of
// the corpora: it is written down while the template runs, so that the gold
// holds what the page shows and nothing else.
//
// All is deterministic: the same seed gives the same bytes on any machine, and
// the clock is never read. A page is made on demand from seed, site and number,
// so that a site has as many pages as are asked for and none is kept in memory.
//
// People, places, papers and firms are invented; hosts end in .example.
package newsroom

import (
	"encoding/json"
	"math/rand/v2"
	"strconv"
	"strings"
	"sync"
	"text/template"
	"time"
)

// A Newsroom is the set of sites grown from one seed.
type Newsroom struct {
	sites  []*Site
	byName map[string]*Site
	byHost map[string]*Site
}

// Sites returns the names of all sites in a stable order.
func Sites() []string {
	var names []string
	for _, h := range siteList() {
		names = append(names, h.Name)
	}
	return names
}

// New returns the newsroom of the seed.
func New(seed uint64) *Newsroom {
	n := &Newsroom{byName: map[string]*Site{}, byHost: map[string]*Site{}}
	for _, h := range siteList() {
		s := newSite(h, seed)
		n.sites = append(n.sites, s)
		n.byName[s.Name] = s
		n.byHost[s.Host] = s
	}
	return n
}

// Sites returns the sites in the order of [Sites].
func (n *Newsroom) Sites() []*Site { return append([]*Site(nil), n.sites...) }

// Site returns the site of that name.
func (n *Newsroom) Site(name string) (*Site, bool) {
	s, ok := n.byName[name]
	return s, ok
}

// pagesPerSite is how many stories the home pages, feeds and sitemaps of a site
// know; Page goes on for ever.
const pagesPerSite = 40

// A Site is one made-up news site. It is safe for use by several goroutines.
type Site struct {
	Name    string // slug, also the path prefix and the start of every id
	Title   string // as on the masthead
	Lang    string
	Country string // ISO 3166, lower case
	Host    string // such as www.marston-gazette.example
	RTL     bool

	habits   habits
	grammar  *grammar
	sections []section
	zone     *time.Location
	tmpl     *template.Template
	css      string
	seed     uint64
	address  phrase          // habits.Path, cut at its slots
	shelf    func() []*story // the stories that the site's lists know; read only
}

// habits are the entries of data/sites.json. A count such as Ad says after how
// many paragraphs the thing comes, zero for never.
type habits struct {
	Name, Title, Lang, Country string
	Zone                       int    // minutes east of Greenwich
	Path                       string // of an article, with {i}
	Date                       string // pattern for formatDate
	Img                        string // extension of the pictures
	LeadWidth, BodyWidth       int    // of the pictures; 960 and 720 if zero
	ASCII                      bool   // write other characters as numbers
	Inline                     string // markup inside paragraphs: lower, upper, span, none
	Subhead, Picture, Ad       int
	More, Pull                 int
	Newsletter, Video, Live    bool
	Modified                   bool
	Extras                     []string
	Always                     bool // show every extra on every page
	Comments                   int
	Dateline                   string
	Feed                       string
}

type section struct{ Slug, Label string }

var siteList = sync.OnceValue(func() []habits {
	src, err := dataFiles.ReadFile("data/sites.json")
	if err != nil {
		panic("newsroom: " + err.Error())
	}
	var list []habits
	if err := json.Unmarshal(src, &list); err != nil {
		panic("newsroom: data/sites.json: " + err.Error())
	}
	return list
})

func newSite(h habits, seed uint64) *Site {
	g := grammars()[h.Lang]
	s := &Site{
		Name: h.Name, Title: h.Title, Lang: h.Lang, Country: h.Country,
		Host:    "www." + h.Name + ".example",
		RTL:     h.Lang == "ar" || h.Lang == "he",
		habits:  h,
		grammar: g,
		zone:    time.FixedZone("", h.Zone*60),
		tmpl:    templates()[h.Name].tmpl,
		css:     templates()[h.Name].css,
		seed:    seed,
	}
	for i := range g.rules["sections"] {
		s.sections = append(s.sections, section{g.name("sections", i, 1), g.name("sections", i, 2)})
	}
	var err error
	if s.address, err = parsePhrase(h.Path); err != nil {
		panic("newsroom: path of " + h.Name + ": " + err.Error())
	}
	s.shelf = sync.OnceValue(func() []*story {
		list := make([]*story, pagesPerSite)
		for i := range list {
			list[i] = s.story(i)
		}
		return list
	})
	return s
}

// Sections returns the slugs of the section pages, for [Site.Index].
func (s *Site) Sections() []string {
	var slugs []string
	for _, x := range s.sections {
		slugs = append(slugs, x.Slug)
	}
	return slugs
}

// path gives the address of a story on its site.
func (s *Site) path(st *story) string {
	var b strings.Builder
	for _, x := range s.address {
		switch x.rule {
		case "":
			b.WriteString(x.text)
		case "i":
			b.WriteString(strconv.Itoa(st.i))
		case "slug":
			b.WriteString(slug(st.title))
		case "section":
			b.WriteString(st.section.Slug)
		case "yyyy":
			b.WriteString(st.date.Format("2006"))
		case "mm":
			b.WriteString(st.date.Format("01"))
		case "dd":
			b.WriteString(st.date.Format("02"))
		default:
			panic("newsroom: path of " + s.Name + ": unknown slot " + x.rule)
		}
	}
	return b.String()
}

// longestPath is more than any story's; it bounds the work of find.
const longestPath = 300

// find returns the number of the story at a path.
func (s *Site) find(path string) (int, bool) {
	if len(path) > longestPath {
		return 0, false
	}
	// A title may hold numbers too, so every run of digits is tried, the last first.
	for end := len(path); end > 0; {
		for end > 0 && !isDigit(path[end-1]) {
			end--
		}
		start := end
		for start > 0 && isDigit(path[start-1]) {
			start--
		}
		if i, err := strconv.Atoi(path[start:end]); err == nil && s.path(s.story(i)) == path {
			return i, true
		}
		end = start
	}
	return 0, false
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

// streams of one page: each part of a page draws from its own, so that the
// headline of a page is known without writing its body.
const (
	streamStory = iota
	streamBody
	streamFurniture
	streamStaff
)

// stream returns the random numbers for one part of page i of a site.
func (s *Site) stream(part, i int) *rand.Rand {
	h := hash(s.Name)
	h = (h ^ uint64(part)) * fnvPrime
	h = (h ^ uint64(i)) * fnvPrime
	return rand.New(rand.NewPCG(s.seed, h))
}

const (
	fnvOffset = 14695981039346656037
	fnvPrime  = 1099511628211
)

// hash is FNV-1a; it is spelled out because it must never change with a library.
func hash(s string) uint64 {
	h := uint64(fnvOffset)
	for i := range len(s) {
		h = (h ^ uint64(s[i])) * fnvPrime
	}
	return h
}

// chance is true once in n times, never for n <= 0.
func chance(r *rand.Rand, n int) bool { return n > 0 && r.IntN(n) == 0 }
