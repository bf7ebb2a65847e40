package newsroom

import (
	"bytes"
	"net/http"
	"strconv"
	"strings"
	"text/template"
)

// Handler serves all sites: under "/<name>/…" on any host, or at the root when
// the request names the host of a site. "/" lists the sites.
func (n *Newsroom) Handler() http.Handler {
	front := template.Must(template.ParseFS(templateFiles, "templates/front.tmpl"))
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodGet && r.Method != http.MethodHead {
			w.Header().Set("Allow", "GET, HEAD")
			http.Error(w, "only GET and HEAD are served here", http.StatusMethodNotAllowed)
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

// serve answers for one site: path is on the site, base goes before the
// addresses in its pages, root before those in its feeds.
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
	case "/":
		send(w, "text/html; charset=utf-8", s.index("", base).HTML)
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
	if strings.Contains(s.habits.Path, "?") {
		path += "?" + r.URL.RawQuery
	}
	if i, ok := s.find(path); ok {
		send(w, "text/html; charset=utf-8", s.page(i, base).HTML)
		return
	}
	http.NotFound(w, r)
}

// isStub reports whether pages link to the path although nobody wrote it; such
// links lead home.
func isStub(path string) bool {
	for _, p := range []string{"/tag/", "/author/", "/about/", "/contact/", "/privacy/", "/subscribe/", "/search"} {
		if strings.HasPrefix(path, p) {
			return true
		}
	}
	return false
}

func send(w http.ResponseWriter, mediaType string, data []byte) {
	w.Header().Set("Content-Type", mediaType)
	w.Header().Set("Content-Length", strconv.Itoa(len(data)))
	w.Write(data)
}
