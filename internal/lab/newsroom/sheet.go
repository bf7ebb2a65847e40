package newsroom

import (
	"fmt"
	"html"
	"math/rand/v2"
	"strings"
)

// A sheet writes one page of a cluttered site.
type sheet struct {
	v    *view
	l    *look
	r    *rand.Rand
	out  *strings.Builder
	runs int  // open paragraphs of text that br elements separate
	next bool // the story is a second one, after the story of the page
}

// clutteredArticle returns the page of a story.
func (v *view) clutteredArticle() []byte {
	p := &sheet{v: v, l: v.Site.look, r: v.Site.stream(streamBoxes, v.st.i), out: &strings.Builder{}}
	p.openPage()
	p.story()
	if p.has("teasers", 4) {
		p.teasers()
	}
	if p.has("second", 2) {
		p.secondStory()
	}
	p.closePage()
	return []byte(p.out.String())
}

// clutteredIndex returns a page of headlines.
func (v *view) clutteredIndex() []byte {
	p := &sheet{v: v, l: v.Site.look, r: v.r, out: &strings.Builder{}}
	p.openPage()
	p.line("h1", "headline", v.gold.Title)
	for _, x := range v.Stories(0, 30) {
		p.open("div", "teaser")
		p.raw(`<h2><a href="` + x.URL + `">` + x.Title + `</a></h2>`)
		p.raw("<p>" + x.Teaser + "</p>")
		p.close("div")
	}
	p.closePage()
	return []byte(p.out.String())
}

// has reports whether the page has a box: on sites that have it, on all pages but one in n.
func (p *sheet) has(kind string, n int) bool {
	return p.l.boxes[kind] && (n <= 1 || !oneIn(p.r, n))
}

func (p *sheet) raw(s string) { p.out.WriteString(s); p.out.WriteByte('\n') }

// open writes the start of an element of a role, with the names of the site.
func (p *sheet) open(tag, role string) { p.raw("<" + tag + p.names(role) + ">") }

func (p *sheet) close(tag string) { p.raw("</" + tag + ">") }

// names returns the attributes class and id for a role.
func (p *sheet) names(role string) string {
	var attrs string
	if role == "" {
		return ""
	}
	if c := p.l.class(role); c != "" {
		attrs = ` class="` + c + `"`
	}
	if p.l.uuids && (role == "p" || oneIn(p.r, 3)) {
		id := uuid(p.r)
		if p.l.choose("short ids", 2) == 0 {
			id = role + "-" + id[24:]
		}
		attrs += ` id="` + id + `"`
	}
	if p.l.data && role == "p" {
		attrs += ` data-component="text-block"`
	}
	return attrs
}

// line writes an element with text. It does nothing for empty text.
func (p *sheet) line(tag, role, text string) { p.element(tag, role, html.EscapeString(text)) }

// element writes an element with markup. It does nothing for an empty one.
func (p *sheet) element(tag, role, markup string) {
	if markup != "" {
		p.raw("<" + tag + p.names(role) + ">" + markup + "</" + tag + ">")
	}
}

// text draws a line from a rule of the language that is not part of the story.
func (p *sheet) text(rule string) string {
	text := p.v.Site.grammar.generate(p.r, facts{}, rule)
	for _, field := range cells(text) {
		p.v.noise(field)
	}
	return text
}

// openPage writes everything above the story.
func (p *sheet) openPage() {
	v := p.v
	dir := ""
	if v.Site.Lang == "ar" || v.Site.Lang == "he" {
		dir = ` dir="rtl"`
	}
	p.raw("<!DOCTYPE html>\n<html" + p.langAttr() + dir + ">\n<head><meta charset=\"utf-8\">")
	title := v.Headline()
	if p.l.choose("title", 3) > 0 {
		title += []string{" | ", " - ", " – "}[p.l.choose("title separator", 3)] + v.Masthead()
	}
	p.raw("<title>" + title + "</title>")
	p.metadata()
	p.raw("<style>body{font-family:serif;max-width:60em;margin:auto}</style>\n</head>\n<body>")
	p.open("div", "page")
	p.open("header", "header")
	p.raw(`<a href="` + v.base + `/">` + v.Masthead() + `</a>`)
	p.raw("<nav><ul>")
	for _, x := range v.Nav() {
		p.raw(`<li><a href="` + x.URL + `">` + x.Title + `</a></li>`)
	}
	p.raw("</ul></nav>")
	p.close("header")
	p.open([]string{"main", "div", "section"}[p.l.choose("main", 3)], "main")
}

