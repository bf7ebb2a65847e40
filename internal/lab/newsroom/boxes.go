package newsroom

import (
	"fmt"
	"html"
	"maps"
	"slices"
	"strings"
)

// topBoxes writes the boxes that open a story.
func (p *sheet) topBoxes() {
	v := p.V
	if p.has("title", 3) {
		p.line(p.Pick("title again", "p", "h2", "div"), "", v.st.title)
	}
	if p.has("credit", 2) {
		p.line(p.Pick("credit", "p", "div", "span"), "credit", p.text("creditline"))
	}
	if p.has("readin", 3) {
		text := html.EscapeString(p.text("readin"))
		if p.l.choose("readin", 2) == 0 {
			text = `<a href="` + v.base + `/about/">` + text + `</a>`
		}
		p.element(p.Pick("readin element", "p", "div", "p"), "readin", text)
	}
	if p.has("keypoints", 2) {
		p.keyPoints()
	}
}

// keyPoints writes a box that belongs to the story.
func (p *sheet) keyPoints() {
	v := p.V
	w := newWriter(v.Site, &story{i: v.st.i + 1<<40, facts: maps.Clone(v.st.facts)})
	p.open(p.Pick("key points", "div", "section", "aside"), "keypoints")
	head := v.Site.grammar.ui["key"]
	p.line(p.Pick("key heading", "h2", "h3", "p"), "", head)
	v.lines = append(v.lines, head)
	p.raw("<ul>")
	for range 2 + p.r.IntN(3) {
		line := w.draw("sentence")
		v.lines = append(v.lines, line)
		p.line("li", "", line)
	}
	p.raw("</ul>")
	p.close(p.Pick("key points", "div", "section", "aside"))
}

// body writes the blocks of the story with boxes between them.
func (p *sheet) body() {
	blocks := p.V.Body()
	n := 0
	for k, b := range blocks {
		p.block(b)
		if b.Kind != "p" {
			continue
		}
		n++
		// A box does not part a heading or the intro of a list from what it belongs to.
		if !p.next && k+1 < len(blocks) && blocks[k+1].Kind == "p" {
			p.between(n)
		}
	}
	p.endRuns()
}

// between writes the boxes after paragraph n.
func (p *sheet) between(n int) {
	for k, kind := range []string{"consent", "offer", "editorial", "more", "newsletter", "social", "inlineteaser"} {
		if p.l.boxes[kind] && (n+k+p.l.choose(kind+" place", 5))%6 == 0 && p.r.IntN(3) > 0 {
			p.endRuns()
			p.middleBox(kind)
			return
		}
	}
}

func (p *sheet) middleBox(kind string) {
	switch kind {
	case "consent", "offer", "editorial":
		p.box(kind, p.text(kind+"box"))
	case "more":
		label, rest, _ := strings.Cut(p.text("moreline"), ":")
		if rest != "" {
			label += ":"
		}
		url := p.V.base + "/tag/" + slugOrHash(rest) + "/"
		line := "<strong>" + html.EscapeString(label) + `</strong><a href="` + url + `">` + html.EscapeString(rest) + "</a>"
		switch p.l.choose("more", 4) {
		case 0:
			line = `<a href="` + url + `">` + html.EscapeString(label+rest) + "</a>"
		case 1:
			line = "<em>" + line + "</em>"
		case 2:
			line = html.EscapeString(label + rest)
		}
		p.element(p.Pick("more element", "p", "p", "div", "h4"), p.sometimes("more"), line)
	case "newsletter":
		text := html.EscapeString(p.text("shout"))
		switch p.l.choose("newsletter", 3) {
		case 0:
			text = `<a href="` + p.V.base + `/subscribe/">` + text + "</a>"
		case 1:
			text = "<strong>" + text + "</strong>"
		}
		p.element(p.Pick("newsletter element", "p", "div", "h3"), p.sometimes("newsletter"), text)
	case "social":
		p.social()
	case "inlineteaser":
		p.teaser(p.V.Related(1)[0], p.l.choose("inline teaser", 2) == 0)
	}
}

// sometimes returns the role, or nothing on sites that give such boxes no names.
func (p *sheet) sometimes(role string) string {
	if p.l.choose("named "+role, 2) == 0 {
		return ""
	}
	return role
}

