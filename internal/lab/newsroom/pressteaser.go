package newsroom

import (
	"fmt"
	"html"
)

// teaser writes a teaser of a story: the lead of the page, a box with picture
// and summary, or a line.
func (q *pressQuery) teaser(p *sheet, k int, size string, sec section, place string) {
	st := q.site.storyAt(k, q.at)
	x := p.v.linkTo(st)
	x.URL = q.teaserURL(st, sec, place)
	width := 320
	if size == "lead" {
		width = 640
	}
	img := fmt.Sprintf(`<img src="%s" width="%d" height="%d" alt="">`, x.Pic.Sized(width), width, width*9/16)
	more := html.EscapeString(q.site.site.grammar.ui["readmore"])
	heading := "h3"
	if size == "lead" {
		heading = "h2"
	}
	if size == "line" {
		q.line(p, x)
		return
	}
	switch q.site.traits.layout {
	case 0:
		p.open("article", "box")
		p.raw(`<a href="` + x.URL + `">` + img + `</a>`)
		p.element("span", "label", x.Section)
		p.raw("<" + heading + `><a href="` + x.URL + `">` + x.Title + "</a></" + heading + ">")
		p.element("p", "", x.Teaser)
		p.raw(`<a href="` + x.URL + `">` + more + `</a>`)
		p.close("article")
	case 1:
		p.open("div", "box")
		p.raw(`<a href="` + x.URL + `">` + img + "<" + heading + ">" + x.Title + "</" + heading + "><p>" + x.Teaser + "</p></a>")
		p.element("time", "date", x.Date)
		p.close("div")
	case 2:
		p.raw(`<table width="100%" cellpadding="4"><tr valign="top"><td><a href="` + x.URL + `">` + img + `</a></td><td><a href="` + x.URL + `"><b>` + x.Title + `</b></a><br>` + x.Teaser + ` <a href="` + x.URL + `">` + more + `</a></td></tr></table>`)
	case 3:
		p.open("div", "teaser")
		p.raw("<" + heading + `><a href="` + x.URL + `">` + x.Title + "</a></" + heading + ">")
		p.raw(`<p><a href="` + x.URL + `">` + img + `</a> ` + x.Teaser + ` <a href="` + x.URL + `">` + more + `</a></p>`)
		p.close("div")
	default:
		p.open("div", "box")
		p.raw(`<a href="` + x.URL + `" aria-label="` + x.Title + `"><div>` + img + `</div><div><span>` + x.Title + `</span></div></a>`)
		if size == "lead" {
			p.element("div", "standfirst", x.Teaser)
		}
		p.element("div", "date", x.Date)
		p.close("div")
	}
}

// line writes a teaser that is a headline.
func (q *pressQuery) line(p *sheet, x link) {
	a := `<a href="` + x.URL + `">` + x.Title + `</a>`
	switch q.site.traits.layout {
	case 0:
		p.element("p", "teaser", `<time>`+x.Date+`</time> `+a)
	case 1:
		p.element("h4", "", a)
	case 2:
		p.raw("&#8226; " + a + "<br>")
	case 3:
		p.raw("<ul><li>" + a + "</li></ul>")
	default:
		p.element("div", "teaser", a+" <span>"+x.Date+"</span>")
	}
}
