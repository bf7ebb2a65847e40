package styled

import (
	_ "embed"
	"strings"
)

//go:embed styled.css
var frame string

// sheet is the style sheet of a look that is readable: first its own rules,
// then the frame that all files share.
func (l Look) sheet() string {
	var b strings.Builder
	scheme := "light"
	if l.Ground.luminance() < l.Body.Color.luminance() {
		scheme = "dark"
	}
	rule(&b, ":root", "color-scheme: only "+scheme)
	rule(&b, "body", append(l.Body.declarations(), "background: "+l.Ground.String())...)
	if l.Body.Align == Justify { // a phone has too few words in a line for it
		b.WriteString("@media (max-width: 30em) { body { text-align: start; } }\n")
	}
	head := l.Headline.Ground
	rule(&b, "header", "text-align: "+alignNames[l.Byline.Align])
	if head.Set {
		rule(&b, "header", "background: "+head.String(), "padding: 1.5rem 1.25rem")
	} else {
		head = l.Ground
	}
	// A long headline must not fill a phone: there it grows with the screen.
	rule(&b, "h1", append(l.Headline.declarations(), "font-size: clamp(1.5rem, 1rem + 4.5vw, "+rem(l.Headline.Size)+")")...)
	rule(&b, ".standfirst", l.Standfirst.declarations()...)
	rule(&b, ".byline, .date", l.Byline.declarations()...)
	if l.Lede.set() {
		rule(&b, ".lede", append(l.Lede.declarations(), "margin-block: 1.5em")...)
	}
	rule(&b, "h2, h3, h4, h5, h6", l.Heading.declarations()...)
	// Lower headings step down towards the size of the story.
	rule(&b, "h3", "font-size: "+rem(max(l.Heading.Size*0.86, l.Body.Size)))
	rule(&b, "h4, h5, h6", "font-size: "+rem(l.Body.Size))
	rule(&b, "blockquote", l.Quote.declarations()...)
	rule(&b, "figcaption, caption, .missing, .watch, footer p", l.Caption.declarations()...)
	rule(&b, "a", "color: "+l.Link.String())
	rule(&b, "header a", "color: "+l.Link.on(head).String())
	l.box(&b, ".lede", l.Lede.Ground)
	l.box(&b, "blockquote", l.Quote.Ground)
	b.WriteString(frame)
	return b.String()
}

// box paints the ground of a text that has one of its own.
func (l Look) box(b *strings.Builder, selector string, ground Color) {
	if ground.Set {
		rule(b, selector, "background: "+ground.String(), "padding: 1em 1.25em")
		rule(b, selector+" a", "color: "+l.Link.on(ground).String())
	}
}

func rule(b *strings.Builder, selector string, declarations ...string) {
	b.WriteString(selector + " {\n")
	for _, d := range declarations {
		b.WriteString("  " + d + ";\n")
	}
	b.WriteString("}\n")
}

func (f Face) declarations() []string {
	style := "normal"
	if f.Italic {
		style = "italic"
	}
	out := []string{
		"font-family: " + familyList(f.Families),
		"font-size: " + rem(f.Size),
		"font-weight: " + decimal(float64(f.Weight)),
		"font-style: " + style,
		"line-height: " + decimal(f.Leading),
		"color: " + f.Color.String(),
		"text-align: " + alignNames[f.Align],
		"text-transform: " + caseNames[f.Case],
	}
	if f.Spacing != 0 {
		out = append(out, "letter-spacing: "+decimal(f.Spacing)+"em")
	}
	return out
}

// rem writes a size so that it grows with the size that the reader has set.
func rem(px float64) string { return decimal(px/initialSize) + "rem" }
