package newsroom

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"html"
	"math"
	"math/rand/v2"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"text/template"
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
	path, t := q.r.URL.Path, &q.traits
	q.rec.Forbidden = q.forbids(q.rec.Path)
	if t.absolute {
		q.base = q.root
	}
	published := q.plan(q.at)
	k, isStory := q.find(q.r.URL)
	picture, pictureType, isPicture := q.site.drawPicture(path)
	switch {
	case path == "/robots.txt":
		q.rec.Kind = RobotsPage
		if t.noRobots {
			q.notFound(http.StatusNotFound)
			return
		}
		q.send("text/plain; charset=utf-8", "", q.press.opts.Start, func() []byte { return []byte(q.robotsFile(q.root)) })
	case isStory && k < published && !q.deleted(k, q.at).IsZero():
		q.rec.Kind, q.rec.Story = StoryPage, k
		q.notFound(t.gone)
	case isStory && k < published:
		q.rec.Kind, q.rec.Story = StoryPage, k
		changed := q.lastChange(k, q.at)
		q.send(htmlType, changed.Format(time.RFC3339), changed, func() []byte { return q.storyPage(k, q.at, q.root, q.base).HTML })
	case q.feed(path) || q.sitemap(path) || q.front(path):
	case isPicture:
		q.send(pictureType, "", q.press.opts.Start, func() []byte { return picture })
	case strings.HasPrefix(path, "/tag/") || strings.HasPrefix(path, "/author/"):
		q.w.Header().Set("Location", q.root+"/")
		q.reply(http.StatusFound, nil)
	default:
		q.notFound(http.StatusNotFound)
	}
}

// reply logs and sends a response.
func (q *pressQuery) reply(status int, body []byte) {
	q.press.log.end(q.rec, status, q.w.Header())
	q.w.Header().Set("Content-Length", strconv.Itoa(len(body)))
	q.w.WriteHeader(status)
	q.w.Write(body)
}

// notFound sends an error page, with status 200 on sites that do so.
func (q *pressQuery) notFound(status int) {
	q.w.Header().Set("Content-Type", htmlType)
	q.reply(status, q.newFront("", q.label("notfound"), q.label("sorry")).render())
}

// send sends a page with the validators of the site, or 304 if the client has it.
func (q *pressQuery) send(mediaType, key string, modified time.Time, render func() []byte) {
	header := q.w.Header()
	header.Set("Content-Type", mediaType)
	if q.validate(key, modified) {
		q.reply(http.StatusNotModified, nil)
		return
	}
	page := render()
	if q.traits.gzip && strings.Contains(q.r.Header.Get("Accept-Encoding"), "gzip") {
		header.Set("Content-Encoding", "gzip")
		page = zip(page)
	}
	q.reply(http.StatusOK, page)
}

// validate sets the validators and reports whether the client has the page.
func (q *pressQuery) validate(key string, modified time.Time) bool {
	header, kind := q.w.Header(), q.traits.validators
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
	v.gold.ID, v.gold.URL, v.gold.Type, v.gold.Title = s.Name+"-"+strconv.Itoa(k), root+s.path(st, st.section), "article", st.title
	page := Page{Path: s.path(st, st.section), HTML: s.dress(v.write("article"), v)}
	v.gold.Text = strings.Join(v.lines, "\n")
	page.Gold = v.gold
	return page
}

var (
	templateLink = regexp.MustCompile(`(?i)<link rel="(?:canonical|alternate)"[^>]*>\n?`)
	headEnd      = regexp.MustCompile(`(?i)</head>|$`)
)

// dress replaces the links in the head of a page by those of the site.
func (s *PressSite) dress(page []byte, v *view) []byte {
	head := s.feedLinks(v.base)
	canonical := map[string]string{"yes": v.gold.URL, "home": v.root + "/", "https": strings.Replace(v.gold.URL, "http:", "https:", 1)}
	if c := canonical[s.traits.canonical]; c != "" {
		head += `<link rel="canonical" href="` + html.EscapeString(c) + `">` + "\n"
	}
	text := templateLink.ReplaceAllString(string(page), "")
	if !strings.Contains(text, "og:type") && !strings.Contains(text, "ld+json") {
		head += string(execute("declaration", v))
	}
	end := headEnd.FindStringIndex(text)[0]
	return []byte(text[:end] + head + text[end:])
}

var pressTemplates = sync.OnceValue(func() *template.Template {
	return template.Must(template.ParseFS(templateFiles, "templates/*.tmpl"))
})

