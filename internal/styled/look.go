package styled

import (
	_ "embed"
	"math"
	"reflect"
	"strings"

	"github.com/lede-news/lede/internal/css"
)

// Look is how the story is set on its page. What is zero, nobody knows: there
// the writer has its own taste. No value of a Look gets into a file unread, so
// that any Look can be written, whoever made it.
type Look struct {
	// Ground is the colour under the story.
	Ground Color
	// Link is the colour of links in the story.
	Link Color

	Headline, Standfirst, Byline Face
	// Lede is the first paragraph, where it is set in a way of its own.
	Lede                 Face
	Body, Heading, Quote Face
	Caption              Face
}

// Face is how one kind of text is set.
type Face struct {
	Families []string // names of fonts, the first that there is counts
	Size     float64  // in CSS pixels
	Weight   int      // 400 is normal, 700 bold
	Italic   bool
	Color    Color
	// Ground is the colour under this text, where it has one of its own.
	Ground Color
	// Leading is the height of a line, in sizes of the font.
	Leading float64
	Align   Align
	Case    Case
	// Spacing is between letters, in sizes of the font.
	Spacing float64
}

// Align is where the lines of a text stand.
type Align uint8

// The alignments. Start is left, or right where one writes from there.
const (
	Start Align = iota
	Left
	Right
	Center
	Justify
)

// Case is how letters are shown, whatever they are.
type Case uint8

// The cases.
const (
	AsWritten Case = iota
	Uppercase
	Lowercase
	Capitalize
)

var (
	alignNames = [...]string{Start: "start", Left: "left", Right: "right", Center: "center", Justify: "justify"}
	caseNames  = [...]string{AsWritten: "none", Uppercase: "uppercase", Lowercase: "lowercase", Capitalize: "capitalize"}
)

// house is what is taken where the page says nothing.
var house = Look{
	Ground:     RGB(0xff, 0xff, 0xff),
	Link:       RGB(0x0b, 0x57, 0xa4),
	Headline:   Face{Size: 36, Weight: 700, Leading: 1.18},
	Standfirst: Face{Size: 21, Weight: 400, Leading: 1.4},
	Byline:     Face{Size: 15, Weight: 400, Leading: 1.4},
	Body:       Face{Families: []string{"Georgia", "Times New Roman", "serif"}, Size: 18, Weight: 400, Color: RGB(0x1c, 0x1c, 0x1c), Leading: 1.6},
	Heading:    Face{Size: 24, Weight: 700, Leading: 1.25},
	Quote:      Face{Weight: 400},
	Caption:    Face{Size: 14.5, Weight: 400, Leading: 1.4},
}

// bounds are how far a face may go before it cannot be read well on a phone or
// on paper.
type bounds struct {
	size, leading [2]float64
	weight        [2]int
}

var (
	headlineBounds = bounds{size: [2]float64{24, 48}, leading: [2]float64{1, 1.5}, weight: [2]int{100, 900}}
	headingBounds  = bounds{size: [2]float64{16, 34}, leading: [2]float64{1.1, 1.6}, weight: [2]int{300, 900}}
	introBounds    = bounds{size: [2]float64{16, 30}, leading: [2]float64{1.2, 1.8}, weight: [2]int{300, 900}}
	bodyBounds     = bounds{size: [2]float64{16, 22}, leading: [2]float64{1.4, 2}, weight: [2]int{300, 600}}
	quoteBounds    = bounds{size: [2]float64{16, 30}, leading: [2]float64{1.2, 2}, weight: [2]int{300, 900}}
	smallBounds    = bounds{size: [2]float64{13, 18}, leading: [2]float64{1.25, 1.7}, weight: [2]int{300, 800}}
)

