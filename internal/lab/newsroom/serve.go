package newsroom

import (
	"bytes"
	"cmp"
	"encoding/xml"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"text/template"
	"time"
)

// Handler returns a handler that serves all sites: under "/<name>/" on any
// host, or at the root if the request has the host of a site. "/" lists the
// sites.
func (n *Newsroom) Handler() http.Handler {
	front := template.Must(template.ParseFS(templateFiles, "templates/front.tmpl"))
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
			var out bytes.Buffer
			if err := front.Execute(&out, n.sites); err != nil {
				http.Error(w, err.Error(), http.StatusInternalServerError)
				return
			}
			send(w, "text/html; charset=utf-8", out.Bytes())
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
		send(w, "application/xml; charset=utf-8", s.feed(root))
		return
	case "/sitemap.xml":
		send(w, "application/xml; charset=utf-8", s.sitemap(root))
		return
	case "/robots.txt":
		send(w, "text/plain; charset=utf-8", s.robots(root))
		return
	}
	if page := s.index(strings.Trim(path, "/"), base); page.Path == path {
		send(w, "text/html; charset=utf-8", page.HTML)
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
		send(w, "text/html; charset=utf-8", s.page(i, base).HTML)
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

type rss struct {
	XMLName xml.Name `xml:"rss"`
	Version string   `xml:"version,attr"`
	DC      string   `xml:"xmlns:dc,attr"`
	Channel struct {
		Title       string    `xml:"title"`
		Link        string    `xml:"link"`
		Description string    `xml:"description"`
		Language    string    `xml:"language"`
		Items       []rssItem `xml:"item"`
	} `xml:"channel"`
}

type rssItem struct {
	Title       string   `xml:"title"`
	Link        string   `xml:"link"`
	GUID        string   `xml:"guid"`
	PubDate     string   `xml:"pubDate"`
	Creators    []string `xml:"dc:creator"`
	Category    string   `xml:"category"`
	Description string   `xml:"description"`
}

type atom struct {
	XMLName xml.Name    `xml:"http://www.w3.org/2005/Atom feed"`
	Title   string      `xml:"title"`
	ID      string      `xml:"id"`
	Updated string      `xml:"updated"`
	Link    atomLink    `xml:"link"`
	Entries []atomEntry `xml:"entry"`
}

type atomLink struct {
	Href string `xml:"href,attr"`
}

type atomEntry struct {
	Title     string   `xml:"title"`
	ID        string   `xml:"id"`
	Link      atomLink `xml:"link"`
	Published string   `xml:"published"`
	Updated   string   `xml:"updated"`
	Authors   []string `xml:"author>name"`
	Summary   string   `xml:"summary"`
}

type urlset struct {
	XMLName xml.Name     `xml:"http://www.sitemaps.org/schemas/sitemap/0.9 urlset"`
	NewsNS  string       `xml:"xmlns:news,attr,omitempty"`
	URLs    []sitemapURL `xml:"url"`
}

type sitemapURL struct {
	Loc     string    `xml:"loc"`
	LastMod string    `xml:"lastmod,omitempty"`
	News    *newsItem `xml:"news:news"`
}

type newsItem struct {
	Name     string `xml:"news:publication>news:name"`
	Language string `xml:"news:publication>news:language"`
	Date     string `xml:"news:publication_date"`
	Title    string `xml:"news:title"`
}

type sitemapIndex struct {
	XMLName xml.Name     `xml:"http://www.sitemaps.org/schemas/sitemap/0.9 sitemapindex"`
	Maps    []sitemapURL `xml:"sitemap"`
}

// feed returns the newest stories as RSS or Atom, with root before every path.
func (s *Site) feed(root string) []byte {
	address := func(st *story) string { return root + s.path(st) }
	if s.config.Feed == "atom" {
		return atomFeed(s.Title, root, newest, s.recent(), address)
	}
	return rssFeed(s.Title, s.Lang, root, s.recent(), address)
}

func rssFeed(title, lang, root string, list []*story, address func(*story) string) []byte {
	f := rss{Version: "2.0", DC: "http://purl.org/dc/elements/1.1/"}
	f.Channel.Title, f.Channel.Link, f.Channel.Description, f.Channel.Language = title, root+"/", title, lang
	for _, st := range list {
		f.Channel.Items = append(f.Channel.Items, rssItem{
			Title: st.title, Link: address(st), GUID: address(st), PubDate: st.date.Format(time.RFC1123Z),
			Creators: st.authors, Category: st.section.Label, Description: st.standfirst,
		})
	}
	return marshal(f)
}

func atomFeed(title, root string, updated time.Time, list []*story, address func(*story) string) []byte {
	f := atom{Title: title, ID: root + "/", Updated: updated.Format(time.RFC3339), Link: atomLink{root + "/"}}
	for _, st := range list {
		f.Entries = append(f.Entries, atomEntry{
			Title: st.title, ID: address(st), Link: atomLink{address(st)}, Published: st.date.Format(time.RFC3339),
			Updated: cmp.Or(st.modified, st.date).Format(time.RFC3339), Authors: st.authors, Summary: st.standfirst,
		})
	}
	return marshal(f)
}

func (s *Site) sitemap(root string) []byte {
	m := urlset{URLs: []sitemapURL{{Loc: root + "/"}}}
	for _, x := range s.sections {
		m.URLs = append(m.URLs, sitemapURL{Loc: root + "/" + x.Slug + "/"})
	}
	for _, st := range s.recent() {
		m.URLs = append(m.URLs, sitemapURL{Loc: root + s.path(st), LastMod: st.date.Format(time.RFC3339)})
	}
	return marshal(m)
}

// robots returns the robots.txt of the site.
func (s *Site) robots(root string) []byte {
	return []byte("User-agent: *\nDisallow: /search\nDisallow: /subscribe/\n\nSitemap: " + root + "/sitemap.xml\n")
}

func marshal(v any) []byte {
	out, err := xml.MarshalIndent(v, "", " ")
	if err != nil {
		panic("newsroom: " + err.Error())
	}
	return append([]byte(xml.Header), append(out, '\n')...)
}
