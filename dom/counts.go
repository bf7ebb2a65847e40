package dom

// Counts is what stands in a subtree. Every field is a sum over the nodes of
// the subtree, so that the difference of two prefix sums gives it for any
// range of nodes at once. Nothing hidden counts.
type Counts struct {
	Chars     int32 // characters of text, white space folded
	Words     int32 // runs of letters and digits; a Han or Kana character is a word of its own
	LinkChars int32 // of Chars, those inside <a href>
	LinkWords int32 // of Words, those inside <a href>
	Links     int32 // <a href> elements
	Punct     int32 // commas, full stops, colons and their kin in every script
	Stops     int32 // of Punct, those that end a sentence
	Digits    int32 // digits
	Format    int32 // formatting elements: b, i, em, font …
	Breaks    int32 // <br>
	Paras     int32 // <p>
	Images    int32 // <img>, <amp-img>
	Elements  int32 // elements of any name
	Texts     int32 // text nodes that show something
}

// prefix is the total of all nodes before one. It fills a cache line and knows
// the end of the subtree, so that a query touches two lines and no more.
type prefix struct {
	Counts
	end Node
	_   int32
}

func (c Counts) minus(o *Counts) Counts {
	c.Chars -= o.Chars
	c.Words -= o.Words
	c.LinkChars -= o.LinkChars
	c.LinkWords -= o.LinkWords
	c.Links -= o.Links
	c.Punct -= o.Punct
	c.Stops -= o.Stops
	c.Digits -= o.Digits
	c.Format -= o.Format
	c.Breaks -= o.Breaks
	c.Paras -= o.Paras
	c.Images -= o.Images
	c.Elements -= o.Elements
	c.Texts -= o.Texts
	return c
}

// LinkDensity is the share of characters that stand in links, 0 for no text.
func (c Counts) LinkDensity() float64 {
	if c.Chars == 0 {
		return 0
	}
	return float64(c.LinkChars) / float64(c.Chars)
}

// Counts sums up the subtree of n.
func (d *Document) Counts(n Node) Counts {
	p := &d.sums[n]
	return d.sums[p.end].minus(&p.Counts)
}

// Between sums up the nodes from a up to, and without, b.
func (d *Document) Between(a, b Node) Counts {
	return d.sums[b].minus(&d.sums[a].Counts)
}

// WordsBetween is Between(a, b).Words, for inner loops.
func (d *Document) WordsBetween(a, b Node) int32 { return d.sums[b].Words - d.sums[a].Words }

// ImagesBetween is Between(a, b).Images, for inner loops.
func (d *Document) ImagesBetween(a, b Node) int32 { return d.sums[b].Images - d.sums[a].Images }

// Chars is Counts(n).Chars, for inner loops.
func (d *Document) Chars(n Node) int {
	p := &d.sums[n]
	return int(d.sums[p.end].Chars - p.Chars)
}

// Words is Counts(n).Words, for inner loops.
func (d *Document) Words(n Node) int {
	p := &d.sums[n]
	return int(d.sums[p.end].Words - p.Words)
}

// LinkChars is Counts(n).LinkChars, for inner loops.
func (d *Document) LinkChars(n Node) int {
	p := &d.sums[n]
	return int(d.sums[p.end].LinkChars - p.LinkChars)
}

// LinkDensity is Counts(n).LinkDensity(), for inner loops.
func (d *Document) LinkDensity(n Node) float64 {
	c := d.Chars(n)
	if c == 0 {
		return 0
	}
	return float64(d.LinkChars(n)) / float64(c)
}