// readable is a look in which everything is set and can be read: what the page
// left open is filled in, sizes are kept in bounds, and every text stands out
// from its ground as WCAG asks for.
func (l Look) readable() Look {
	if !l.Ground.Set {
		// Text in a light colour alone tells of a dark page.
		l.Ground = house.Ground
		if l.Body.Color.Set && contrast(l.Body.Color, l.Ground) < 2 {
			l.Ground = RGB(0x1c, 0x1c, 0x1c)
		}
	}
	l.Body.Case, l.Body.Ground = AsWritten, Color{} // a whole story in capitals is not read
	l.Body = l.Body.or(house.Body).within(bodyBounds).on(l.Ground)

	head := l.Headline.Ground // the headline's ground is that of all the words at the head
	if !head.Set {
		head = l.Ground
	}
	l.Headline.Ground, l.Standfirst.Ground, l.Byline.Ground = Color{}, Color{}, Color{}
	for _, f := range []*Face{&l.Standfirst, &l.Byline} {
		if !f.set() {
			f.Align = l.Headline.Align
		}
	}
	l.Headline = l.Headline.or(house.Headline).or(l.Body.voice()).within(headlineBounds).on(head)
	l.Standfirst = l.Standfirst.or(house.Standfirst).or(l.Body.voice()).within(introBounds).on(head)
	l.Byline = l.Byline.or(house.Byline).or(l.Body.voice()).within(smallBounds).on(head)

	if head != l.Ground {
		l.Headline.Ground = head
	}

	if l.Lede.set() {
		l.Lede = l.Lede.or(l.Body).within(quoteBounds).on(l.Ground)
	}
	l.Heading = l.Heading.or(house.Heading).or(l.Headline.voice()).within(headingBounds).on(l.Ground)
	l.Heading.Size = min(max(l.Heading.Size, l.Body.Size), l.Headline.Size)
	quote := Face{Size: l.Body.Size, Leading: l.Body.Leading}
	l.Quote = l.Quote.or(quote).or(house.Quote).or(l.Body.voice()).within(quoteBounds).on(l.Ground)
	l.Caption.Ground = Color{}
	l.Caption = l.Caption.or(house.Caption).or(l.Body.voice()).within(smallBounds).on(l.Ground)

	if !l.Link.Set {
		l.Link = house.Link
	}
	l.Link = l.Link.on(l.Ground)
	return l
}

// voice is what other texts take from a face when they have none of their own:
// the letters and their colour, not how large they are.
func (f Face) voice() Face { return Face{Families: f.Families, Color: f.Color} }

// or is f, with what it leaves open taken from g.
func (f Face) or(g Face) Face {
	if !hasFamily(f.Families) {
		f.Families = g.Families
	}
	if !f.Color.Set {
		f.Color = g.Color
	}
	if !(f.Size > 0) {
		f.Size = g.Size
	}
	if f.Weight <= 0 {
		f.Weight = g.Weight
	}
	if !(f.Leading > 0) {
		f.Leading = g.Leading
	}
	return f
}

// set reports whether anything is known of a face.
func (f Face) set() bool { return !reflect.DeepEqual(f, Face{}) }

func hasFamily(names []string) bool {
	for _, n := range names {
		if isFamily(n) {
			return true
		}
	}
	return false
}

func (f Face) within(b bounds) Face {
	f.Size = min(max(f.Size, b.size[0]), b.size[1])
	f.Leading = min(max(f.Leading, b.leading[0]), b.leading[1])
	f.Weight = min(max(f.Weight, b.weight[0]), b.weight[1])
	if f.Spacing = min(max(f.Spacing, -0.05), 0.2); math.IsNaN(f.Spacing) {
		f.Spacing = 0
	}
	if int(f.Align) >= len(alignNames) {
		f.Align = Start
	}
	if int(f.Case) >= len(caseNames) {
		f.Case = AsWritten
	}
	return f
}

// on makes sure that f can be read on its own ground, or on that of the page.
func (f Face) on(ground Color) Face {
	if f.Ground == ground {
		f.Ground = Color{}
	}
	if f.Ground.Set {
		ground = f.Ground
	}
	f.Color = f.Color.on(ground)
	return f
}

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
func rem(px float64) string { return decimal(px/css.InitialFontSize) + "rem" }
