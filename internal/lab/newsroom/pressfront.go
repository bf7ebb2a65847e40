package newsroom

import (
	"html"
	"net/url"
	"strconv"
	"strings"
	"time"
)

// frontLayouts is the number of designs of teasers.
const frontLayouts = 5

// perPage is the number of stories on a page of a section or of the archive.
const perPage = 20

// front serves the pages that are no stories.
func (q *pressQuery) front(path string) bool {
	s := q.site
	if path == "/" && (s.traits.style.param == "" || !q.r.URL.Query().Has(s.traits.style.param)) {
		q.rec.Kind = HomePage
		q.sendList(htmlType, q.homePage)
		return true
	}
	dir, rest, slash := strings.Cut(strings.TrimPrefix(path, "/"), "/")
	if !slash && s.isDir(dir) {
		http301(q, "/"+dir+"/")
		return true
	}
	rest = strings.TrimSuffix(rest, "/")
	for _, sec := range s.site.sections {
		if sec.Slug == dir && rest == "" {
			return q.sectionPage(sec)
		}
	}
	switch dir {
	case "archive":
		return rest == "" && q.archivePage()
	case "tag", "author":
		return rest != "" && q.topicPage(dir, rest)
	case "calendar":
		return s.traits.calendar && q.calendarPage(rest)
	case "gallery", "video":
		return q.mediaPage(dir, rest)
	case "search", "login":
		q.sendStatic(dir, s.site.grammar.ui["search"])
		return true
	}
	if label, ok := s.staticPages()[dir]; ok && rest == "" {
		q.sendStatic(dir, label)
		return true
	}
	return false
}

func http301(q *pressQuery, path string) {
	q.w.Header().Set("Location", q.root+path)
	q.w.WriteHeader(301)
}

// isDir reports whether the site has a folder of fronts or other pages.
func (s *PressSite) isDir(name string) bool {
	for _, sec := range s.site.sections {
		if sec.Slug == name {
			return true
		}
	}
	_, ok := s.staticPages()[name]
	return ok || name == "archive"
}

// staticPages returns the pages about the paper, with their labels.
func (s *PressSite) staticPages() map[string]string {
	ui := s.site.grammar.ui
	return map[string]string{
		"about": ui["about"], "contact": ui["contact"], "privacy": ui["privacy"], "subscribe": ui["subscribe"],
		"newsletter": ui["newsletter"], "shop": s.label("shop"), "jobs": s.label("jobs"), "authors": s.label("authors"),
	}
}

// pagePaths returns the paths of pages that are no stories.
func (s *PressSite) pagePaths() []string {
	var paths []string
	for _, sec := range s.site.sections {
		paths = append(paths, "/"+sec.Slug+"/")
	}
	for i := range s.site.grammar.rules["tag"] {
		paths = append(paths, "/tag/"+escapePath(slugOrHash(s.site.grammar.name("tag", i, 1)))+"/")
	}
	return append(paths, "/about/", "/contact/", "/privacy/", "/archive/")
}

// sectionPage serves the front of a section, page by page.
func (q *pressQuery) sectionPage(sec section) bool {
	s := q.site
	page, ok := q.pageNumber()
	ids := s.newest(q.at, (page-1)*perPage, perPage+1, func(k int) bool {
		if s.sectionOf(k) == sec {
			return true
		}
		second, ok := s.secondSection(k)
		return ok && second == sec
	})
	if !ok || page > 1 && len(ids) == 0 {
		return false
	}
	q.rec.Kind = SectionPage
	q.sendList(htmlType, func() []byte { return q.listPage(sec.Label, "/"+sec.Slug+"/", ids, page, sec) })
	return true
}

// archivePage serves all stories, page by page.
func (q *pressQuery) archivePage() bool {
	page, ok := q.pageNumber()
	ids := q.site.newest(q.at, (page-1)*perPage, perPage+1, nil)
	if !ok || page > 1 && len(ids) == 0 {
		return false
	}
	q.rec.Kind = SectionPage
	q.sendList(htmlType, func() []byte { return q.listPage(q.site.label("archive"), "/archive/", ids, page, section{}) })
	return true
}

// pageNumber returns the number of the page of a list.
func (q *pressQuery) pageNumber() (int, bool) {
	n := q.r.URL.Query().Get("page")
	if n == "" {
		return 1, true
	}
	page, err := strconv.Atoi(n)
	return page, err == nil && page > 0 && page < 1000
}

// topicPage serves the newest stories of a tag or an author.
func (q *pressQuery) topicPage(kind, name string) bool {
	s := q.site
	label := ""
	ids := s.newest(q.at, 0, perPage, func(k int) bool {
		if k < s.plan(q.at)-80 {
			return false
		}
		st := s.story(k)
		names := st.tags
		if kind == "author" {
			names = st.authors
		}
		for _, n := range names {
			if slugOrHash(n) == name {
				label = n
				return true
			}
		}
		return false
	})
	if len(ids) == 0 {
		// Stories link to topics that no page has.
		q.w.Header().Set("Location", q.root+"/")
		q.w.WriteHeader(302)
		return true
	}
	q.rec.Kind = SectionPage
	q.sendList(htmlType, func() []byte { return q.listPage(label, "/"+kind+"/"+name+"/", ids, 1, section{}) })
	return true
}

