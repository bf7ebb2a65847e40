package newsroom

import (
	"cmp"
	"net"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"
)

// A Press is a set of generated news sites that publish over time: what they
// show depends on the clock of their handler. Their home pages have teasers of
// the newest stories, which fall off as others are published; stories are
// changed and deleted; feeds, sitemaps, robots.txt, addresses and bad habits
// differ by site. Every request is logged, so that a crawler can be judged.
//
// Pages are generated on demand. A site keeps a few bytes for each story.
type Press struct {
	sites  []*PressSite
	byHost map[string]*PressSite
	traps  map[string]*trap
	opts   PressOptions
	seed   uint64
	log    pressLog
}

// PressOptions are the options of NewPress.
type PressOptions struct {
	Sites         int           // number of sites (default: 10)
	Start         time.Time     // when publishing begins, after the archive (default: 2 March 2026)
	Archive       time.Duration // how far stories go back before Start (default: 30 days, at least 14)
	StoriesPerDay int           // of every site (default: 4 to 12, by site)
	Ways          Ways          // where stories are listed (default: all that a site has)
	Traps         bool          // add hosts that are traps for crawlers
	CountOnly     bool          // count requests and keep no log of them
}

// Ways are the places where a site lists its stories. With any set, every site
// has all of those and none of the others; otherwise some sites lack feeds or
// sitemaps.
type Ways uint8

// The places where a site lists its stories.
const (
	HomePages Ways = 1 << iota // home pages, sections, archives, tags, authors
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
	p := &Press{byHost: map[string]*PressSite{}, traps: map[string]*trap{}, opts: opts, seed: seed}
	p.log.countOnly = opts.CountOnly
	for n := range opts.Sites {
		s := newPressSite(p, n)
		p.sites = append(p.sites, s)
		p.byHost[s.Name] = s
	}
	if opts.Traps {
		for _, t := range newTraps() {
			p.traps[t.name] = t
		}
	}
	return p
}

// Sites returns the sites in a stable order.
func (p *Press) Sites() []*PressSite { return slices.Clone(p.sites) }

// Site returns the site with a host, such as www.ashgrove-argus.example, with or
// without port.
func (p *Press) Site(host string) (*PressSite, bool) {
	_, name := splitHost(host)
	s, ok := p.byHost[name]
	return s, ok
}

// Traps returns the addresses of the hosts that are traps, with what is wrong
// with each, by address. It is empty without PressOptions.Traps.
func (p *Press) Traps() map[string]string {
	list := map[string]string{}
	for _, t := range p.traps {
		list["http://"+t.host()+"/"] = t.what
	}
	return list
}

// Handler returns a handler that serves all sites by the host of a request, at
// the time that now returns. It also serves as an HTTP proxy. The hosts are
// www.NAME.example, m.NAME.example and NAME.example; for browsers without a
// proxy, .localhost instead of .example works too.
func (p *Press) Handler(now func() time.Time) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		rec := p.log.begin(r, hostName(r.Host), now())
		out := &recorder{ResponseWriter: w, status: http.StatusOK}
		out.end = func() { p.log.end(rec, out, now()) }
		defer out.finish()
		if r.Method != http.MethodGet && r.Method != http.MethodHead {
			out.Header().Set("Allow", "GET, HEAD")
			http.Error(out, "only GET and HEAD are allowed", http.StatusMethodNotAllowed)
			return
		}
		sub, name := splitHost(r.Host)
		if s, ok := p.byHost[name]; ok {
			q := &pressQuery{site: s, w: out, r: r, sub: sub, at: s.clamp(now()), rec: rec}
			q.serve()
			return
		}
		if t, ok := p.traps[name]; ok {
			rec.Kind = TrapPage
			if r.URL.Path == "/robots.txt" {
				rec.Kind = RobotsPage
			}
			rec.Forbidden = t.forbids && rec.Kind != RobotsPage
			t.serve(out, r)
			return
		}
		http.NotFound(out, r)
	})
}

// hostName returns a host without its port, in lower case.
func hostName(host string) string {
	if h, _, err := net.SplitHostPort(host); err == nil {
		host = h
	}
	return strings.ToLower(host)
}

// splitHost returns the first label of a host and the name of its site.
func splitHost(host string) (sub, name string) {
	host = hostName(host)
	for _, suffix := range []string{".example", ".localhost"} {
		if rest, ok := strings.CutSuffix(host, suffix); ok {
			sub, name, ok := strings.Cut(rest, ".")
			if !ok {
				return "", rest
			}
			return sub, name
		}
	}
	return "", ""
}

