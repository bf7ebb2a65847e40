package newsroom

import (
	"fmt"
	"html"
	"slices"
	"strings"
	"time"
)

// openFront writes everything above the content of a front page. The title is
// escaped.
func (q *pressQuery) openFront(p *sheet, title, path string) {
	s, t := q.site, &q.site.traits
	dir := ""
	if s.Lang == "ar" || s.Lang == "he" {
		dir = ` dir="rtl"`
	}
	p.raw("<!DOCTYPE html>\n<html" + p.langAttr() + dir + ">\n<head><meta charset=\"utf-8\">")
	full := html.EscapeString(s.Title)
	if title != full {
		full = title + " | " + full
	}
	p.raw("<title>" + full + `</title><meta name="viewport" content="width=device-width">`)
	if t.canonical == "yes" && path != "" {
		p.raw(`<link rel="canonical" href="` + q.root + html.EscapeString(path) + `">`)
	}
	if path != "" && s.is("og website", 50) {
		p.raw(`<meta property="og:type" content="website"><meta property="og:title" content="` + full + `">`)
	}
	p.raw(s.feedLinks(q.base) + "<style>body{font-family:sans-serif;max-width:72em;margin:auto}</style>\n</head>\n<body>")
	p.open("div", "page")
	p.open("header", "header")
	p.raw(`<a href="` + q.base + `/">` + p.v.Masthead() + `</a>`)
	q.links(p, "", [2]string{"/login/", s.label("login")}, [2]string{"/subscribe/", s.site.grammar.ui["subscribe"]}, [2]string{"/shop/", s.label("shop")})
	p.raw(`<form action="` + q.base + `/search"><input name="q" placeholder="` + p.v.UI("search") + `"></form>`)
	p.close("header")
	p.open("nav", "menu")
	p.raw("<ul>")
	for _, x := range p.v.Nav() {
		p.raw(`<li><a href="` + x.URL + `">` + x.Title + `</a></li>`)
	}
	if t.videos {
		q.links(p, "li", [2]string{"/video/", s.label("videos")})
	}
	if t.galleries {
		q.links(p, "li", [2]string{"/gallery/", s.label("gallery")})
	}
	if t.calendar {
		q.links(p, "li", [2]string{"/calendar/", s.label("calendar")})
	}
	p.raw("</ul>")
	p.close("nav")
	p.open([]string{"main", "div", "section"}[p.l.choose("main", 3)], "main")
}

// links writes links with labels, each in an element if tag is not empty.
func (q *pressQuery) links(p *sheet, tag string, list ...[2]string) {
	for _, x := range list {
		a := `<a href="` + q.base + x[0] + `">` + html.EscapeString(x[1]) + `</a>`
		if tag == "" {
			p.raw(a)
		} else {
			p.element(tag, "", a)
		}
	}
}

// closeFront writes everything below the content of a front page.
func (q *pressQuery) closeFront(p *sheet) {
	s, t := q.site, &q.site.traits
	p.close([]string{"main", "div", "section"}[p.l.choose("main", 3)])
	p.open("footer", "footer")
	p.raw("<ul>")
	pages := s.staticPages()
	for _, name := range []string{"about", "contact", "privacy", "newsletter", "authors", "jobs"} {
		q.links(p, "li", [2]string{"/" + name + "/", pages[name]})
	}
	q.links(p, "li", [2]string{"/archive/", s.label("archive")})
	if t.feedDeclared {
		q.links(p, "li", [2]string{t.feedPath, "RSS"})
	}
	for _, name := range []string{"Chirper", "Facepage", "Pinwall"} {
		p.raw(`<li><a href="https://` + slug(name) + `.example/` + strings.ReplaceAll(s.Name, "-", "") + `">` + name + `</a></li>`)
	}
	if t.mobile && q.sub != "m" {
		p.raw(`<li><a href="http://m.` + strings.TrimPrefix(q.r.Host, "www.") + `/">` + html.EscapeString(s.label("mobile")) + `</a></li>`)
	}
	if t.partners {
		for i := 1; i <= 3; i++ {
			other := s.press.sites[(s.n+i*7)%len(s.press.sites)]
			p.raw(`<li><a href="http://www.` + other.Name + strings.TrimPrefix(q.r.Host, q.sub+"."+s.Name) + `/">` + html.EscapeString(other.Title) + `</a></li>`)
		}
	}
	p.raw("</ul><p>" + p.v.UI("footer") + "</p>")
	p.close("footer")
	p.raw("</div></body></html>")
}

