package newsroom

import (
	"html"
	"math/rand/v2"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// A pressQuery is a request to a site of a press.
type pressQuery struct {
	*PressSite
	w    http.ResponseWriter
	r    *http.Request
	at   time.Time
	rec  *PressRequest
	root string // scheme and host of the request
	base string // start of links inside the site
}

const htmlType = "text/html; charset=utf-8"

func (q *pressQuery) serve() {
	path := q.r.URL.Path
	q.rec.Forbidden = q.forbids(q.rec.Path)
	if q.is("absolute", 40) {
		q.base = q.root
	}
	published := q.plan(q.at)
	k, isStory := q.find(q.r.URL)
	picture, isPicture := drawPicture(path)
	switch {
	case path == "/robots.txt":
		q.rec.Kind = RobotsPage
		if q.noRobots {
			q.notFound()
			return
		}
		q.send("text/plain; charset=utf-8", "", q.press.opts.Start, func() []byte { return q.robotsFile(q.root) })
	case isStory && k < published:
		q.rec.Kind, q.rec.Story = StoryPage, k
		changed := q.lastChange(k, q.at)
		q.send(htmlType, changed.Format(time.RFC3339), changed, func() []byte { return q.storyPage(k, q.at, q.root, q.base).HTML })
	case q.serveFeed(path) || q.serveSitemap(path) || q.serveFront(path):
	case isPicture:
		q.send(svgType, "", q.press.opts.Start, func() []byte { return picture })
	case strings.HasPrefix(path, "/tag/") || strings.HasPrefix(path, "/author/"):
		q.w.Header().Set("Location", q.root+"/")
		q.reply(http.StatusFound, nil)
	default:
		q.notFound()
	}
}

// reply logs and sends a response.
func (q *pressQuery) reply(status int, body []byte) {
	q.press.log.end(q.rec, status, q.w.Header())
	q.w.Header().Set("Content-Length", strconv.Itoa(len(body)))
	q.w.WriteHeader(status)
	q.w.Write(body)
}

// notFound sends an error page.
func (q *pressQuery) notFound() {
	q.w.Header().Set("Content-Type", htmlType)
	q.reply(http.StatusNotFound, q.newFront("", q.Label("notfound"), q.Label("sorry")).render())
}

// send sends a page with the validators of the site, or 304 if the client has it.
func (q *pressQuery) send(mediaType, key string, modified time.Time, render func() []byte) {
	q.w.Header().Set("Content-Type", mediaType)
	if q.validate(key, modified) {
		q.reply(http.StatusNotModified, nil)
		return
	}
	q.reply(http.StatusOK, render())
}

// validate sets the validators and reports whether the client has the page.
func (q *pressQuery) validate(key string, modified time.Time) bool {
	header, kind := q.w.Header(), q.validators
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
	if kind == "both" || kind == "modified" {
		header.Set("Last-Modified", modified.UTC().Format(http.TimeFormat))
	}
	if kind != "modified" {
		header.Set("ETag", etag)
		if match := q.r.Header.Get("If-None-Match"); match != "" || kind != "both" {
			return match != "" && strings.Contains(match, strings.TrimPrefix(etag, "W/"))
		}
	}
	since, err := http.ParseTime(q.r.Header.Get("If-Modified-Since"))
	return err == nil && !modified.Truncate(time.Second).After(since)
}

// sendList sends a page that changes with the lists of the site.
func (q *pressQuery) sendList(kind PageKind, mediaType string, render func() []byte) bool {
	q.rec.Kind = kind
	last := q.lastEvent(q.at)
	q.send(mediaType, last.Format(time.RFC3339), last, render)
	return true
}

// storyPage generates the page of story k at a time. It only changes when the story
// does: its boxes list the stories of that time.
func (s *PressSite) storyPage(k int, at time.Time, root, base string) Page {
	st := s.story(k, at)
	v := newView(s.site, base)
	v.st, v.r, v.root = st, s.site.stream(streamBoilerplate, k), root
	n := max(s.plan(s.lastChange(k, at)), min(s.plan(at), pagesPerSite))
	for i := range pagesPerSite {
		v.recent = append(v.recent, s.story(max(0, n-1-i), time.Time{}))
	}
	page := v.page(s.Name+"-"+strconv.Itoa(k), "article", s.path(st), st.title)
	page.HTML = s.dress(page.HTML, v)
	return page
}

var (
	templateLink = regexp.MustCompile(`(?i)<link rel="(?:canonical|alternate)"[^>]*>\n?`)
	headEnd      = regexp.MustCompile(`(?i)</head>|$`)
)

// dress replaces the links in the head of a page by those of the site.
func (s *PressSite) dress(page []byte, v *view) []byte {
	head := s.FeedLink(v.Base)
	canonical := map[string]string{"yes": v.gold.URL, "home": v.root + "/", "https": strings.Replace(v.gold.URL, "http:", "https:", 1)}
	if c := canonical[s.canonical]; c != "" {
		head += `<link rel="canonical" href="` + html.EscapeString(c) + `">` + "\n"
	}
	text := templateLink.ReplaceAllString(string(page), "")
	if !strings.Contains(text, "og:type") && !strings.Contains(text, "ld+json") {
		head += string(execute("declaration", v))
	}
	end := headEnd.FindStringIndex(text)[0]
	return []byte(text[:end] + head + text[end:])
}
