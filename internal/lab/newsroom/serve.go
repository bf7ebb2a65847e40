package newsroom

import (
	"cmp"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// Handler returns a handler that serves all sites, each under "/<name>/". "/" lists them.
func (n *Newsroom) Handler() http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/" {
			send(w, htmlType, execute("front.tmpl", n.sites))
			return
		}
		name, rest, slash := strings.Cut(r.URL.Path[1:], "/")
		s, ok := n.Site(name)
		switch {
		case !ok:
			http.NotFound(w, r)
		case !slash:
			http.Redirect(w, r, "/"+name+"/", http.StatusMovedPermanently)
		default:
			s.serve(w, r, "/"+rest, "http://"+r.Host+"/"+name)
		}
	})
}

// serve serves one site. The path is that on the site; root is the address of the site.
func (s *Site) serve(w http.ResponseWriter, r *http.Request, path, root string) {
	base := "/" + s.Name
	switch path {
	case "/feed.xml":
		send(w, "application/xml; charset=utf-8", execute(cmp.Or(s.config.Feed, "rss"), s.listing(root)))
		return
	case "/sitemap.xml":
		send(w, "application/xml; charset=utf-8", execute("sitemap", s.listing(root)))
		return
	case "/robots.txt":
		sendText(w, "User-agent: *\nDisallow: /search\nDisallow: /subscribe/\n\nSitemap: "+root+"/sitemap.xml\n")
		return
	}
	if page := s.index(strings.Trim(path, "/"), base); page.Path == path {
		send(w, htmlType, page.HTML)
		return
	}
	if picture, ok := drawPicture(path); ok {
		send(w, svgType, picture)
		return
	}
	if stubs.MatchString(path) {
		http.Redirect(w, r, base+"/", http.StatusFound)
		return
	}
	if strings.Contains(s.config.Path, "?") {
		path += "?" + r.URL.RawQuery
	}
	if i, ok := s.find(path); ok {
		send(w, htmlType, s.page(i, base).HTML)
		return
	}
	http.NotFound(w, r)
}

// stubs are links of pages that have no page: they redirect to the home page.
var stubs = regexp.MustCompile(`^/(tag/|author/|about/|contact/|privacy/|subscribe/|search)`)

func send(w http.ResponseWriter, mediaType string, data []byte) {
	w.Header().Set("Content-Type", mediaType)
	w.Header().Set("Content-Length", strconv.Itoa(len(data)))
	w.Write(data)
}

// A listing is the data of a feed or a sitemap.
type listing struct {
	Title, Lang, Root string
	Updated           time.Time
	Pages             []string // URLs of a sitemap that are no stories
	Items             []listed
	LastMod, News     bool // what a sitemap says about stories
}

// A listed is a story of a listing, or a sitemap of an index.
type listed struct {
	URL, Title, Section, Summary string
	Authors                      []string
	Date, Changed                time.Time
}

// listed returns a story for a listing.
func (st *story) listed(address string) listed {
	return listed{
		URL: address, Title: st.title, Section: st.section.Label, Summary: st.standfirst,
		Authors: st.authors, Date: st.date, Changed: cmp.Or(st.modified, st.date),
	}
}

// listing lists sections and the newest stories, with root before every path.
func (s *Site) listing(root string) listing {
	l := listing{Title: s.Title, Lang: s.Lang, Root: root, Updated: newest, LastMod: true, Pages: []string{root + "/"}}
	for _, x := range s.sections {
		l.Pages = append(l.Pages, root+"/"+x.Slug+"/")
	}
	for _, st := range s.recent() {
		l.Items = append(l.Items, st.listed(root+s.path(st)))
	}
	return l
}