func execute(name string, data any) []byte {
	var out bytes.Buffer
	if err := pressTemplates().ExecuteTemplate(&out, name, data); err != nil {
		panic("newsroom: " + err.Error())
	}
	return out.Bytes()
}

// label returns a label of front pages in the language of the site, escaped.
func (s *PressSite) label(key string) string {
	l, ok := pressWords().ui[s.Lang+" "+key]
	if !ok {
		panic("newsroom: press.txt: no label " + s.Lang + " " + key)
	}
	return html.EscapeString(l)
}

// A front is the data of a page that is not a story. Its strings are escaped.
type front struct {
	*view
	q *pressQuery

	Title, Path string // Path is empty for pages that do not declare a canonical URL
	Text        string
	Groups      []teaserGroup
	Most        []link
	Next, Prev  string
}

// A teaserGroup is a list of teasers with a heading.
type teaserGroup struct {
	Head    link
	Teasers []teaser
}

// A teaser is a link to a story: the lead of the page, a box with picture and summary,
// or a line.
type teaser struct {
	F    *front
	Link link
	Size string
}

// newFront returns a page of a path with a title and a text.
func (q *pressQuery) newFront(path, title, text string) *front {
	v := newView(q.site, q.base)
	v.r, v.root = q.site.stream(streamBoxes, int(q.at.Unix()/86400)), q.root
	return &front{view: v, q: q, Path: path, Title: title, Text: text}
}

func (f *front) render() []byte          { return execute("front", f) }
func (f *front) Label(key string) string { return f.q.label(key) }
func (f *front) FeedLinks() string       { return f.q.feedLinks(f.base) }
func (f *front) Layout() int             { return f.q.traits.layout }
func (f *front) Sponsored() bool         { return f.q.traits.sponsored && f.Groups != nil }

// Class returns the attribute class for a role, with the names of the site.
func (f *front) Class(role string) string {
	if c := f.q.look.class(role); c != "" {
		return ` class="` + c + `"`
	}
	return ""
}

// Address returns the canonical URL, if the page has one.
func (f *front) Address() string {
	if f.Path == "" || f.q.traits.canonical != "yes" {
		return ""
	}
	return html.EscapeString(f.root + f.Path)
}

// add adds a group of teasers of stories, the first of them of another size.
func (f *front) add(head link, ids []int, first, size string, sec section) {
	g := teaserGroup{Head: head}
	for i, k := range ids {
		t := teaser{F: f, Size: size}
		if i == 0 {
			t.Size = first
		}
		t.Link = f.teaserLink(k, sec, t.Size == "lead")
		g.Teasers = append(g.Teasers, t)
	}
	if len(ids) > 0 {
		f.Groups = append(f.Groups, g)
	}
}

// teaserLink returns a link to a story: with a tracking parameter or under a second
// section on some sites.
func (f *front) teaserLink(k int, sec section, track bool) link {
	q := f.q
	st := q.story(k, q.at)
	if second, ok := q.secondSection(k, st.section); !ok || second != sec {
		sec = st.section
	}
	query := ""
	if q.traits.tracking && track {
		query = q.pick("tracker", "utm_source=home&utm_medium=teaser", "ref=lead", "icid=lead", "cmpid=hp_lead")
	}
	x := f.linkTo(st)
	x.URL = html.EscapeString(q.base + withQuery(q.path(st, sec), query))
	return x
}

// perPage is the number of stories on a page of a section or of the archive.
const perPage = 20

// front serves the pages that are not stories.
func (q *pressQuery) front(path string) bool {
	dir := strings.Trim(path, "/")
	if path == "/" {
		return q.sendList(HomePage, htmlType, q.homePage)
	}
	if path != "/"+dir+"/" {
		return false
	}
	if dir == "archive" {
		return q.listPage(path, q.label("archive"), section{}, nil)
	}
	for _, sec := range q.site.sections {
		if sec.Slug == dir {
			return q.listPage(path, html.EscapeString(sec.Label), sec, func(k int) bool { return q.isIn(k, sec) })
		}
	}
	ui := q.site.grammar.ui
	label, ok := map[string]string{
		"about": ui["about"], "contact": ui["contact"], "privacy": ui["privacy"], "subscribe": ui["subscribe"],
		"newsletter": ui["newsletter"], "search": ui["search"], "login": q.label("login"), "jobs": q.label("jobs"),
	}[dir]
	if ok {
		page := q.newFront("", html.EscapeString(label), html.EscapeString(ui["newsletterline"]+" "+ui["consentline"]))
		q.send(htmlType, dir, q.press.opts.Start, page.render)
	}
	return ok
}

