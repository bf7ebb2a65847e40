package newsroom

import (
	"cmp"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

// A Press is a set of generated news sites that publish over time: what they
// show depends on the clock of their handler. Their home pages have teasers of
// the newest stories, which fall off as others are published; stories are
// changed; feeds, sitemaps, robots.txt, URLs and bad habits differ by site. Every request is logged, so that a crawler can be judged.
type Press struct {
	sites []*PressSite
	traps map[string]trap // by name of the host
	opts  PressOptions
	seed  uint64
	log   pressLog
}

// PressOptions are the options of NewPress.
type PressOptions struct {
	Sites         int           // number of sites (default: 10)
	Start         time.Time     // when publishing begins, after the archive (default: 2 March 2026)
	Archive       time.Duration // how far stories go back before Start (default: 30 days, at least 14)
	StoriesPerDay int           // of every site (default: 4 to 12, by site)
	Ways          Ways          // where stories are listed (default: all that a site has)
	Traps         bool          // add hosts that are traps for crawlers
}

// Ways are the places where a site lists its stories. With any set, every site
// has all of those and none of the others; otherwise some sites lack feeds or
// sitemaps.
type Ways uint8

// The places where a site lists its stories.
const (
	HomePages Ways = 1 << iota // home pages, sections and archives
	Feeds
	Sitemaps
)

// NewPress returns the press of a seed.
func NewPress(seed uint64, opts PressOptions) *Press {
	opts.Sites = cmp.Or(opts.Sites, 10)
	if opts.Start.IsZero() {
		opts.Start = time.Date(2026, time.March, 2, 0, 0, 0, 0, time.UTC)
	}
	opts.Start = opts.Start.UTC()
	opts.Archive = max(cmp.Or(opts.Archive, 30*24*time.Hour), 14*24*time.Hour)
	p := &Press{opts: opts, seed: seed, log: pressLog{began: map[string]time.Time{}, validated: map[string]bool{}}}
	for n := range opts.Sites {
		p.sites = append(p.sites, newPressSite(p, n))
	}
	if opts.Traps {
		p.traps = traps
	}
	return p
}

// Sites returns the sites in a stable order.
func (p *Press) Sites() []*PressSite { return slices.Clone(p.sites) }

// Traps returns the URLs of the hosts that are traps. It is empty without PressOptions.Traps.
func (p *Press) Traps() (list []string) {
	for _, name := range slices.Sorted(maps.Keys(p.traps)) {
		list = append(list, "http://www."+name+".example/")
	}
	return list
}

// Handler returns a handler that serves all sites by the host of a request,
// www.NAME.example, at the time that now returns. It also serves as an HTTP proxy.
func (p *Press) Handler(now func() time.Time) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		host, _, _ := strings.Cut(r.Host, ":")
		rec := p.log.begin(r, host, now())
		name := strings.TrimSuffix(strings.TrimPrefix(host, "www."), ".example")
		if i := slices.IndexFunc(p.sites, func(s *PressSite) bool { return s.Name == name }); i >= 0 {
			s := p.sites[i]
			q := &pressQuery{PressSite: s, w: w, r: r, at: s.clamp(now()), rec: rec, root: "http://" + r.Host}
			q.serve()
			return
		}
		t, ok := p.traps[name]
		if !ok {
			http.NotFound(w, r)
			return
		}
		if r.URL.Path == "/robots.txt" {
			rec.Kind = RobotsPage
		}
		rec.Forbidden = t.forbids && rec.Kind != RobotsPage
		p.log.end(rec, http.StatusOK, nil)
		t.serve(w, r)
	})
}

// A PressSite is one site of a press. It is safe for use by several goroutines.
type PressSite struct {
	Name  string
	Title string
	Lang  string

	press *Press
	n     int // number of the site
	site  *Site
	look  *look
	table timetable

	pattern    string // of the URLs of stories: see urlPatterns
	rate       int    // stories a day
	canonical  string // yes, none, home (for every page), https
	validators string // both, etag, weak, modified, none, dynamic

	feed         string // rss, atom; empty for none
	feedPath     string
	feedDeclared bool

	sitemap         string // one, index, gz; empty for none
	sitemapPath     string
	sitemapDeclared bool // in robots.txt
	newsSitemap     bool

	noRobots   bool // robots.txt is a 404
	disallow   []string
	crawlDelay int // seconds
}

// Address returns the URL of the home page.
func (s *PressSite) Address() string { return "http://" + s.site.Host + "/" }

// newPressSite draws site n. It has the language and the story pages of a site
// with a template, or of a cluttered one.
func newPressSite(p *Press, n int) *PressSite {
	bases := slices.Concat(siteList(), clutteredList())
	// Neighbouring numbers have different languages; 17 is prime to the number of bases.
	c := bases[n*17%len(bases)]
	design := templates()[c.Name]
	places, papers := len(pressWords().rules["place"]), len(pressWords().rules["paper"])
	c.Name = pressWords().name("place", n%places, 1) + "-" + pressWords().name("paper", (n+n/places)%papers, 1)
	c.Modified, c.Path = false, ""
	site := newSite(c, p.seed)
	if !c.Cluttered {
		site.tmpl, site.css = design.tmpl, design.css
	}
	site.Title = field(site.grammar.name("town", n/3%len(site.grammar.rules["town"]), 1), 1) + " " + c.Title
	s := &PressSite{Name: c.Name, Title: site.Title, Lang: c.Lang, press: p, n: n, site: site, look: site.look}
	site.press = s
	if s.look == nil {
		s.look = newLook(site)
	}
	// The press is about finding stories: its pages are not the most cluttered.
	for _, kind := range []string{"second", "social", "editorial", "video", "staff", "title"} {
		s.look.boxes[kind] = false
	}
	if c.Cluttered {
		s.look.Prose %= 7 // not one element with line breaks
		site.config.Extras = slices.DeleteFunc(site.config.Extras, func(x string) bool { return x == "table" })
	}
	s.draw()
	return s
}

