package newsroom

import (
	"cmp"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Handler returns a handler that serves all sites: under "/<name>/" on any
// host, or at the root if the request has the host of a site. "/" lists the
// sites.
func (n *Newsroom) Handler() http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodGet && r.Method != http.MethodHead {
			w.Header().Set("Allow", "GET, HEAD")
			http.Error(w, "only GET and HEAD are allowed", http.StatusMethodNotAllowed)
			return
		}
		host, _, _ := strings.Cut(r.Host, ":")
		if s, ok := n.byHost[host]; ok {
			s.serve(w, r, r.URL.Path, "", "https://"+s.Host)
			return
		}
		if r.URL.Path == "/" {
			send(w, htmlType, execute("front.tmpl", n.sites))
			return
		}
		name, rest, slash := strings.Cut(r.URL.Path[1:], "/")
		s, ok := n.byName[name]
		switch {
		case !ok:
			http.NotFound(w, r)
		case !slash:
			http.Redirect(w, r, "/"+name+"/", http.StatusMovedPermanently)
		default:
			s.serve(w, r, "/"+rest, "/"+name, "http://"+r.Host+"/"+name)
		}
	})
}

// serve serves one site. The path is that on the site; base is the prefix of
// the addresses in its pages, root that in its feeds.
func (s *Site) serve(w http.ResponseWriter, r *http.Request, path, base, root string) {
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
	if data, mediaType, ok := s.drawPicture(path); ok {
		w.Header().Set("Cache-Control", "public, max-age=86400")
		send(w, mediaType, data)
		return
	}
	if isStub(path) {
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

// isStub reports whether pages link to the path although there is no such page.
// The links redirect to the home page.
func isStub(path string) bool {
	stubs := []string{"/tag/", "/author/", "/about/", "/contact/", "/privacy/", "/subscribe/", "/search"}
	return slices.ContainsFunc(stubs, func(stub string) bool { return strings.HasPrefix(path, stub) })
}

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