// A box is the data of the template of that name.
type box struct {
	*sheet
	Form                               int
	Kind, Title, Text, Button          string
	URL, Date, Author, Handle, Network string // of a post
}

// TitleAndText joins both if there are both.
func (b *box) TitleAndText() string { return strings.TrimSpace(b.Title + " " + b.Text) }

// box writes the title, the text and the button of a box in the markup of the site.
func (p *sheet) box(kind, fields string) {
	title, text, button := html.EscapeString(field(fields, 1)), html.EscapeString(field(fields, 2)), html.EscapeString(field(fields, 3))
	form := p.l.choose(kind+" box", 8)
	if form == 7 { // lines in one element
		lines := slices.DeleteFunc([]string{title, text, button}, func(s string) bool { return s == "" })
		p.element("div", p.sometimes(kind), strings.Join(lines, "<br>"))
		return
	}
	p.out.Write(execute("box", &box{sheet: p, Form: form, Kind: kind, Title: title, Text: text, Button: button}))
}

// social writes a post of a network that the story quotes: part of it, not of its body.
func (p *sheet) social() {
	v, g := p.V, p.V.Site.grammar
	text := g.generate(p.r, maps.Clone(v.st.facts), "posttext")
	name := v.Site.reporter(staffSize + 20 + p.r.IntN(9))
	date := html.EscapeString(g.formatDate(v.st.date.AddDate(0, 0, -p.r.IntN(3)), v.Site.config.Date))
	v.extra(text)
	network := slug(g.name("network", p.r.IntN(3), 1))
	url := fmt.Sprintf("https://%s.example/%s/status/%d", network, strings.TrimPrefix(handle(name), "@"), 1+p.r.IntN(1<<40))
	p.out.Write(execute("social", &box{
		sheet: p, Form: p.l.choose("social", 3), Text: html.EscapeString(text), URL: url, Date: date,
		Author: html.EscapeString(name), Handle: handle(name), Network: network,
	}))
}

// endBoxes writes the lines below the text, inside its element.
func (p *sheet) endBoxes() {
	if p.has("ending", 4) {
		p.element(p.Pick("ending", "p", "p", "div", "h4"), p.sometimes("ending"), p.emphasis("ending", p.text("ending")))
	}
	if p.has("credit", 3) {
		p.element("p", p.sometimes("credit"), p.emphasis("last credit", p.text("creditline")))
	}
	if p.has("staff", 3) {
		p.staff()
	}
	if p.has("newsletter", 2) {
		p.middleBox("newsletter")
	}
	if p.has("ending", 3) {
		p.element("p", p.sometimes("ending"), p.emphasis("ending", p.text("ending")))
	}
}

// emphasis escapes a line and emphasises it as the site does.
func (p *sheet) emphasis(name, text string) string {
	text = html.EscapeString(text)
	if tag := []string{"", "em", "strong", "small"}[p.l.choose(name+" emphasis", 4)]; tag != "" {
		return "<" + tag + ">" + text + "</" + tag + ">"
	}
	return text
}

// staff writes the list of those who worked on the story.
func (p *sheet) staff() {
	var lines []string
	rules := p.V.Site.grammar.rules["staffline"]
	for _, k := range p.r.Perm(len(rules))[:min(len(rules), 2+p.r.IntN(3))] {
		line := p.V.Site.grammar.fill(p.r, facts{}, rules[k])
		p.V.noise(line)
		lines = append(lines, html.EscapeString(line))
	}
	switch p.l.choose("staff", 3) {
	case 0:
		p.open("ul", "staff")
		p.raw("<li>" + strings.Join(lines, "</li><li>") + "</li>")
		p.close("ul")
	case 1:
		p.element("p", p.sometimes("staff"), strings.Join(lines, "<br>"))
	default:
		for _, line := range lines {
			p.element("p", p.sometimes("staff"), line)
		}
	}
}