// choose returns one of n choices, always the same for a name.
func (s *PressSite) choose(name string, n int) int { return s.look.Choose("press "+name, n) }

// is reports whether the site is among the given share of sites.
func (s *PressSite) is(name string, percent int) bool { return s.choose(name, 100) < percent }

func (s *PressSite) pick(name string, list ...string) string { return list[s.choose(name, len(list))] }

// clamp returns the time, or when publishing began if that is later.
func (s *PressSite) clamp(t time.Time) time.Time {
	if t.Before(s.press.opts.Start) {
		return s.press.opts.Start
	}
	return t.UTC()
}

// pressWords has the names of sites and labels that only front pages have.
var pressWords = sync.OnceValue(func() *grammar { return readGrammar("press.txt") })

// draw draws what the site is like, besides its design.
func (s *PressSite) draw() {
	s.pattern = s.pick("address", urlPatterns...)
	if s.Lang == "zh" || s.Lang == "ja" || s.Lang == "ko" {
		s.pattern = s.pick("address", urlPatternsEast...)
	}
	s.rate = cmp.Or(s.press.opts.StoriesPerDay, 4+s.choose("rate", 9))
	s.canonical = s.pick("canonical", "yes", "yes", "none")
	s.validators = s.pick("validators", "both", "both", "both", "both", "etag", "weak", "modified", "modified", "none")
	switch s.n % 25 {
	case 6:
		s.canonical = "home"
	case 7:
		s.validators = "dynamic"
	case 11:
		s.validators = "none"
	case 18:
		s.canonical = "https"
	}
	if s.has(Feeds, 88) {
		s.drawFeed()
	}
	if s.has(Sitemaps, 80) {
		s.drawSitemap()
	}
	if s.noRobots = !s.sitemapDeclared && s.is("no robots", 50); !s.noRobots {
		s.drawRobots()
	}
}

// has reports whether the site lists its stories in a way; percent is the share
// of sites that do if the options do not say.
func (s *PressSite) has(way Ways, percent int) bool {
	if s.press.opts.Ways == 0 {
		return s.is("way "+strconv.Itoa(int(way)), percent)
	}
	return s.press.opts.Ways&way != 0
}

func (s *PressSite) drawFeed() {
	s.feed = s.pick("feed", "rss", "rss", "atom")
	s.feedDeclared = s.is("feed declared", 80)
	s.feedPath = s.pick("feed path", "/feed", "/rss.xml", "/feed.xml", "/rss", "/atom.xml")
	if s.feedDeclared && s.is("odd feed path", 40) {
		s.feedPath = s.pick("odd feed", "/feeds/all.xml", "/xml/news.aspx", "/rss/frontpage", "/export/rss2/index.xml")
	}
}

func (s *PressSite) drawSitemap() {
	s.sitemapDeclared = s.is("sitemap declared", 65)
	s.sitemap, s.sitemapPath = s.pick("sitemap", "one", "index"), "/sitemap.xml"
	if s.sitemapDeclared {
		s.sitemap = s.pick("sitemap", "one", "one", "index", "index", "gz")
		s.sitemapPath = map[string]string{"one": "/map", "index": "/sitemap_index.xml", "gz": "/sitemaps/index.xml.gz"}[s.sitemap]
	}
	s.newsSitemap = (s.sitemapDeclared || s.sitemap == "index") && s.is("news sitemap", 40)
}

func (s *PressSite) drawRobots() {
	for _, path := range []string{"/search", "/login", "/subscribe/", "/tag/", "/*?page=", "/newsletter/"} {
		if s.is("disallow "+path, 30) {
			s.disallow = append(s.disallow, path)
		}
	}
	if s.is("disallow section", 12) {
		sections := s.site.sections
		s.disallow = append(s.disallow, "/"+sections[s.choose("disallowed section", len(sections))].Slug+"/")
	}
	if s.is("crawl delay", 15) {
		s.crawlDelay = []int{1, 2, 5, 10}[s.choose("delay", 4)]
	}
}

// robotsFile returns the robots.txt of the site.
func (s *PressSite) robotsFile(root string) []byte {
	lines := []string{"# robots.txt of " + s.Title, "", "User-agent: GreedyBot", "User-agent: MirrorMaker", "Disallow: /", "", "User-agent: *"}
	for _, rule := range s.disallow {
		lines = append(lines, "Disallow: "+rule)
	}
	if s.crawlDelay > 0 {
		lines = append(lines, "Crawl-delay: "+strconv.Itoa(s.crawlDelay))
	}
	if s.sitemapDeclared {
		lines = append(lines, "", "Sitemap: "+root+s.sitemapPath)
	}
	if s.newsSitemap && s.sitemapDeclared && s.sitemap != "index" {
		lines = append(lines, "Sitemap: "+root+newsSitemapPath)
	}
	return []byte(strings.Join(lines, s.pick("robots crlf", "\n", "\r\n")) + "\n")
}

// forbids reports whether robots.txt forbids a path with query for everybody. It
// knows just the rules that drawRobots chooses and shares no code with the parser
// that it judges.
func (s *PressSite) forbids(target string) bool {
	return target != "/robots.txt" && slices.ContainsFunc(s.disallow, func(rule string) bool {
		before, after, _ := strings.Cut(rule, "*")
		rest, ok := strings.CutPrefix(target, before)
		return ok && strings.Contains(rest, after)
	})
}

// CrawlDelay returns the seconds that the site's robots.txt asks for between
// requests; 0 if it does not say.
func (s *PressSite) CrawlDelay() int { return s.crawlDelay }