// listPage returns a page of a section, the archive, a tag or an author. There
// is a next page if there is one story more than a page has.
func (q *pressQuery) listPage(title, path string, ids []int, page int, sec section) []byte {
	s := q.site
	if s.press.opts.Ways != 0 && s.press.opts.Ways&HomePages == 0 {
		return q.landingPage()
	}
	p := q.newSheet()
	q.openFront(p, html.EscapeString(title), withPage(path, page))
	p.element("h1", "headline", html.EscapeString(title))
	for i, k := range ids[:min(len(ids), perPage)] {
		size := "box"
		if s.choose("list size", 3) == 0 && i > 3 {
			size = "line"
		}
		q.teaser(p, k, size, sec, "list")
	}
	p.open("div", "pager")
	if page > 1 {
		p.raw(`<a rel="prev" href="` + q.base + withPage(path, page-1) + `">` + html.EscapeString(s.label("previous")) + `</a>`)
	}
	for n := max(1, page-3); n < page; n++ {
		p.raw(fmt.Sprintf(`<a href="%s%s">%d</a>`, q.base, withPage(path, n), n))
	}
	if len(ids) > perPage {
		p.raw(`<a rel="next" href="` + q.base + withPage(path, page+1) + `">` + html.EscapeString(s.label("next")) + `</a>`)
	}
	p.close("div")
	q.mostRead(p)
	q.closeFront(p)
	return []byte(p.out.String())
}

// landingPage returns a front page without stories.
func (q *pressQuery) landingPage() []byte {
	return q.simplePage(html.EscapeString(q.site.Title), "<p>"+html.EscapeString(q.site.site.grammar.ui["newsletterline"])+`</p><p><a href="`+q.base+`/subscribe/">`+html.EscapeString(q.site.site.grammar.ui["subscribe"])+"</a></p>")
}

// homePage returns the home page. Every one of the newest stories has at least
// one teaser.
func (q *pressQuery) homePage() []byte {
	s, t := q.site, &q.site.traits
	if s.press.opts.Ways != 0 && s.press.opts.Ways&HomePages == 0 {
		return q.landingPage()
	}
	ids := s.newest(q.at, 0, t.home, nil)
	p := q.newSheet()
	q.openFront(p, html.EscapeString(s.Title), "/")
	if e, _ := s.entry(ids[0]); q.at.Sub(e.time()) < 2*time.Hour && s.is("breaking", 50) {
		p.open("div", "breaking")
		p.raw("<b>" + html.EscapeString(s.label("breaking")) + "</b>")
		q.teaser(p, ids[0], "line", section{}, "breaking")
		p.close("div")
	}
	// The lead is not always the newest story.
	lead := int(s.chance("lead", ids[0]) % 3)
	p.open("section", "leadstory")
	q.teaser(p, ids[lead], "lead", section{}, "lead")
	p.close("section")
	rest := slices.Delete(slices.Clone(ids), lead, lead+1)
	boxes := 4 + s.choose("boxes", 6)
	p.open("section", "teasers")
	for i, k := range rest[:boxes] {
		q.teaser(p, k, "box", section{}, "box")
		if t.sponsored && i == 2 {
			q.sponsor(p)
		}
	}
	p.close("section")
	rest = rest[boxes:]
	if s.choose("home rest", 2) == 0 {
		q.sectionBlocks(p, rest)
	} else {
		q.latest(p, rest)
	}
	if s.is("opinion", 60) {
		q.opinion(p, ids)
	}
	if t.galleries || t.videos {
		q.media(p)
	}
	p.open("aside", "aside")
	q.mostRead(p)
	p.element("div", "newsletter", "<b>"+p.v.UI("newsletter")+"</b> "+p.v.UI("newsletterline")+` <a href="`+q.base+`/newsletter/">`+p.v.UI("signup")+"</a>")
	if t.sponsored {
		q.sponsor(p)
		q.sponsor(p)
	}
	q.tagCloud(p)
	p.close("aside")
	q.closeFront(p)
	return []byte(p.out.String())
}

// sectionBlocks writes the stories by section.
func (q *pressQuery) sectionBlocks(p *sheet, ids []int) {
	s := q.site
	for _, sec := range s.site.sections {
		open := false
		for _, k := range ids {
			second, two := s.secondSection(k)
			if s.sectionOf(k) != sec && !(two && second == sec) {
				continue
			}
			if !open {
				p.open("section", "list")
				p.raw(`<h2><a href="` + q.base + "/" + sec.Slug + `/">` + html.EscapeString(sec.Label) + `</a></h2>`)
				open = true
				q.teaser(p, k, "box", sec, "section")
				continue
			}
			q.teaser(p, k, "line", sec, "section")
		}
		if open {
			p.close("section")
		}
	}
}

