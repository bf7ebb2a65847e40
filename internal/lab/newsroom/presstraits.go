package newsroom

import (
	"net/http"
	"slices"
	"strings"
	"sync"
)

// pressWords has the names of sites and labels that only front pages have.
var pressWords = sync.OnceValue(func() *grammar {
	g, err := parseGrammar(readData("press.txt"))
	if err != nil {
		panic("newsroom: press.txt: " + err.Error())
	}
	return g
})

// label returns a label of front pages in the language of the site.
func (s *PressSite) label(key string) string {
	if l, ok := pressWords().ui[s.Lang+" "+key]; ok {
		return l
	}
	panic("newsroom: press.txt: no label " + s.Lang + " " + key)
}

// traits are what a site is like, besides its design.
type traits struct {
	style     addressStyle
	rate      int // stories a day
	home      int // stories on the home page
	layout    int // of front pages
	absolute  bool
	canonical string // yes, none, home (for every page), https

	feed         string // rss, atom, rdf, json; empty for none
	feedPath     string
	feedDeclared bool
	feedLength   int
	feedFault    string // charset, header, ampersand; empty for none
	feedTracking bool
	commentFeed  bool

	sitemap         string // one, index, gz, text; empty for none
	sitemapPath     string
	sitemapDeclared bool // in robots.txt
	newsSitemap     bool
	lastmod         bool
	listsPages      bool // the sitemap lists sections and tags too

	validators string // both, etag, weak, modified, none, dynamic
	gzip       bool
	gone       int // status of deleted stories; 200 is a soft 404

	noRobots   bool // robots.txt is a 404
	disallow   []string
	crawlDelay int // seconds

	amp, ampLinks, mobile, print bool
	oldAddresses, oldLinks       bool // addresses of an earlier system redirect
	sessions                     bool // session ids in addresses
	tracking                     bool // tracking parameters on teasers
	second                       bool // some stories are in two sections
	calendar, galleries, videos  bool
	partners, sponsored          bool
}

// draw draws the traits of the site.
func (s *PressSite) draw() traits {
	t := traits{
		style:    s.drawStyle(),
		rate:     4 + s.choose("rate", 9),
		home:     15 + s.choose("home", 26),
		layout:   s.choose("layout", frontLayouts),
		absolute: s.is("absolute", 40),
		gzip:     s.is("gzip", 35),
		gone:     []int{http.StatusNotFound, http.StatusNotFound, http.StatusGone, http.StatusOK}[s.choose("gone", 4)],

		amp: s.is("amp", 25), mobile: s.is("mobile", 15), print: s.is("print", 25),
		oldAddresses: s.is("old", 20),
		sessions:     s.n%25 == 11,
		tracking:     s.is("tracking", 25),
		calendar:     s.is("calendar", 12),
		galleries:    s.is("galleries", 12),
		videos:       s.is("videos", 10),
		partners:     s.is("partners", 30),
		sponsored:    s.is("sponsored", 60),
	}
	if n := s.press.opts.StoriesPerDay; n > 0 {
		t.rate = n
	}
	t.home = max(t.home, t.rate+4) // a story stays for a day
	t.canonical = pick(s, "canonical", []string{"yes", "yes", "yes", "yes", "yes", "yes", "none", "none", "none"})
	switch s.n % 25 {
	case 6:
		t.canonical = "home"
	case 18:
		t.canonical = "https"
	}
	t.ampLinks = t.amp && s.is("amp links", 20)
	t.oldLinks = t.oldAddresses && s.is("old links", 20)
	s.drawFeed(&t)
	s.drawSitemap(&t)
	s.drawRobots(&t)
	t.second = t.style.hasSection && !t.forbidsSection() && s.is("second", 25)
	t.validators = pick(s, "validators", []string{"both", "both", "both", "both", "etag", "weak", "modified", "modified", "none"})
	if s.n%50 == 7 {
		t.validators = "dynamic"
	}
	if t.sessions {
		t.validators = "none"
	}
	return t
}

func pick(s *PressSite, name string, list []string) string { return list[s.choose(name, len(list))] }

