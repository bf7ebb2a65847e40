package newsroom

import (
	"cmp"
	"html"
	"math"
	"strconv"
	"strings"
	"time"
)

// Label returns a label of front pages in the language of the site, escaped.
func (s *PressSite) Label(key string) string {
	return html.EscapeString(pressWords().ui[s.Lang+" "+key])
}

// A front is the data of a page that is not a story. Its strings are escaped.
type front struct {
	*view
	Q    *pressQuery
	Look *look

	Title, Path string // Path is empty for pages that do not declare a canonical URL
	Text        string
	Layout      int // of teasers
	Groups      []teaserGroup
	Sponsored   bool
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
	return &front{view: v, Q: q, Look: q.look, Path: path, Title: title, Text: text, Layout: q.choose("layout", 5)}
}

func (f *front) render() []byte { return execute("front", f) }

// Address returns the canonical URL, if the page has one.
func (f *front) Address() string {
	if f.Path == "" || f.Q.canonical != "yes" {
		return ""
	}
	return html.EscapeString(f.root + f.Path)
}

// add adds a group of teasers of stories, the first of them of another size.
func (f *front) add(head link, ids []int, first, size string) {
	g := teaserGroup{Head: head}
	for i, k := range ids {
		t := teaser{F: f, Size: size}
		if i == 0 {
			t.Size = first
		}
		t.Link = f.teaserLink(k, t.Size == "lead")
		g.Teasers = append(g.Teasers, t)
	}
	if len(ids) > 0 {
		f.Groups, f.Sponsored = append(f.Groups, g), f.Q.is("sponsored", 60)
	}
}

// teaserLink returns a link to a story, with a tracking parameter on some sites.
func (f *front) teaserLink(k int, track bool) link {
	q := f.Q
	st := q.story(k, q.at)
	query := ""
	if track && q.is("tracking", 25) {
		query = q.pick("tracker", "utm_source=home&utm_medium=teaser", "ref=lead", "icid=lead", "cmpid=hp_lead")
	}
	x := f.linkTo(st)
	x.URL = html.EscapeString(q.base + withQuery(q.path(st), query))
	return x
}

// perPage is the number of stories on a page of a section or of the archive.
const perPage = 20

// serveFront serves the pages that are not stories.
func (q *pressQuery) serveFront(path string) bool {
	dir := strings.Trim(path, "/")
	if path == "/" {
		return q.sendList(HomePage, htmlType, q.homePage)
	}
	if path != "/"+dir+"/" {
		return false
	}
	if dir == "archive" {
		return q.listPage(path, q.Label("archive"), nil)
	}
	for _, sec := range q.site.sections {
		if sec.Slug == dir {
			return q.listPage(path, html.EscapeString(sec.Label), func(k int) bool { return q.isIn(k, sec) })
		}
	}
	ui := q.site.grammar.ui
	title := cmp.Or(ui[dir], pressWords().ui[q.Lang+" "+dir])
	if title != "" {
		page := q.newFront("", html.EscapeString(title), html.EscapeString(ui["newsletterline"]+" "+ui["consentline"]))
		q.send(htmlType, dir, q.press.opts.Start, page.render)
	}
	return title != ""
}