// calendarPage serves a day of the calendar. It never ends.
func (q *pressQuery) calendarPage(rest string) bool {
	day := q.at
	if rest != "" {
		var err error
		if day, err = time.Parse(time.DateOnly, rest); err != nil {
			return false
		}
	}
	s, g := q.site, q.site.site.grammar
	link := func(d time.Time, label string) string {
		return `<a href="` + q.base + "/calendar/" + d.Format(time.DateOnly) + `/">` + html.EscapeString(label) + "</a> "
	}
	body := "<h2>" + html.EscapeString(g.formatDate(day, s.site.config.Date)) + "</h2><p>" +
		link(day.AddDate(0, 0, -1), s.label("previous")) + link(day.AddDate(0, 0, 1), s.label("next")) + "</p><ul>"
	r := s.site.stream(streamDay, -int(day.Unix()/86400)-1)
	for range 3 {
		body += "<li>" + html.EscapeString(g.generate(r, facts{}, "town")) + ", " + strconv.Itoa(9+r.IntN(12)) + ":00</li>"
	}
	q.send(htmlType, "calendar", s.press.opts.Start, func() []byte { return q.simplePage(html.EscapeString(s.label("calendar")), body+"</ul>") })
	return true
}

// mediaPage serves a gallery or a video, or their list.
func (q *pressQuery) mediaPage(kind, rest string) bool {
	s := q.site
	if kind == "gallery" && !s.traits.galleries || kind == "video" && !s.traits.videos {
		return false
	}
	label := s.label(map[string]string{"gallery": "gallery", "video": "videos"}[kind])
	newest := s.mediaNumber(q.at)
	if rest == "" {
		body := "<ul>"
		for n := newest; n > newest-12; n-- {
			body += `<li><a href="` + q.base + "/" + kind + "/" + strconv.Itoa(n) + `/">` + html.EscapeString(s.mediaTitle(kind, n)) + "</a></li>"
		}
		q.sendList(htmlType, func() []byte { return q.simplePage(html.EscapeString(label), body+"</ul>") })
		return true
	}
	n, err := strconv.Atoi(rest)
	if err != nil || n > newest || n < newest-400 {
		return false
	}
	title := html.EscapeString(s.mediaTitle(kind, n))
	var body strings.Builder
	if kind == "video" {
		body.WriteString(`<video controls width="640" height="360" poster="` + q.base + `/img/640x360/v` + rest + `.jpg"></video><p>0:` + strconv.Itoa(10+n%50) + `</p>`)
	} else {
		for i := range 8 {
			body.WriteString(`<figure><img src="` + q.base + `/img/960x540/g` + rest + "-" + strconv.Itoa(i) + `.jpg" width="960" height="540" alt=""><figcaption>` +
				strconv.Itoa(i+1) + ` / 8</figcaption></figure>`)
		}
	}
	q.send(htmlType, kind+rest, s.press.opts.Start, func() []byte { return q.simplePage(title, body.String()) })
	return true
}

// mediaNumber returns the number of the newest gallery: there is one every third day.
func (s *PressSite) mediaNumber(at time.Time) int { return int(at.Unix() / (3 * 86400)) }

// mediaTitle returns the title of a gallery or a video.
func (s *PressSite) mediaTitle(kind string, n int) string {
	r := s.site.stream(streamDay, -n-1<<40)
	label := s.label(map[string]string{"gallery": "gallery", "video": "videos"}[kind])
	return label + ": " + field(s.site.grammar.generate(r, facts{}, "town"), 1)
}

// sendStatic serves a page about the paper.
func (q *pressQuery) sendStatic(name, label string) {
	ui := q.site.site.grammar.ui
	body := ""
	for _, key := range []string{"newsletterline", "authorline", "consentline", "footer"} {
		body += "<p>" + html.EscapeString(ui[key]) + "</p>"
	}
	if name == "login" || name == "subscribe" || name == "newsletter" {
		body = `<form action="` + q.base + "/" + name + `/" method="post"><label>` + html.EscapeString(ui["email"]) +
			` <input type="email" name="mail"></label> <button>` + html.EscapeString(ui["signup"]) + "</button></form>" + body
	}
	if name == "authors" {
		body = "<ul>"
		for k := range staffSize {
			a := q.site.site.reporter(k)
			body += `<li><a href="` + q.base + "/author/" + slugOrHash(a) + `/">` + html.EscapeString(a) + "</a></li>"
		}
		body += "</ul>"
	}
	q.send(htmlType, name, q.site.press.opts.Start, func() []byte { return q.simplePage(html.EscapeString(label), body) })
}

// simplePage returns a page with the header and footer of the site.
func (q *pressQuery) simplePage(title, body string) []byte {
	p := q.newSheet()
	q.openFront(p, title, "")
	p.element("h1", "headline", title)
	p.raw(body)
	q.closeFront(p)
	return []byte(p.out.String())
}

// newSheet returns a sheet for a front page.
func (q *pressQuery) newSheet() *sheet {
	v := newView(q.site.site, q.base)
	v.r, v.root = q.site.site.stream(streamBoxes, int(q.at.Unix()/86400)), q.root
	return &sheet{v: v, l: q.site.look, r: v.r, out: &strings.Builder{}}
}

// withPage returns the address of another page of a list.
func withPage(path string, n int) string {
	if n == 1 {
		return path
	}
	return path + "?" + url.Values{"page": {strconv.Itoa(n)}}.Encode()
}