// langAttr returns the lang attribute. Some sites have none.
func (p *sheet) langAttr() string {
	switch p.l.choose("lang", 4) {
	case 0:
		return ""
	case 1:
		return ` lang="` + p.v.Site.Lang + "-" + strings.ToUpper(p.v.Site.Country) + `"`
	}
	return ` lang="` + p.v.Site.Lang + `"`
}

// closePage writes everything below the story.
func (p *sheet) closePage() {
	v := p.v
	if v.st != nil {
		p.comments()
	}
	p.close([]string{"main", "div", "section"}[p.l.choose("main", 3)])
	p.open("aside", "aside")
	p.raw("<h3>" + v.Noise("mostread") + "</h3><ol>")
	for _, x := range v.MostRead(6) {
		p.raw(`<li><a href="` + x.URL + `">` + x.Title + `</a></li>`)
	}
	p.raw("</ol>")
	p.close("aside")
	p.open("footer", "footer")
	p.raw("<p>" + v.Noise("footer") + "</p>")
	for _, key := range []string{"about", "contact", "privacy"} {
		p.raw(`<a href="` + v.base + "/" + key + `/">` + v.UI(key) + `</a>`)
	}
	p.close("footer")
	p.raw("</div></body></html>")
}

func (p *sheet) comments() {
	if p.l.choose("comments", 3) == 0 {
		return
	}
	p.open("section", "comments")
	p.raw("<h2>" + p.v.Noise("comments") + "</h2>")
	for _, c := range p.v.Comments() {
		p.raw(`<div class="comment"><b>` + c.User + `</b> <time>` + c.Date + `</time><p>` + c.Text + `</p></div>`)
	}
	p.close("section")
}

// metadata writes what the head says about the story: on some sites all, on some nothing.
func (p *sheet) metadata() {
	v := p.v
	p.raw(`<meta name="viewport" content="width=device-width"><link rel="canonical" href="` + v.Canonical() + `">`)
	if v.st == nil {
		return
	}
	meta := func(attr, name, content string) {
		p.raw(`<meta ` + attr + `="` + name + `" content="` + content + `">`)
	}
	if p.l.meta < 4 {
		meta("property", "og:type", "article")
		meta("property", "og:title", v.Headline())
		meta("property", "og:site_name", v.Masthead())
		meta("property", "og:image", v.LeadURL())
	}
	if p.l.meta == 1 || p.l.meta == 2 {
		meta("property", "article:published_time", v.DateISO())
		meta("property", "article:modified_time", v.UpdatedISO())
	}
	if p.l.meta == 2 || p.l.meta == 3 {
		p.raw(`<script type="application/ld+json">` + v.JSONLD() + `</script>`)
	}
}

// story writes the story of the view. A second story has no boxes.
func (p *sheet) story() {
	p.openStory()
	p.heading()
	if !p.next && p.has("video", 3) {
		p.line([]string{"p", "div", "h3"}[p.l.choose("video", 3)], "video", p.text("videoline"))
	}
	p.lead()
	if p.l.wrap != 4 {
		p.open([]string{"div", "section", "div", "article"}[p.l.wrap], "body")
	}
	if !p.next {
		p.topBoxes()
	}
	p.body()
	if !p.next {
		p.endBoxes()
	}
	if p.l.wrap != 4 {
		p.close([]string{"div", "section", "div", "article"}[p.l.wrap])
	}
	p.closeStory()
}