// teaser writes a link to another story, with its lead on some sites.
func (p *sheet) teaser(x link, withLead bool) {
	p.open([]string{"div", "li", "article"}[p.l.choose("teaser", 2)], "teaser")
	p.raw(`<a href="` + x.URL + `"><img src="` + x.Pic.Src() + `" alt=""></a>`)
	p.element(p.Pick("teaser title", "h3", "p", "div"), "", `<a href="`+x.URL+`">`+x.Title+`</a>`)
	if withLead {
		p.V.noise(html.UnescapeString(x.Teaser))
		p.element("p", "", x.Teaser)
	}
	p.close([]string{"div", "li", "article"}[p.l.choose("teaser", 2)])
}

// teasers writes other stories below the story, some with their leads.
func (p *sheet) teasers() {
	v := p.V
	p.open("section", "teasers")
	p.line("h2", "", p.text("teaserhead"))
	whole := p.l.choose("teaser leads", 3) == 0
	for _, x := range v.Related(2 + p.r.IntN(4)) {
		p.teaser(x, true)
		if whole {
			n := pagesPerSite + p.r.IntN(1000)
			w := newWriter(v.Site, v.Site.newStory(n, n))
			line := w.paragraph("lead")
			v.noise(line)
			p.line("p", "p", line)
		}
	}
	p.close("section")
}

// secondStory writes a whole story after the first, as infinite scroll does.
func (p *sheet) secondStory() {
	v := p.V
	if p.l.choose("second label", 2) == 0 {
		p.line("h2", p.sometimes("second"), p.text("nextbox"))
	}
	other := newView(v.Site, v.base)
	n := v.recent[p.r.IntN(pagesPerSite)].i
	if n == v.st.i {
		n = pagesPerSite
	}
	other.st, other.r, other.recent = v.Site.story(n), v.r, v.recent
	other.gold.Title = other.st.title
	q := &sheet{V: other, l: p.l, r: p.r, out: p.out, next: true}
	wrapped := p.l.choose("second wrapper", 2) == 0
	if wrapped {
		p.open("div", "second")
	}
	q.story()
	if wrapped {
		p.close("div")
	}
	v.shown = append(v.shown, other.shown...)
	for _, line := range other.lines {
		v.noise(snippet(line))
	}
}

// block writes a block of the story.
func (p *sheet) block(b *block) {
	if b.Kind != "p" {
		p.endRuns()
	}
	switch b.Kind {
	case "p":
		p.paragraph(b)
	case "h":
		tag := p.Pick("subhead", "h2", "h3", "p", "h2")
		if tag == "p" {
			p.element("p", "", "<strong>"+b.HTML+"</strong>")
			return
		}
		p.element(tag, "subhead", b.HTML)
	case "list", "nested":
		p.raw("<ul>")
		for _, x := range b.Items {
			p.line("li", "", x.Text)
		}
		p.raw("</ul>")
	case "quote":
		p.raw("<blockquote>" + b.HTML + "</blockquote>")
	case "table":
		p.raw("<table>")
		for _, row := range b.Rows {
			p.raw("<tr>")
			for _, cell := range row {
				p.line("td", "", cell)
			}
			p.raw("</tr>")
		}
		p.raw("</table>")
	case "pic":
		p.picture(b.Pic)
	}
}

// paragraph writes a paragraph of the story in the elements of the site.
func (p *sheet) paragraph(b *block) {
	text := b.HTML
	if p.l.boxes["hidden"] && !p.next && strings.Contains(text, "</a>") {
		text = strings.Replace(text, "</a>", p.hidden(" "+p.text("opens"))+"</a>", 1)
	}
	switch p.l.prose {
	case 0, 1, 2:
		p.element("p", "p", text)
	case 3:
		p.raw("<div" + p.Names("p") + "><p>" + text + "</p></div>")
	case 4:
		p.element("p", "p", "<span>"+text+"</span>")
	case 5:
		p.element("div", "p", text)
	case 6:
		p.raw("<p>" + text + "</p>")
	default:
		if p.runs == 0 {
			p.raw("<div>")
		} else {
			p.raw("<br><br>")
		}
		p.runs++
		p.raw(text)
	}
}

// endRuns closes the element of paragraphs that br elements separate.
func (p *sheet) endRuns() {
	if p.runs > 0 {
		p.raw("</div>")
		p.runs = 0
	}
}
