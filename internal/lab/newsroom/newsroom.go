// Package newsroom generates made-up news sites for tests, demos and load tests.
//
// A [Newsroom] has a fixed set of sites, each with its own template, style sheet,
// language and bad habits: a table layout of 2008, a form around the whole page,
// hashed class names, a live blog that never closes its paragraphs. Every page
// comes with its [Gold], what an extractor should find on it, in the form of the
// corpora. The gold is recorded while the template runs, so that it has exactly
// what the page shows.
//
// The same seed gives the same bytes on any machine. A page is generated on demand
// from seed, site and number, so that a site has any number of pages and none is
// kept in memory.
//
// People, places, papers and companies are invented; hosts end in .example.
package newsroom

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"sync"
	"text/template"
	"time"
)

// A Newsroom is the set of sites of one seed.
type Newsroom struct{ sites []*Site }

// Sites returns the names of all sites in a stable order.
func Sites() []string {
	var names []string
	for _, h := range siteList() {
		names = append(names, h.Name)
	}
	return names
}

// New returns the newsroom of a seed.
func New(seed uint64) *Newsroom { return newRoom(siteList(), seed) }

func newRoom(list []siteConfig, seed uint64) *Newsroom {
	n := &Newsroom{}
	for _, c := range list {
		n.sites = append(n.sites, newSite(c, seed))
	}
	return n
}

// Sites returns the sites in a stable order: for New, that of [Sites].
func (n *Newsroom) Sites() []*Site { return slices.Clone(n.sites) }

// Select returns the sites of the given names, all if there are none.
func (n *Newsroom) Select(names ...string) ([]*Site, error) {
	if len(names) == 0 {
		return n.Sites(), nil
	}
	var sites []*Site
	for _, name := range names {
		s, ok := n.Site(name)
		if !ok {
			var all []string
			for _, s := range n.sites {
				all = append(all, s.Name)
			}
			return nil, fmt.Errorf("newsroom: no site %q; available sites: %s", name, strings.Join(all, ", "))
		}
		sites = append(sites, s)
	}
	return sites, nil
}

// Site returns the site of the given name.
func (n *Newsroom) Site(name string) (*Site, bool) {
	for _, s := range n.sites {
		if s.Name == name {
			return s, true
		}
	}
	return nil, false
}

// pagesPerSite is the number of stories that the home page of a site lists. The number
// of pages is not limited.
const pagesPerSite = 40

// A Site is one made-up news site. It is safe for use by several goroutines.
type Site struct {
	Name    string // a slug, also the prefix of page ids
	Title   string // as on the masthead
	Lang    string
	Country string // ISO 3166, lower case
	Host    string // such as www.marston-gazette.example

	config   siteConfig
	grammar  *grammar
	sections []section
	zone     *time.Location
	tmpl     *template.Template
	css      string
	seed     uint64
	recent   func() []*story // the stories that the site lists; read only
	look     *look           // of a cluttered site
	press    *PressSite      // of a site that publishes over time
}

// siteConfig is an entry of data/sites.json or data/microblogs.json. A number such as Ad is that of the
// paragraphs from one advertisement to the next, 0 for none.
type siteConfig struct {
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
	Post                       int  // the most characters of a post of a microblog; 0 on other sites
	Cluttered                  bool // has a generated design and no template
}

type section struct{ Slug, Label string }

var siteList = sync.OnceValue(func() []siteConfig { return readSites("sites.json") })

// allSites returns the sites that have templates: news sites and microblogs.
func allSites() []siteConfig { return slices.Concat(siteList(), microblogList()) }

func readSites(file string) []siteConfig {
	var list []siteConfig
	if err := json.Unmarshal([]byte(readData(file)), &list); err != nil {
		panic("newsroom: " + file + ": " + err.Error())
	}
	return list
}

func newSite(c siteConfig, seed uint64) *Site {
	g := grammars()[c.Lang]
	s := &Site{
		Name: c.Name, Title: c.Title, Lang: c.Lang, Country: c.Country,
		Host:    "www." + c.Name + ".example",
		config:  c,
		grammar: g,
		zone:    time.FixedZone("", c.Zone*60),
		tmpl:    templates()[c.Name].tmpl,
		css:     templates()[c.Name].css,
		seed:    seed,
	}
	if c.Cluttered {
		s.look = newLook(s)
		s.look.configure(&s.config)
	}
	for i := range g.rules["sections"] {
		s.sections = append(s.sections, section{g.name("sections", i, 1), g.name("sections", i, 2)})
	}
	s.recent = sync.OnceValue(func() []*story {
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

// path returns the address of a story on its site.
func (s *Site) path(st *story) string {
	if s.press != nil {
		return s.press.path(st)
	}
	return expand(s.config.Path, st, "{i}", strconv.Itoa(st.i), "{slug}", slug(st.title), "{section}", st.section.Slug)
}

// expand fills the slots of an address: those of the date and others, each followed by its text.
func expand(pattern string, st *story, slots ...string) string {
	slots = append(slots, "{yyyy}", st.date.Format("2006"), "{mm}", st.date.Format("01"), "{dd}", st.date.Format("02"))
	return strings.NewReplacer(slots...).Replace(pattern)
}

// The parts of a page have their own streams of random numbers, so that the
// headline of a page can be generated without its body.
const (
	streamStory = iota
	streamBody
	streamBoilerplate
	streamStaff
	streamLook
	streamBoxes
	streamDay
)

// stream returns the random numbers for one part of page i.
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

// hash is FNV-1a. It is written out here because it must never change.
func hash(s string) uint64 {
	h := uint64(fnvOffset)
	for i := range len(s) {
		h = (h ^ uint64(s[i])) * fnvPrime
	}
	return h
}

// oneIn returns true once in n times, and never for n <= 0.
func oneIn(r *rand.Rand, n int) bool { return n > 0 && r.IntN(n) == 0 }
