package newsroom

import (
	"html"
	"maps"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
)

// A sheet is a page of a cluttered site, the data of templates/cluttered.tmpl. Its methods
// return escaped text, and draw random numbers in the order in which the template calls them.
type sheet struct {
	*look
	V    *view
	Next bool // the story is a second one, after the story of the page, and has no boxes
	r    *rand.Rand
	runs int // open paragraphs of text that br elements separate
}

// A boxed is a sheet with the subject of a template: a block, a picture, a link, a box.
type boxed struct {
	*sheet
	X any
}

// With returns the sheet with a subject.
func (p *sheet) With(x any) boxed { return boxed{p, x} }

// Nth returns entry i of a list, and nothing after its end.
func (p *sheet) Nth(i int, list ...string) string {
	if i >= len(list) {
		return ""
	}
	return list[i]
}

// Has reports whether the page has a box: on sites that have it, on all pages but one in n.
func (p *sheet) Has(kind string, n int) bool { return p.boxes[kind] && (n <= 1 || !oneIn(p.r, n)) }

// Role returns the role, or nothing on sites that give such boxes no names.
func (p *sheet) Role(role string) string {
	if p.Choose("named "+role, 2) == 0 {
		return ""
	}
	return role
}

// Names returns the attributes class and id for a role.
func (p *sheet) Names(role string) string {
	if role == "" {
		return ""
	}
	attrs := p.Class(role)
	if p.uuids && (role == "p" || oneIn(p.r, 3)) {
		id := uuid(p.r)
		if p.Choose("short ids", 2) == 0 {
			id = role + "-" + id[24:]
		}
		attrs += ` id="` + id + `"`
	}
	if p.data && role == "p" {
		attrs += ` data-component="text-block"`
	}
	return attrs
}

// El returns an element with markup, and nothing for an empty one.
func (p *sheet) El(tag, role, markup string) string {
	if markup == "" {
		return ""
	}
	return "<" + tag + p.Names(role) + ">" + markup + "</" + tag + ">\n"
}

// text draws a line from a rule of the language that is not part of the story.
func (p *sheet) text(rule string) string {
	text := p.V.Site.grammar.generate(p.r, facts{}, rule)
	for _, field := range cells(text) {
		p.V.noise(field)
	}
	return text
}

// Line draws a line from a rule.
func (p *sheet) Line(rule string) string { return html.EscapeString(p.text(rule)) }

// Emphasis emphasises a line as the site does.
func (p *sheet) Emphasis(name, text string) string {
	if tag := p.Pick(name+" emphasis", "", "em", "strong", "small"); tag != "" {
		return "<" + tag + ">" + text + "</" + tag + ">"
	}
	return text
}

// Hidden returns words that only a screen reader reads.
func (p *sheet) Hidden(words string) string {
	attr := `style="` + p.Pick("hidden style",
		"position:absolute;width:1px;height:1px;overflow:hidden;clip:rect(0 0 0 0)",
		"position:absolute;left:-9999px",
		"clip:rect(1px,1px,1px,1px);position:absolute!important;height:1px;width:1px;overflow:hidden") + `"`
	if p.naming == nameWords || p.naming == nameUtility {
		attr = `class="` + p.word("hidden", "hidden") + `"`
	}
	return "<span " + attr + ">" + words + "</span>"
}

// Byline returns the line with the authors.
func (p *sheet) Byline() string {
	var list []string
	for _, a := range p.V.Authors() {
		if p.Choose("linked authors", 3) == 0 {
			a.Title = `<a rel="author" href="` + a.URL + `">` + a.Title + `</a>`
		}
		list = append(list, a.Title)
	}
	g, and := p.V.Site.grammar, p.V.UI("and")
	switch {
	case g.ui["space"] == "no":
	case p.V.Site.Lang == "ar", p.V.Site.Lang == "he":
		and = " " + and // part of the next word
	default:
		and = " " + and + " "
	}
	rules := g.rules["byline"]
	pattern := html.EscapeString(g.fill(p.r, facts{}, rules[p.Choose("byline", len(rules))]))
	return strings.Replace(pattern, "%s", strings.Join(list, and), 1)
}

// KeyPoints returns the lines of a box that belongs to the story.
func (p *sheet) KeyPoints() []string {
	v := p.V
	w := newWriter(v.Site, &story{i: v.st.i + 1<<40, facts: maps.Clone(v.st.facts)})
	var lines []string
	for range 2 + p.r.IntN(3) {
		lines = append(lines, w.draw("sentence"))
	}
	v.lines = append(append(v.lines, v.Site.grammar.ui["key"]), lines...)
	return lines
}

// Words returns the markup of a paragraph.
func (p *sheet) Words(b *block) string {
	if p.boxes["hidden"] && !p.Next && strings.Contains(b.HTML, "</a>") {
		return strings.Replace(b.HTML, "</a>", p.Hidden(" "+p.Line("opens"))+"</a>", 1)
	}
	return b.HTML
}