// mostRead returns the list of the day.
func (f *front) mostRead() (list []link) {
	q, day := f.q, f.q.at.Truncate(24*time.Hour)
	ids := q.newest(day, 0, 30, func(k int) bool { return q.deleted(k, q.at).IsZero() })
	for _, i := range q.site.stream(streamDay, int(day.Unix()/86400)+1<<40).Perm(len(ids))[:min(5, len(ids))] {
		list = append(list, f.teaserLink(ids[i], section{}, true))
	}
	return list
}

// homePage returns the home page. Every one of the newest stories has at least one
// teaser.
func (q *pressQuery) homePage() []byte {
	f := q.newFront("/", html.EscapeString(q.Title), "")
	if !q.has(HomePages, 100) {
		f.Text = f.UI("newsletterline")
		return f.render()
	}
	ids := q.newest(q.at, 0, q.traits.home, nil)
	boxes := 5 + q.choose("boxes", 6)
	f.add(link{}, ids[:boxes], "lead", "box", section{})
	if q.choose("home rest", 2) == 0 {
		for _, sec := range q.site.sections {
			var list []int
			for _, k := range ids[boxes:] {
				if q.isIn(k, sec) {
					list = append(list, k)
				}
			}
			f.add(f.sectionLink(sec), list, "box", "line", sec)
		}
	} else {
		f.add(link{Title: f.UI("latest"), URL: q.base + "/archive/"}, ids[boxes:], "line", "line", section{})
	}
	f.Most = f.mostRead()
	return f.render()
}

// listPage serves a page of a section or of the archive.
func (q *pressQuery) listPage(path, title string, sec section, keep func(k int) bool) bool {
	n, err := strconv.Atoi(cmp.Or(q.r.URL.Query().Get("page"), "1"))
	if err != nil || n < 1 || n > 1000 || !q.has(HomePages, 100) {
		return false
	}
	ids := q.newest(q.at, (n-1)*perPage, perPage+1, keep)
	if n > 1 && len(ids) == 0 {
		return false
	}
	return q.sendList("", htmlType, func() []byte {
		f := q.newFront(path, title, "")
		f.add(link{}, ids[:min(len(ids), perPage)], "box", "box", sec)
		if n > 1 {
			f.Prev = q.base + path + "?page=" + strconv.Itoa(n-1)
		}
		if len(ids) > perPage {
			f.Next = q.base + path + "?page=" + strconv.Itoa(n+1)
		}
		f.Most = f.mostRead()
		return f.render()
	})
}

const commentFeedPath = "/comments/feed/"

// feedTypes are the media types of the feeds.
var feedTypes = map[string]string{"rss": "application/rss+xml", "atom": "application/atom+xml"}

// feedLinks returns the declarations of the feeds.
func (s *PressSite) feedLinks(base string) string {
	if !s.traits.feedDeclared {
		return ""
	}
	links := `<link rel="alternate" type="` + feedTypes[s.traits.feed] + `" href="` + base + s.traits.feedPath + `">` + "\n"
	if s.traits.commentFeed {
		links += `<link rel="alternate" type="application/rss+xml" title="` + html.EscapeString(s.site.grammar.ui["comments"]) +
			`" href="` + base + commentFeedPath + `">` + "\n"
	}
	return links
}

// listing lists up to n stories for which keep returns true, with a query added to their URLs.
func (q *pressQuery) listing(n int, query string, keep func(k int) bool) listing {
	l := listing{Title: q.Title, Lang: q.Lang, Root: q.root, Updated: q.lastEvent(q.at), LastMod: q.traits.lastmod}
	for _, k := range q.newest(q.at, 0, n, keep) {
		st := q.story(k, q.at)
		l.Items = append(l.Items, st.listed(q.root+withQuery(q.path(st, st.section), query)))
	}
	return l
}

