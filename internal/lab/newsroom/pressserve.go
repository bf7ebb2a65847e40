package newsroom

import (
	"html"
	"math/rand/v2"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// A pressQuery is a request to a site of a press.
type pressQuery struct {
	site *PressSite
	w    http.ResponseWriter
	r    *http.Request
	sub  string // first label of the host
	at   time.Time
	rec  *PressRequest
	root string // scheme and host of the request
	base string // start of links inside the site
}

const htmlType = "text/html; charset=utf-8"

func (q *pressQuery) serve() {
	s, t := q.site, &q.site.traits
	q.rec.Forbidden = s.forbids(q.rec.Path)
	q.root = "http://" + q.r.Host
	if t.absolute {
		q.base = q.root
	}
	s.plan(q.at)
	switch {
	case q.sub == "":
		http.Redirect(q.w, q.r, "http://www."+q.r.Host+q.rec.Path, http.StatusMovedPermanently)
	case q.sub == "www", q.sub == "m" && t.mobile:
		q.route(q.r.URL.Path)
	default:
		http.NotFound(q.w, q.r)
	}
}

// route serves a path of the site.
func (q *pressQuery) route(path string) {
	s, t := q.site, &q.site.traits
	if path == "/robots.txt" {
		q.rec.Kind = RobotsPage
		if t.noRobots {
			q.notFound(http.StatusNotFound)
			return
		}
		q.send("text/plain; charset=utf-8", "robots", s.press.opts.Start.Add(-s.press.opts.Archive), func() []byte { return []byte(s.robotsFile(q.root)) })
		return
	}
	if q.feed(path) || q.sitemap(path) || q.front(path) || q.story() {
		return
	}
	if data, mediaType, ok := s.site.drawPicture(path); ok {
		q.w.Header().Set("Cache-Control", "public, max-age=86400")
		send(q.w, mediaType, data)
		return
	}
	q.notFound(http.StatusNotFound)
}

// story serves a story in any of its forms.
func (q *pressQuery) story() bool {
	s := q.site
	a, ok := s.find(q.r.URL)
	if !ok || a.story >= s.plan(q.at) {
		return false
	}
	q.rec.Kind, q.rec.Story = StoryPage, a.story
	if a.moved {
		http.Redirect(q.w, q.r, q.root+a.path, http.StatusMovedPermanently)
		return true
	}
	if s.isDeleted(a.story, q.at) {
		q.notFound(s.traits.gone)
		return true
	}
	changed := s.lastChange(a.story, q.at)
	key := a.form + strconv.Itoa(a.story) + "@" + changed.Format(time.RFC3339)
	o := pageOptions{root: q.root, base: q.base, form: a.form}
	if q.sub == "m" {
		o.host = "http://www." + strings.TrimPrefix(q.r.Host, "m.")
	}
	q.send(htmlType, key, changed, func() []byte { return s.page(a.story, q.at, o).HTML })
	return true
}

// notFound serves an error page, with status 200 on sites that do so.
func (q *pressQuery) notFound(status int) {
	s := q.site
	title, sorry := html.EscapeString(s.label("notfound")), html.EscapeString(s.label("sorry"))
	page := q.simplePage(title, "<p>"+sorry+`</p><p><a href="`+q.base+`/">`+html.EscapeString(s.site.grammar.ui["home"])+"</a></p>")
	q.w.Header().Set("Content-Type", htmlType)
	q.w.WriteHeader(status)
	if q.r.Method != http.MethodHead {
		q.w.Write(page)
	}
}

// send serves a page with the validators of the site, or 304 if the client has
// it. The page is generated only if need be.
func (q *pressQuery) send(mediaType, key string, modified time.Time, render func() []byte) {
	header := q.w.Header()
	header.Set("Content-Type", mediaType)
	if q.validate(key, modified) {
		q.w.WriteHeader(http.StatusNotModified)
		return
	}
	page := render()
	if q.site.traits.sessions && strings.HasPrefix(mediaType, "text/html") {
		page = addSession(page, q.base, strconv.FormatUint(rand.Uint64(), 16))
	}
	if q.site.traits.gzip {
		header.Set("Vary", "Accept-Encoding")
		if strings.Contains(q.r.Header.Get("Accept-Encoding"), "gzip") {
			header.Set("Content-Encoding", "gzip")
			page = zip(page)
		}
	}
	header.Set("Content-Length", strconv.Itoa(len(page)))
	q.w.Write(page)
}

// validate sets the validators and reports whether the client has the page.
func (q *pressQuery) validate(key string, modified time.Time) bool {
	header, kind := q.w.Header(), q.site.traits.validators
	etag := `"` + strconv.FormatUint(hash(q.root+q.rec.Path+"\x00"+key), 36) + `"`
	switch kind {
	case "none":
		return false
	case "dynamic":
		header.Set("ETag", `"`+strconv.FormatUint(rand.Uint64(), 36)+`"`)
		return false
	case "weak":
		etag = "W/" + etag
	}
	if kind != "etag" && kind != "weak" {
		header.Set("Last-Modified", modified.UTC().Format(http.TimeFormat))
	}
	if kind != "modified" {
		header.Set("ETag", etag)
		if match := q.r.Header.Get("If-None-Match"); match != "" {
			return strings.Contains(match, strings.TrimPrefix(etag, "W/"))
		}
		if kind != "both" {
			return false
		}
	}
	since, err := http.ParseTime(q.r.Header.Get("If-Modified-Since"))
	return err == nil && !modified.Truncate(time.Second).After(since)
}

// lastEvent returns when the lists of the site last changed: a story was
// published, changed or deleted, or a day began.
func (s *PressSite) lastEvent(at time.Time) time.Time {
	last := at.Truncate(24 * time.Hour)
	n := s.plan(at)
	for k := n - 1; k >= max(0, n-120); k-- {
		if t := s.lastChange(k, at); t.After(last) {
			last = t
		}
		if s.isDeleted(k, at) && s.deleted(k).After(last) {
			last = s.deleted(k)
		}
	}
	return last
}

// sendList serves a page that changes with the lists of the site.
func (q *pressQuery) sendList(mediaType string, render func() []byte) {
	last := q.site.lastEvent(q.at)
	q.send(mediaType, last.Format(time.RFC3339), last, render)
}
