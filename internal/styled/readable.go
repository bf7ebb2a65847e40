package styled

import (
	"math"
	"reflect"
)

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