// mostRead returns the list of the day.
func (f *front) mostRead() (list []link) {
	q, day := f.Q, f.Q.at.Truncate(24*time.Hour)
	ids := q.newest(day, 0, 30, nil)
	for _, i := range q.site.stream(streamDay, int(day.Unix()/86400)+1<<40).Perm(len(ids))[:min(5, len(ids))] {
		list = append(list, f.teaserLink(ids[i], true))
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
	ids := q.newest(q.at, 0, max(15+q.choose("home", 26), q.rate+4), nil) // a story stays for a day
	boxes := 5 + q.choose("boxes", 6)
	f.add(link{}, ids[:boxes], "lead", "box")
	if q.choose("home rest", 2) == 0 {
		for _, sec := range q.site.sections {
			var list []int
			for _, k := range ids[boxes:] {
				if q.isIn(k, sec) {
					list = append(list, k)
				}
			}
			f.add(f.sectionLink(sec), list, "box", "line")
		}
	} else {
		f.add(link{Title: f.UI("latest"), URL: q.base + "/archive/"}, ids[boxes:], "line", "line")
	}
	f.Most = f.mostRead()
	return f.render()
}

// listPage serves a page of a section or of the archive.
func (q *pressQuery) listPage(path, title string, keep func(k int) bool) bool {
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
		f.add(link{}, ids[:min(len(ids), perPage)], "box", "box")
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

// feedTypes are the media types of the feeds.
var feedTypes = map[string]string{"rss": "application/rss+xml", "atom": "application/atom+xml"}

// FeedLink returns the declaration of the feed, if the site has one.
func (s *PressSite) FeedLink(base string) string {
	if !s.feedDeclared {
		return ""
	}
	return `<link rel="alternate" type="` + feedTypes[s.feed] + `" href="` + base + s.feedPath + `">` + "\n"
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

// listing lists up to n stories for which keep returns true, with a query added to their URLs.
func (q *pressQuery) listing(n int, query string, keep func(k int) bool) listing {
	l := listing{Title: q.Title, Lang: q.Lang, Root: q.root, Updated: q.lastEvent(q.at), LastMod: q.is("lastmod", 75)}
	for _, k := range q.newest(q.at, 0, n, keep) {
		st := q.story(k, q.at)
		l.Items = append(l.Items, st.listed(q.root+withQuery(q.path(st), query)))
	}
	return l
}

// serveFeed serves the feed of the site.
func (q *pressQuery) serveFeed(path string) bool {
	if q.feed == "" || path != q.feedPath {
		return false
	}
	return q.sendList(FeedPage, feedTypes[q.feed]+"; charset=utf-8", func() []byte {
		query := ""
		if q.is("feed tracking", 20) {
			query = "utm_source=rss&utm_medium=feed"
		}
		length := max([]int{20, 20, 30, 50}[q.choose("feed length", 4)], q.rate+8)
		return execute(q.feed, q.listing(length, query, nil))
	})
}

const newsSitemapPath = "/sitemap-news.xml"

// serveSitemap serves the sitemaps of the site.
func (q *pressQuery) serveSitemap(path string) bool {
	month, isMonth := strings.CutPrefix(path, "/sitemaps/month-")
	month, _, _ = strings.Cut(month, ".")
	var render func() []byte
	switch {
	case q.sitemap == "":
		return false
	case path == newsSitemapPath && q.newsSitemap:
		render = func() []byte {
			l := q.listing(100, "", func(k int) bool { return q.at.Sub(q.entry(k).time) < 48*time.Hour })
			l.News = true
			return execute("sitemap", l)
		}
	case path == q.sitemapPath && q.sitemap != "one":
		render = q.indexSitemap
	case path == q.sitemapPath || isMonth && q.sitemap != "one":
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
	isIn := func(k int) bool { return q.sitemap == "one" || q.entry(k).time.Format("2006-01") == month }
	l := q.listing(math.MaxInt, "", isIn)
	if q.is("lists pages", 50) {
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
	l := listing{LastMod: q.is("lastmod", 75)}
	ext := map[string]string{"index": ".xml", "gz": ".xml.gz"}[q.sitemap]
	first := q.press.opts.Start.Add(-q.press.opts.Archive)
	for t := time.Date(first.Year(), first.Month(), 1, 0, 0, 0, 0, time.UTC); !t.After(q.at); t = t.AddDate(0, 1, 0) {
		changed := t.AddDate(0, 1, 3) // stories are changed for some days
		if changed.After(now) {
			changed = now
		}
		l.Items = append(l.Items, listed{URL: q.root + "/sitemaps/month-" + t.Format("2006-01") + ext, Changed: changed})
	}
	if q.newsSitemap {
		l.Items = append(l.Items, listed{URL: q.root + newsSitemapPath, Changed: now})
	}
	return execute("sitemapindex", l)
}
