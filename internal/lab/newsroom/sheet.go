package newsroom

import (
	"bytes"
	"fmt"
	"html"
	"math/rand/v2"
	"strings"
)

// A sheet writes one page of a cluttered site. It is the data of templates/cluttered.tmpl.
type sheet struct {
	V    *view
	l    *look
	r    *rand.Rand
	out  *bytes.Buffer
	runs int  // open paragraphs of text that br elements separate
	next bool // the story is a second one, after the story of the page
}

// clutteredArticle returns the page of a story.
func (v *view) clutteredArticle() []byte {
	p := &sheet{V: v, l: v.Site.look, r: v.Site.stream(streamBoxes, v.st.i), out: &bytes.Buffer{}}
	p.out.Write(execute("cluttered-top", p))
	p.story()
	if p.has("teasers", 4) {
		p.teasers()
	}
	if p.has("second", 2) {
		p.secondStory()
	}
	p.out.Write(execute("cluttered-end", p))
	return p.out.Bytes()
}

// Choose returns one of n choices of the site, always the same for a name.
func (p *sheet) Choose(name string, n int) int { return p.l.choose(name, n) }

// Pick returns one of a list, always the same for a name.
func (p *sheet) Pick(name string, list ...string) string { return list[p.l.choose(name, len(list))] }

// Meta says what metadata the site has: on some all, on some nothing.
func (p *sheet) Meta() int { return p.l.meta }

// has reports whether the page has a box: on sites that have it, on all pages but one in n.
func (p *sheet) has(kind string, n int) bool {
	return p.l.boxes[kind] && (n <= 1 || !oneIn(p.r, n))
}

func (p *sheet) raw(s string) { p.out.WriteString(s); p.out.WriteByte('\n') }

// open writes the start of an element of a role, with the names of the site.
func (p *sheet) open(tag, role string) { p.raw("<" + tag + p.Names(role) + ">") }

func (p *sheet) close(tag string) { p.raw("</" + tag + ">") }

// Names returns the attributes class and id for a role.
func (p *sheet) Names(role string) string {
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
		p.raw("<" + tag + p.Names(role) + ">" + markup + "</" + tag + ">")
	}
}

// text draws a line from a rule of the language that is not part of the story.
func (p *sheet) text(rule string) string {
	text := p.V.Site.grammar.generate(p.r, facts{}, rule)
	for _, field := range cells(text) {
		p.V.noise(field)
	}
	return text
}

// LangAttr returns the attributes for the language. Some sites do not name it.
func (p *sheet) LangAttr() string {
	s, attr := p.V.Site, ""
	switch p.l.choose("lang", 4) {
	case 0:
	case 1:
		attr = ` lang="` + s.Lang + "-" + strings.ToUpper(s.Country) + `"`
	default:
		attr = ` lang="` + s.Lang + `"`
	}
	if s.Lang == "ar" || s.Lang == "he" {
		attr += ` dir="rtl"`
	}
	return attr
}

// story writes the story of the view. A second story has no boxes.
func (p *sheet) story() {
	p.openStory()
	p.heading()
	if !p.next && p.has("video", 3) {
		p.line(p.Pick("video", "p", "div", "h3"), "video", p.text("videoline"))
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
	v := p.V
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
	v := p.V
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
	p.element(p.Pick("byline element", "p", "div", "span"), "byline", strings.Replace(pattern, "%s", names, 1))
}

// and returns what separates two names.
func (p *sheet) and() string {
	and := p.V.UI("and")
	switch {
	case p.V.Site.grammar.ui["space"] == "no":
		return and
	case p.V.Site.Lang == "ar", p.V.Site.Lang == "he":
		return " " + and // part of the next word
	}
	return " " + and + " "
}

func (p *sheet) date() {
	v := p.V
	date := v.Date()
	switch p.l.choose("date", 4) {
	case 0:
		p.raw(`<time` + p.Names("date") + ` datetime="` + v.DateISO() + `">` + date + `</time>`)
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
		p.picture(p.V.Lead())
	}
}

func (p *sheet) picture(pic *picture) {
	p.open("figure", "figure")
	p.raw(fmt.Sprintf(`<img src="%s" width="%d" height="%d" alt="">`, pic.Src(), pic.W, pic.H))
	if p.l.boxes["hidden"] {
		p.raw(p.hidden(p.text("imageof")))
	}
	p.raw("<figcaption" + p.Names("caption") + ">" + pic.Caption + " <span" + p.Names("credit") + ">" + pic.Credit + "</span></figcaption>")
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