func (p *sheet) openStory() {
	p.open([]string{"article", "article", "div", "section", "div"}[p.l.wrap], "article")
}

func (p *sheet) closeStory() {
	p.close([]string{"article", "article", "div", "section", "div"}[p.l.wrap])
}

// heading writes headline, standfirst, byline and date in the order of the site.
func (p *sheet) heading() {
	v := p.v
	h := "h1"
	if p.next && p.l.choose("second headline", 2) == 0 {
		h = "h2"
	}
	p.element(h, "headline", v.Headline())
	if p.l.head != 3 {
		p.element([]string{"p", "div", "h2"}[p.l.head], "standfirst", v.Standfirst())
	}
	if p.l.head == 1 {
		p.date()
		p.byline()
	} else {
		p.byline()
		p.date()
	}
}

func (p *sheet) byline() {
	v := p.v
	var list []string
	linked := p.l.choose("linked authors", 3) == 0
	for _, a := range v.Authors() {
		if linked {
			a.Title = `<a rel="author" href="` + a.URL + `">` + a.Title + `</a>`
		}
		list = append(list, a.Title)
	}
	names := strings.Join(list, p.and())
	rules := v.Site.grammar.rules["byline"]
	pattern := html.EscapeString(v.Site.grammar.fill(p.r, facts{}, rules[p.l.choose("byline", len(rules))]))
	p.element([]string{"p", "div", "span"}[p.l.choose("byline element", 3)], "byline", strings.Replace(pattern, "%s", names, 1))
}

// and returns what separates two names.
func (p *sheet) and() string {
	and := p.v.UI("and")
	switch {
	case p.v.Site.grammar.ui["space"] == "no":
		return and
	case p.v.Site.Lang == "ar", p.v.Site.Lang == "he":
		return " " + and // part of the next word
	}
	return " " + and + " "
}

func (p *sheet) date() {
	v := p.v
	date := v.Date()
	switch p.l.choose("date", 4) {
	case 0:
		p.raw(`<time` + p.names("date") + ` datetime="` + v.DateISO() + `">` + date + `</time>`)
	case 1:
		p.element("span", "date", v.UI("published")+" "+date)
	case 2:
		p.element("div", "date", date)
	default:
		p.element("p", "date", date)
	}
	if u := v.Updated(); u != "" && p.l.choose("updated", 2) == 0 {
		p.element("span", "date", v.UI("updated")+" "+u)
	}
}

// lead writes the picture above the text.
func (p *sheet) lead() {
	if p.l.choose("lead", 4) > 0 {
		p.picture(p.v.Lead())
	}
}

func (p *sheet) picture(pic *picture) {
	p.open("figure", "figure")
	p.raw(fmt.Sprintf(`<img src="%s" width="%d" height="%d" alt="">`, pic.Src(), pic.W, pic.H))
	if p.l.boxes["hidden"] {
		p.raw(p.hidden(p.text("imageof")))
	}
	p.raw("<figcaption" + p.names("caption") + ">" + pic.Caption + " <span" + p.names("credit") + ">" + pic.Credit + "</span></figcaption>")
	p.close("figure")
}

// hidden returns words that only a screen reader reads.
func (p *sheet) hidden(words string) string {
	if p.l.naming == nameWords || p.l.naming == nameUtility {
		names := classNames()
		return `<span class="` + names.name("hidden", p.l.choose("hidden", len(names.rules["hidden"])), 1) + `">` + html.EscapeString(words) + `</span>`
	}
	style := []string{
		"position:absolute;width:1px;height:1px;overflow:hidden;clip:rect(0 0 0 0)",
		"position:absolute;left:-9999px",
		"clip:rect(1px,1px,1px,1px);position:absolute!important;height:1px;width:1px;overflow:hidden",
	}[p.l.choose("hidden style", 3)]
	return `<span style="` + style + `">` + html.EscapeString(words) + `</span>`
}