// latest writes the stories as a list with their times.
func (q *pressQuery) latest(p *sheet, ids []int) {
	p.open("section", "list")
	p.raw("<h2>" + p.v.UI("latest") + "</h2>")
	for _, k := range ids {
		q.teaser(p, k, "line", section{}, "latest")
	}
	q.links(p, "p", [2]string{"/archive/", q.site.label("archive")})
	p.close("section")
}

// opinion writes teasers with their authors.
func (q *pressQuery) opinion(p *sheet, ids []int) {
	p.open("section", "opinion")
	p.line("h2", "", q.site.label("opinion"))
	for i := 5; i < len(ids) && i < 14; i += 3 {
		st := q.site.story(ids[i])
		author := st.authors[0]
		p.raw(`<div><a href="` + q.base + "/author/" + slugOrHash(author) + `/">` + html.EscapeString(author) + `</a> <a href="` + q.teaserURL(st, section{}, "opinion") + `">` + html.EscapeString(st.title) + `</a></div>`)
	}
	p.close("section")
}

// mostRead writes the list of the day.
func (q *pressQuery) mostRead(p *sheet) {
	s := q.site
	day := q.at.Truncate(24 * time.Hour)
	ids := s.newest(day, 0, 30, func(k int) bool { return !s.isDeleted(k, q.at) })
	p.open("div", "mostread")
	p.raw("<h3>" + p.v.UI("mostread") + "</h3><ol>")
	for _, i := range s.site.stream(streamDay, int(day.Unix()/86400)+1<<40).Perm(len(ids))[:min(5, len(ids))] {
		st := s.story(ids[i])
		p.raw(`<li><a href="` + q.teaserURL(st, section{}, "mostread") + `">` + html.EscapeString(st.title) + `</a></li>`)
	}
	p.raw("</ol>")
	p.close("div")
}

// media writes links to the newest gallery and video.
func (q *pressQuery) media(p *sheet) {
	s, n := q.site, q.site.mediaNumber(q.at)
	p.open("section", "box")
	for _, kind := range []string{"gallery", "video"} {
		if kind == "gallery" && s.traits.galleries || kind == "video" && s.traits.videos {
			p.raw(fmt.Sprintf(`<a href="%s/%s/%d/"><img src="%s/img/320x180/m%d.jpg" alt="">%s</a>`, q.base, kind, n, q.base, n%100, html.EscapeString(s.mediaTitle(kind, n))))
		}
	}
	p.close("section")
}

// sponsor writes an advertisement that looks like a teaser.
func (q *pressQuery) sponsor(p *sheet) {
	ad := p.v.Advert()
	p.open("div", "sponsored")
	p.raw("<small>" + p.v.UI("sponsored") + `</small> <a rel="sponsored nofollow" href="` + ad.URL + `">` + ad.Text + `</a>`)
	p.close("div")
}

// tagCloud writes links to the tags.
func (q *pressQuery) tagCloud(p *sheet) {
	p.raw("<p>")
	for _, x := range p.v.Cloud() {
		p.raw(`<a href="` + x.URL + `">` + x.Title + `</a>`)
	}
	p.raw("</p>")
}

// teaserURL returns the escaped address of a story in a teaser: with a tracking
// parameter, under a second section or in another form on some sites.
func (q *pressQuery) teaserURL(st *story, sec section, place string) string {
	s, t := q.site, &q.site.traits
	path := s.path(st, st.section)
	if second, ok := s.secondSection(st.i); ok && second == sec {
		path = s.path(st, second)
	}
	switch {
	case place == "mostread" && t.ampLinks:
		path = s.form(st, "amp")
	case place == "mostread" && t.oldLinks:
		path = s.form(st, "old")
	case t.tracking && (place == "lead" || place == "mostread" || place == "breaking"):
		sep := "?"
		if strings.Contains(path, "?") {
			sep = "&"
		}
		path += sep + pick(s, "tracker", []string{"utm_source=home&utm_medium=teaser&utm_campaign=" + place, "ref=" + place, "icid=" + place, "cmpid=hp_" + place})
	case place == "opinion" && s.is("comment links", 20):
		path += "#comments"
	}
	return html.EscapeString(q.base + path)
}
