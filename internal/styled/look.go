package styled

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