// Run returns what comes before a paragraph that is not an element of its own.
func (p *sheet) Run() string {
	p.runs++
	if p.runs == 1 {
		return "<div>\n"
	}
	return "<br><br>\n"
}

// EndRuns closes the element of such paragraphs.
func (p *sheet) EndRuns() string {
	if p.runs == 0 {
		return ""
	}
	p.runs = 0
	return "</div>\n"
}

// Between returns the kind of the box after block k, if there is one. A box does not part a
// heading or the intro of a list from what it belongs to.
func (p *sheet) Between(k int) string {
	blocks, n := p.V.Body(), 0
	if p.Next || k+1 == len(blocks) || blocks[k].Kind != "p" || blocks[k+1].Kind != "p" {
		return ""
	}
	for _, b := range blocks[:k+1] {
		if b.Kind == "p" {
			n++
		}
	}
	for i, kind := range []string{"consent", "offer", "editorial", "more", "newsletter", "social", "inlineteaser"} {
		if p.boxes[kind] && (n+i+p.Choose(kind+" place", 5))%6 == 0 && p.r.IntN(3) > 0 {
			return kind
		}
	}
	return ""
}

// Box returns the title, the text and the button of a box.
func (p *sheet) Box(kind string) boxed {
	fields := p.Line(kind + "box")
	x := map[string]any{"Form": p.Choose(kind+" box", 8), "Kind": kind}
	var lines []string
	for i, name := range []string{"Title", "Text", "Button"} {
		x[name] = field(fields, i+1)
		lines = append(lines, field(fields, i+1))
	}
	x["Lines"] = slices.DeleteFunc(lines, func(s string) bool { return s == "" })
	return p.With(x)
}

// More returns a link to a topic, its label in Title and the topic in Teaser.
func (p *sheet) More() link {
	label, topic, _ := strings.Cut(p.text("moreline"), ":")
	if topic != "" {
		label += ":"
	}
	return link{Title: html.EscapeString(label), Teaser: html.EscapeString(topic), URL: p.V.Base + "/tag/" + slugOrHash(topic) + "/"}
}

// Post returns a post of a network that the story quotes: part of it, not of its body.
func (p *sheet) Post() boxed {
	v, g := p.V, p.V.Site.grammar
	text := g.generate(p.r, maps.Clone(v.st.facts), "posttext")
	name := v.Site.reporter(staffSize + 20 + p.r.IntN(9))
	date := html.EscapeString(g.formatDate(v.st.date.AddDate(0, 0, -p.r.IntN(3)), v.Site.config.Date))
	v.extra(text)
	network := slug(g.name("network", p.r.IntN(3), 1))
	url := "https://" + network + ".example/" + handle(name)[1:] + "/status/" + strconv.Itoa(1+p.r.IntN(1<<40))
	return p.With(link{
		Post: html.EscapeString(text), URL: url, Date: date, Author: html.EscapeString(name), Handle: handle(name), Section: network,
	})
}

// Staff returns the lines about those who worked on the story.
func (p *sheet) Staff() []string {
	var lines []string
	rules := p.V.Site.grammar.rules["staffline"]
	for _, k := range p.r.Perm(len(rules))[:min(len(rules), 2+p.r.IntN(3))] {
		line := p.V.Site.grammar.fill(p.r, facts{}, rules[k])
		p.V.noise(line)
		lines = append(lines, html.EscapeString(line))
	}
	return lines
}

// Teaser returns a link to another story, with its lead on some sites.
func (p *sheet) Teaser() link {
	x := p.V.Related(1)[0]
	if p.Choose("inline teaser", 2) > 0 {
		x.Teaser = ""
	}
	return x
}

// Teasers returns links to other stories.
func (p *sheet) Teasers() []link { return p.V.Related(2 + p.r.IntN(4)) }

// Summary returns the summary of another story.
func (p *sheet) Summary(text string) string {
	p.V.noise(html.UnescapeString(text))
	return text
}

// OtherLead returns the first paragraph of another story.
func (p *sheet) OtherLead() string {
	n := pagesPerSite + p.r.IntN(1000)
	line := newWriter(p.V.Site, p.V.Site.story(n)).paragraph("lead")
	p.V.noise(line)
	return html.EscapeString(line)
}

// Second returns a whole story after the first, as infinite scroll has it.
func (p *sheet) Second() string {
	v, other := p.V, newView(p.V.Site, p.V.Base)
	n := v.recent[p.r.IntN(pagesPerSite)].i
	if n == v.st.i {
		n = pagesPerSite
	}
	other.st, other.r, other.recent = v.Site.story(n), v.r, v.recent
	other.Headline = html.EscapeString(other.st.title)
	open, end := "", ""
	if p.Choose("second wrapper", 2) == 0 {
		open, end = "<div"+p.Names("second")+">\n", "</div>\n"
	}
	page := execute("story", &sheet{look: p.look, V: other, r: p.r, Next: true})
	v.shown = append(v.shown, other.shown...)
	for _, line := range other.lines {
		v.noise(snippet(line))
	}
	return open + string(page) + end
}