// has reports whether the site lists its stories in a way; percent is the share
// of sites that do if the options do not say.
func (s *PressSite) has(way Ways, percent int) bool {
	if s.press.opts.Ways == 0 {
		return s.is("way "+string(rune('0'+way)), percent)
	}
	return s.press.opts.Ways&way != 0
}

func (s *PressSite) drawFeed(t *traits) {
	if !s.has(Feeds, 88) {
		return
	}
	t.feed = pick(s, "feed", []string{"rss", "rss", "rss", "atom", "atom", "rdf", "json"})
	t.feedDeclared = s.is("feed declared", 80)
	t.feedPath = pick(s, "feed path", map[string][]string{
		"rss":  {"/feed", "/rss.xml", "/feed.xml", "/rss", "/feed/"},
		"atom": {"/atom.xml", "/feed", "/feed.xml"},
		"rdf":  {"/index.rdf", "/rss", "/index.xml"},
		"json": {"/feed.json"},
	}[t.feed])
	if t.feedDeclared && t.feed != "json" && s.is("odd feed path", 40) {
		t.feedPath = pick(s, "odd feed", []string{"/feeds/all.xml", "/xml/news.aspx", "/rss/frontpage", "/export/rss2/index.xml"})
	}
	t.feedLength = []int{20, 20, 30, 50}[s.choose("feed length", 4)]
	t.feedLength = max(t.feedLength, t.rate+8)
	if t.feed != "json" {
		t.feedFault = pick(s, "feed fault", []string{"", "", "", "", "", "", "", "charset", "header", "ampersand"})
	}
	t.feedTracking = s.is("feed tracking", 20)
	t.commentFeed = t.feedDeclared && s.is("comment feed", 25)
}

func (s *PressSite) drawSitemap(t *traits) {
	if !s.has(Sitemaps, 80) {
		return
	}
	t.sitemap = pick(s, "sitemap", []string{"one", "one", "index", "index", "gz", "text"})
	t.sitemapDeclared = s.is("sitemap declared", 65)
	t.sitemapPath = "/sitemap.xml"
	if t.sitemapDeclared {
		t.sitemapPath = pick(s, "sitemap path", map[string][]string{
			"one":   {"/sitemap.xml", "/sitemaps/all.xml", "/map"},
			"index": {"/sitemap.xml", "/sitemap_index.xml", "/sitemaps/index.xml"},
			"gz":    {"/sitemap.xml.gz", "/sitemaps/index.xml.gz"},
			"text":  {"/sitemap.txt", "/urls.txt"},
		}[t.sitemap])
	} else if t.sitemap == "text" || t.sitemap == "gz" {
		t.sitemap = "one"
	}
	t.newsSitemap = t.sitemap != "text" && (t.sitemapDeclared || t.sitemap == "index") && s.is("news sitemap", 40)
	t.lastmod = s.is("lastmod", 75)
	t.listsPages = s.is("lists pages", 50)
}

func (s *PressSite) drawRobots(t *traits) {
	t.noRobots = !t.sitemapDeclared && s.is("no robots", 50)
	if t.noRobots {
		return
	}
	for _, path := range []string{"/search", "/login", "/subscribe/", "/calendar/", "/print/", "/tag/", "/*?print=", "/*/print$", "/newsletter/"} {
		if s.is("disallow "+path, 30) {
			t.disallow = append(t.disallow, path)
		}
	}
	if s.is("disallow section", 12) {
		sections := s.site.sections
		t.disallow = append(t.disallow, "/"+sections[s.choose("disallowed section", len(sections))].Slug+"/")
	}
	if s.is("crawl delay", 15) {
		t.crawlDelay = []int{1, 2, 5, 10}[s.choose("delay", 4)]
	}
}

// forbidsSection reports whether robots.txt forbids a section.
func (t *traits) forbidsSection() bool {
	return slices.ContainsFunc(t.disallow, func(rule string) bool {
		return !slices.Contains([]string{"/subscribe/", "/calendar/", "/print/", "/tag/", "/newsletter/"}, rule) && !strings.Contains(rule, "*") && strings.HasSuffix(rule, "/")
	})
}