// feed serves the feeds of the site.
func (q *pressQuery) feed(path string) bool {
	t := &q.traits
	if t.commentFeed && path == commentFeedPath {
		return q.sendList(FeedPage, feedTypes["rss"], q.commentFeed)
	}
	if t.feed == "" || path != t.feedPath {
		return false
	}
	mediaType := feedTypes[t.feed]
	switch t.feedFault {
	case "header":
		mediaType += "; charset=iso-8859-1"
	case "", "ampersand":
		mediaType += "; charset=utf-8"
	}
	return q.sendList(FeedPage, mediaType, func() []byte {
		query := ""
		if t.feedTracking {
			query = "utm_source=rss&utm_medium=feed"
		}
		out := execute(t.feed, q.listing(t.feedLength, query, nil))
		switch t.feedFault {
		case "charset":
			out = bytes.Replace(out, []byte(`encoding="UTF-8"`), []byte(`encoding="ISO-8859-1"`), 1)
		case "ampersand": // as a system that pastes strings together writes it
			out = bytes.ReplaceAll(out, []byte("&amp;"), []byte("&"))
			out = bytes.Replace(out, []byte("</title>"), []byte(" & more</title>"), 1)
		}
		return out
	})
}

// commentFeed returns readers' comments, which are not stories.
func (q *pressQuery) commentFeed() []byte {
	l := q.listing(10, "", nil)
	for i := range l.Items {
		x := &l.Items[i]
		x.Title = q.site.grammar.generate(q.site.stream(streamBoilerplate, -i-1), nil, "username") + ": " + x.Title
		x.URL += "#comment-" + strconv.Itoa(i)
	}
	return execute("rss", l)
}

const newsSitemapPath = "/sitemap-news.xml"

// sitemap serves the sitemaps of the site.
func (q *pressQuery) sitemap(path string) bool {
	t := &q.traits
	month, isMonth := strings.CutPrefix(path, "/sitemaps/month-")
	month, _, _ = strings.Cut(month, ".")
	var render func() []byte
	switch {
	case t.sitemap == "":
		return false
	case path == newsSitemapPath && t.newsSitemap:
		render = func() []byte {
			l := q.listing(100, "", func(k int) bool { return q.at.Sub(q.entry(k).time()) < 48*time.Hour })
			l.News = true
			return execute("sitemap", l)
		}
	case path == t.sitemapPath && t.sitemap != "one":
		render = q.indexSitemap
	case path == t.sitemapPath || isMonth && t.sitemap != "one":
		render = func() []byte { return q.storySitemap(month) }
	default:
		return false
	}
	if strings.HasSuffix(path, ".gz") {
		return q.sendList(SitemapPage, "application/x-gzip", func() []byte { return zip(render()) })
	}
	return q.sendList(SitemapPage, "application/xml; charset=utf-8", render)
}

// storySitemap lists the stories of a month, or all if the site has one sitemap.
func (q *pressQuery) storySitemap(month string) []byte {
	isIn := func(k int) bool { return q.traits.sitemap == "one" || q.entry(k).time().Format("2006-01") == month }
	l := q.listing(math.MaxInt, "", isIn)
	if q.traits.listsPages {
		for _, sec := range q.site.sections {
			l.Pages = append(l.Pages, q.root+"/"+sec.Slug+"/")
		}
		for i := range q.site.grammar.rules["tag"] {
			l.Pages = append(l.Pages, q.root+"/tag/"+escapePath(slugOrHash(q.site.grammar.name("tag", i, 1)))+"/")
		}
	}
	return execute("sitemap", l)
}

// indexSitemap lists the sitemaps of the months and of the news.
func (q *pressQuery) indexSitemap() []byte {
	now := q.lastEvent(q.at)
	l := listing{LastMod: q.traits.lastmod}
	ext := map[string]string{"index": ".xml", "gz": ".xml.gz"}[q.traits.sitemap]
	first := q.press.opts.Start.Add(-q.press.opts.Archive)
	for t := time.Date(first.Year(), first.Month(), 1, 0, 0, 0, 0, time.UTC); !t.After(q.at); t = t.AddDate(0, 1, 0) {
		changed := t.AddDate(0, 1, 3) // stories are changed for some days
		if changed.After(now) {
			changed = now
		}
		l.Items = append(l.Items, listed{URL: q.root + "/sitemaps/month-" + t.Format("2006-01") + ext, Changed: changed})
	}
	if q.traits.newsSitemap {
		l.Items = append(l.Items, listed{URL: q.root + newsSitemapPath, Changed: now})
	}
	return execute("sitemapindex", l)
}

// zip compresses data.
func zip(data []byte) []byte {
	var out bytes.Buffer
	z := gzip.NewWriter(&out)
	z.Write(data)
	z.Close()
	return out.Bytes()
}
