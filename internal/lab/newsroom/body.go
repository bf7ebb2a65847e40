package newsroom

import (
	"cmp"
	"fmt"
	"html"
	"maps"
	"math/rand/v2"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// A block is a part of the body column: text of the story, or something
// between. Each kind has a template of that name.
type block struct {
	Kind  string // p h list nested quote table figures; ad pic more pull newsletter video time
	Text  string // plain
	HTML  string // Text with the inline markup of the site
	Items []item
	Rows  [][]string
	Pic   *picture
	Link  link
	Ad    advert
	UI    map[string]string
	N     int // number on the page, from 1
}

// An item is an entry of a list, with a list of its own if nested.
type item struct {
	Text  string
	Items []string
}

// lines returns the block as lines of gold, none if it is not text of the body.
func (b *block) lines() []string {
	switch b.Kind {
	case "p", "h", "quote", "figures":
		return strings.Split(b.Text, "\n")
	case "list", "nested":
		var lines []string
		for _, x := range b.Items {
			lines = append(append(lines, x.Text), x.Items...)
		}
		return lines
	case "table":
		var lines []string
		for _, row := range b.Rows {
			lines = append(lines, strings.Join(row, "\t"))
		}
		return lines
	}
	return nil
}

// writeBody generates the text of the story and what the site puts between
// paragraphs.
func (v *view) writeBody() []*block {
	if v.Site.config.Post > 0 {
		text := v.Site.post(v.st)
		return []*block{{Kind: "p", Text: text, HTML: markUp(text), N: 1, UI: v.Site.grammar.ui}}
	}
	w, h := newWriter(v.Site, v.st), v.Site.config
	n := w.length()
	if v.Site.press != nil {
		n = min(max(n, 4), 12)
	}
	after := v.extras(w, n)
	var blocks []*block
	for k := range n {
		rule := "sentence"
		if k == 0 {
			rule = "lead"
		}
		if h.Live && k > 0 && k%2 == 1 {
			blocks = append(blocks, v.entry(k, n), &block{Kind: "h", Text: w.draw("subhead")})
		}
		if k > 1 && k < n-1 && h.Subhead > 0 && k%h.Subhead == 0 {
			blocks = append(blocks, &block{Kind: "h", Text: w.draw("subhead")})
		}
		text := w.paragraph(rule)
		blocks = append(blocks, &block{Kind: "p", Text: text, HTML: v.inline(w.r, text)})
		if k == n-1 {
			break
		}
		blocks = append(blocks, after[k]...)
		blocks = append(blocks, v.between(w, k+1, text)...)
	}
	for k := range v.st.version { // each change added a paragraph
		w := newWriter(v.Site, &story{i: v.st.i + (k+1)<<36, facts: maps.Clone(v.st.facts)})
		blocks = append(blocks, &block{Kind: "p", Text: w.paragraph("sentence")})
	}
	for i, b := range blocks {
		b.N = i + 1
		b.UI = v.Site.grammar.ui
		if b.HTML == "" {
			b.HTML = html.EscapeString(b.Text)
		}
	}
	return blocks
}

// between returns the blocks that the site puts after paragraph k.
func (v *view) between(w *writer, k int, text string) []*block {
	h := v.Site.config
	every := func(n int) bool { return n > 0 && k%n == 0 }
	var blocks []*block
	if every(h.Picture) {
		blocks = append(blocks, &block{Kind: "pic", Pic: v.newPicture("body", cmp.Or(h.BodyWidth, 720))})
	}
	if every(h.Ad) {
		blocks = append(blocks, &block{Kind: "ad", Ad: v.Advert()})
	}
	if every(h.More) {
		blocks = append(blocks, &block{Kind: "more", Link: v.Related(1)[0]})
	}
	if every(h.Pull) {
		pull := snippet(text)
		v.extra(pull)
		blocks = append(blocks, &block{Kind: "pull", Text: pull})
	}
	if h.Newsletter && k == 2 {
		v.Noise("newsletter")
		v.Noise("newsletterline")
		blocks = append(blocks, &block{Kind: "newsletter"})
	}
	if h.Video && k == 3 {
		v.Noise("video")
		v.Noise("videoerror")
		blocks = append(blocks, &block{Kind: "video", Pic: &picture{site: v.Site, base: v.Base, key: v.key("video"), W: 640, H: 360}})
	}
	return blocks
}

// extras generates lists, tables and quotations, by the paragraph that each
// comes after.
func (v *view) extras(w *writer, n int) map[int][]*block {
	after := map[int][]*block{}
	for _, kind := range v.Site.config.Extras {
		if n < 5 || !v.Site.config.Always && !oneIn(w.r, 2) {
			continue
		}
		k := 1 + w.r.IntN(n-2)
		after[k] = append(after[k], v.extraBlocks(w, kind)...)
	}
	return after
}

func (v *view) extraBlocks(w *writer, kind string) []*block {
	switch kind {
	case "quote":
		return []*block{{Kind: "quote", Text: w.draw("said")}}
	case "list", "nested":
		intro, b := &block{Kind: "p"}, &block{Kind: kind}
		for range 2 + w.r.IntN(3) {
			x := item{Text: w.draw("item")}
			if kind == "nested" {
				x.Items = []string{w.draw("item"), w.draw("item")}
			}
			b.Items = append(b.Items, x)
		}
		intro.Text = w.draw("listintro")
		return []*block{intro, b}
	case "table":
		b := &block{Kind: "table", Rows: [][]string{cells(w.draw("tablehead"))}}
		for range 3 + w.r.IntN(4) {
			b.Rows = append(b.Rows, cells(w.draw("tablerow")))
		}
		return []*block{b}
	case "figures":
		return []*block{{Kind: "figures", Text: w.draw("figures") + "\n" + w.draw("figures") + "\n" + w.draw("figures")}}
	}
	panic("newsroom: unknown extra " + kind)
}

func cells(row string) []string { return strings.Split(row, "|") }

// entry returns the time of an entry of a live blog. The newest comes first.
func (v *view) entry(k, n int) *block {
	t := v.st.date.Add(time.Duration(n-k) * 13 * time.Minute)
	label := v.Site.grammar.formatDate(t, "%H:%M")
	v.extra(label)
	return &block{Kind: "time", Text: label}
}

// inline escapes a paragraph and adds inline markup to a name in it.
func (v *view) inline(r *rand.Rand, text string) string {
	out := html.EscapeString(text)
	if v.Site.config.Inline == "none" || !oneIn(r, 3) {
		return out
	}
	for _, fact := range []string{"town#1", "org#1", "surname#1"} {
		name := html.EscapeString(v.st.facts[fact])
		if name == "" || !strings.Contains(out, name) {
			continue
		}
		marked := "<strong>" + name + "</strong>"
		if oneIn(r, 2) {
			marked = `<a href="` + v.Base + "/tag/" + slugOrHash(v.st.facts[fact]) + `/">` + name + "</a>"
		}
		switch v.Site.config.Inline {
		case "upper":
			marked = strings.NewReplacer("<a href", "<A HREF", "</a", "</A", "<strong", "<B", "</strong", "</B").Replace(marked)
		case "span":
			marked = `<span class="css-1q9x7f">` + marked + "</span>"
		}
		return strings.Replace(out, name, marked, 1)
	}
	return out
}

// slugOrHash returns the slug, or a hash if it is empty.
func slugOrHash(s string) string {
	return cmp.Or(slug(s), "t"+strconv.FormatUint(hash(s), 36))
}

// A picture is shown at W by H pixels. Its address has both numbers, so that
// any picture can be drawn on demand in any size.
type picture struct {
	W, H            int
	Caption, Credit string // escaped
	site            *Site
	base, key       string
}

// key returns the name of the next picture of the story.
func (v *view) key(kind string) string {
	v.pics++
	return strconv.Itoa(v.st.i) + "-" + kind + strconv.Itoa(v.pics)
}

// newPicture returns a picture with caption and credit, which are in the gold.
func (v *view) newPicture(kind string, w int) *picture {
	h := w * 9 / 16
	p := &picture{W: w, H: h, site: v.Site, base: v.Base, key: strconv.Itoa(v.st.i) + "-lead"}
	if kind != "lead" {
		p.key = v.key(kind)
	}
	g := v.Site.grammar
	caption, credit := g.generate(v.r, nil, "caption"), g.generate(v.r, nil, "credit")
	p.Caption, p.Credit = html.EscapeString(caption), html.EscapeString(credit)
	v.extra(caption)
	v.extra(credit)
	return p
}

// Lead returns the picture at the head of the story.
func (v *view) Lead() *picture { return v.newPicture("lead", cmp.Or(v.Site.config.LeadWidth, 960)) }

// LeadURL returns the absolute address of the lead picture, for metadata.
func (v *view) LeadURL() string {
	p := picture{site: v.Site, key: strconv.Itoa(v.st.i) + "-lead"}
	return v.origin() + p.path(960, 540)
}

func (p *picture) path(w, h int) string {
	return fmt.Sprintf("/img/%dx%d/%s.%s", w, h, p.key, cmp.Or(p.site.config.Img, "png"))
}

// Src returns the address of the picture.
func (p *picture) Src() string { return p.base + p.path(p.W, p.H) }

// Sized returns the address of the picture with width w.
func (p *picture) Sized(w int) string { return p.base + p.path(w, w*p.H/p.W) }

var picturePath = regexp.MustCompile(`^/img/([1-9]\d{0,3})x([1-9]\d{0,3})/([a-z0-9-]{1,40})\.(png|jpg|svg)$`)

const svgType = "image/svg+xml"

// drawPicture returns the picture at a path, which is SVG whatever its name.
func drawPicture(path string) ([]byte, bool) {
	m := picturePath.FindStringSubmatch(path)
	if m == nil {
		return nil, false
	}
	return fmt.Appendf(nil, `<svg xmlns="http://www.w3.org/2000/svg" width="%s" height="%s">`+
		`<rect width="100%%" height="100%%" fill="#%06x"/></svg>`, m[1], m[2], hash(m[3])&0x7f7f7f), true
}
