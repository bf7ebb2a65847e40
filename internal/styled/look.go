package styled

import (
	_ "embed"
	"math"
	"reflect"
	"slices"
	"strings"

	"github.com/lede-news/lede/internal/css"
)

// Look is the style of a story on its page. Defaults replace zero values. All
// values are checked before they are written, so that any Look is safe.
type Look struct {
	// Background is the colour behind the story.
	Background Color
	// Link is the colour of links in the story.
	Link Color

	Headline, Standfirst, Byline Face
	// Lede is the first paragraph, if it has a style of its own.
	Lede                 Face
	Body, Heading, Quote Face
	Caption              Face
}

// Face is the style of one kind of text.
type Face struct {
	Families []string // names of fonts in order of preference
	Size     float64  // in CSS pixels
	Weight   int      // 400 is normal, 700 bold
	Italic   bool
	Color    Color
	// Background is the colour behind this text, if it has one of its own.
	Background Color
	// Leading is the line height as a multiple of the font size.
	Leading float64
	Align   Align
	Case    Case
	// Spacing is the space between letters as a multiple of the font size.
	Spacing float64
}

// Align is the alignment of a text.
type Align uint8

// The alignments. Start is left, or right in right-to-left scripts.
const (
	Start Align = iota
	Left
	Right
	Center
	Justify
)

// Case is a change of upper and lower case.
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

// defaultLook replaces what the page does not set.
var defaultLook = Look{
	Background: RGB(0xff, 0xff, 0xff),
	Link:       RGB(0x0b, 0x57, 0xa4),
	Headline:   Face{Size: 36, Weight: 700, Leading: 1.18},
	Standfirst: Face{Size: 21, Weight: 400, Leading: 1.4},
	Byline:     Face{Size: 15, Weight: 400, Leading: 1.4},
	Body:       Face{Families: []string{"Georgia", "Times New Roman", "serif"}, Size: 18, Weight: 400, Color: RGB(0x1c, 0x1c, 0x1c), Leading: 1.6},
	Heading:    Face{Size: 24, Weight: 700, Leading: 1.25},
	Quote:      Face{Weight: 400},
	Caption:    Face{Size: 14.5, Weight: 400, Leading: 1.4},
}

// bounds limit a face to what is legible on phones and in print.
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

// readable returns a look in which everything is set and legible: defaults for
// what the page does not set, sizes within bounds, and the contrast that WCAG
// requires.
func (l Look) readable() Look {
	if !l.Background.Set {
		// Light text means a dark page.
		l.Background = defaultLook.Background
		if l.Body.Color.Set && contrast(l.Body.Color, l.Background) < 2 {
			l.Background = RGB(0x1c, 0x1c, 0x1c)
		}
	}
	l.Body.Case, l.Body.Background = AsWritten, Color{} // a story in capitals is hard to read
	l.Body = l.Body.or(defaultLook.Body).within(bodyBounds).on(l.Background)

	head := l.Headline.Background // of the whole header
	if !head.Set {
		head = l.Background
	}
	l.Headline.Background, l.Standfirst.Background, l.Byline.Background = Color{}, Color{}, Color{}
	for _, f := range []*Face{&l.Standfirst, &l.Byline} {
		if !f.isSet() {
			f.Align = l.Headline.Align
		}
	}
	l.Headline = l.Headline.or(defaultLook.Headline).or(l.Body.letters()).within(headlineBounds).on(head)
	l.Standfirst = l.Standfirst.or(defaultLook.Standfirst).or(l.Body.letters()).within(introBounds).on(head)
	l.Byline = l.Byline.or(defaultLook.Byline).or(l.Body.letters()).within(smallBounds).on(head)

	if head != l.Background {
		l.Headline.Background = head
	}

	if l.Lede.isSet() {
		l.Lede = l.Lede.or(l.Body).within(quoteBounds).on(l.Background)
	}
	l.Heading = l.Heading.or(defaultLook.Heading).or(l.Headline.letters()).within(headingBounds).on(l.Background)
	l.Heading.Size = min(max(l.Heading.Size, l.Body.Size), l.Headline.Size)
	quote := Face{Size: l.Body.Size, Leading: l.Body.Leading}
	l.Quote = l.Quote.or(quote).or(defaultLook.Quote).or(l.Body.letters()).within(quoteBounds).on(l.Background)
	l.Caption.Background = Color{}
	l.Caption = l.Caption.or(defaultLook.Caption).or(l.Body.letters()).within(smallBounds).on(l.Background)

	if !l.Link.Set {
		l.Link = defaultLook.Link
	}
	l.Link = l.Link.on(l.Background)
	return l
}

// letters returns what other texts take over from f: fonts and colour, not sizes.
func (f Face) letters() Face { return Face{Families: f.Families, Color: f.Color} }

// or returns f with unset values taken from g.
func (f Face) or(g Face) Face {
	if !slices.ContainsFunc(f.Families, isFamily) {
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

func (f Face) isSet() bool { return !reflect.DeepEqual(f, Face{}) }

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

// on makes f legible on its own background, or on that of the page.
func (f Face) on(background Color) Face {
	if f.Background == background {
		f.Background = Color{}
	}
	if f.Background.Set {
		background = f.Background
	}
	f.Color = f.Color.on(background)
	return f
}

//go:embed styled.css
var commonSheet string

// sheet returns the style sheet of a readable look: its rules, then those that
// all files share.
func (l Look) sheet() string {
	var b strings.Builder
	scheme := "light"
	if l.Background.luminance() < l.Body.Color.luminance() {
		scheme = "dark"
	}
	rule(&b, ":root", "color-scheme: only "+scheme)
	rule(&b, "body", append(l.Body.declarations(), "background: "+l.Background.String())...)
	if l.Body.Align == Justify { // lines on phones are too short for it
		b.WriteString("@media (max-width: 30em) { body { text-align: start; } }\n")
	}
	head := l.Headline.Background
	rule(&b, "header", "text-align: "+alignNames[l.Byline.Align])
	if head.Set {
		rule(&b, "header", "background: "+head.String(), "padding: 1.5rem 1.25rem")
	} else {
		head = l.Background
	}
	// The headline is smaller on phones.
	rule(&b, "h1", append(l.Headline.declarations(), "font-size: clamp(1.5rem, 1rem + 4.5vw, "+rem(l.Headline.Size)+")")...)
	rule(&b, ".standfirst", l.Standfirst.declarations()...)
	rule(&b, ".byline, .date", l.Byline.declarations()...)
	if l.Lede.isSet() {
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
	l.box(&b, ".lede", l.Lede.Background)
	l.box(&b, "blockquote", l.Quote.Background)
	b.WriteString(commonSheet)
	return b.String()
}

// box writes the rules of a text with a background of its own.
func (l Look) box(b *strings.Builder, selector string, background Color) {
	if background.Set {
		rule(b, selector, "background: "+background.String(), "padding: 1em 1.25em")
		rule(b, selector+" a", "color: "+l.Link.on(background).String())
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

// rem returns a size relative to the font size that the reader has set.
func rem(px float64) string { return decimal(px/css.InitialFontSize) + "rem" }