// A recorder remembers the status of an answer and reports its end.
type recorder struct {
	http.ResponseWriter
	status int
	wrote  bool
	end    func() // nil once it was called
}

// finish reports the end of the answer, once.
func (w *recorder) finish() {
	if w.end != nil {
		w.end()
		w.end = nil
	}
}

// Write implements io.Writer. An answer that is written in one piece ends before
// the client can read it all and send the next request.
func (w *recorder) Write(data []byte) (int, error) {
	if w.Header().Get("Content-Length") == strconv.Itoa(len(data)) {
		w.finish()
	}
	return w.ResponseWriter.Write(data)
}

// WriteHeader implements http.ResponseWriter.
func (w *recorder) WriteHeader(status int) {
	if !w.wrote {
		w.status, w.wrote = status, true
	}
	w.ResponseWriter.WriteHeader(status)
}

// Unwrap returns the writer below, for http.ResponseController.
func (w *recorder) Unwrap() http.ResponseWriter { return w.ResponseWriter }

// A PressSite is one site of a press. It is safe for use by several goroutines.
type PressSite struct {
	Name  string // its address is http://www.NAME.example/
	Title string
	Lang  string

	press  *Press
	n      int // number of the site
	site   *Site
	look   *look
	traits traits
	table  timetable
}

// Address returns the address of the home page.
func (s *PressSite) Address() string { return "http://" + s.site.Host + "/" }

// newPressSite draws site n. It has the language and the story pages of a site
// with a template, or of a cluttered one.
func newPressSite(p *Press, n int) *PressSite {
	bases := slices.Concat(siteList(), clutteredList())
	// Neighbouring numbers have different languages; 17 is prime to the number of bases.
	c := bases[n*17%len(bases)]
	name := pressName(n)
	s := &PressSite{Name: name, Lang: c.Lang, press: p, n: n}
	template := c.Name
	c.Name, c.Modified = name, false
	c.Path = ""
	site := newSite(c, p.seed)
	if !c.Cluttered {
		site.tmpl, site.css = templates()[template].tmpl, templates()[template].css
	}
	s.Title = pressTitle(site, c.Title, n)
	site.Title, site.press = s.Title, s
	s.site, s.look = site, site.look
	if s.look == nil {
		s.look = newLook(site)
	}
	// The press is about finding stories: its pages are not the most cluttered.
	for _, kind := range []string{"second", "social", "editorial", "video", "staff", "title"} {
		s.look.boxes[kind] = false
	}
	if c.Cluttered {
		s.look.prose %= 7 // not one element with line breaks
		site.config.Extras = slices.DeleteFunc(site.config.Extras, func(x string) bool { return x == "table" })
	}
	s.traits = s.draw()
	return s
}

// pressName returns the name of site n: a place and what a paper is called.
func pressName(n int) string {
	places, papers := pressWords().rules["place"], pressWords().rules["paper"]
	name := pressWords().name("place", n%len(places), 1) + "-" + pressWords().name("paper", (n+n/len(places))%len(papers), 1)
	if n >= len(places)*len(papers) {
		name += "-" + strconv.Itoa(n/(len(places)*len(papers))+1)
	}
	return name
}

// pressTitle returns the name of a site in its language.
func pressTitle(s *Site, base string, n int) string {
	if s.Lang == "en" {
		words := strings.Split(s.Name, "-")
		for i, w := range words {
			words[i] = capitalize(w)
		}
		return "The " + strings.Join(words, " ")
	}
	towns := s.grammar.rules["town"]
	town := field(s.grammar.name("town", n/3%len(towns), 1), 1)
	if s.grammar.ui["space"] == "no" {
		return town + base
	}
	return base + " – " + town
}

// choose returns one of n choices, always the same for a name.
func (s *PressSite) choose(name string, n int) int { return s.look.choose("press "+name, n) }

// is reports whether the site is among the given share of sites.
func (s *PressSite) is(name string, percent int) bool { return s.choose(name, 100) < percent }

// clamp returns the time, or when publishing began if that is later.
func (s *PressSite) clamp(t time.Time) time.Time {
	if t.Before(s.press.opts.Start) {
		return s.press.opts.Start
	}
	return t.UTC()
}

// Sections returns the slugs of the sections, whose fronts are at /SLUG/.
func (s *PressSite) Sections() []string { return s.site.Sections() }
