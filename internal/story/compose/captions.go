package compose

import (
	"cmp"
	_ "embed"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/lede-news/lede/article"
	"github.com/lede-news/lede/dom"
	"github.com/lede-news/lede/internal/words"
)

// caption is the text about a picture or video.
type caption struct {
	elements     []dom.Node
	text, credit string
	named        bool // it is a caption by a tag or a name
}

const (
	maxCaption     = 100 // words
	maxCreditWords = 14
)

// findCaptions finds the captions of all media. In a <figure> all texts are.
func (c *composer) findCaptions() {
	d := c.doc
	figure, inFigure := dom.None, caption{}
	for i := range c.media {
		m := &c.media[i]
		if !m.isShown() {
			continue
		}
		m.nodes = []dom.Node{m.node}
		switch f := d.Closest(m.node, dom.Figure); {
		case f == dom.None || !c.isPictureBox(f):
		case f == figure:
			m.box = inFigure
			m.box.named = false // it may be about another
		default:
			m.box = c.figureCaption(f)
			figure, inFigure = f, m.box
		}
	}
	for i := range c.media {
		if m := &c.media[i]; len(m.box.elements) == 0 && m.isShown() {
			m.box = c.captionBeside(m)
		}
	}
}

// isPictureBox reports whether an element contains only pictures and a short text.
func (c *composer) isPictureBox(box dom.Node) bool {
	const maxNodes = 500
	d := c.doc
	if d.Words(box) > maxCaption || d.End(box)-box > maxNodes {
		return false
	}
	for n := box; n < d.End(box); n++ {
		tag := d.Tag(n)
		if d.Words(n) > 0 && (tag == dom.Table || tag == dom.Blockquote || tag == dom.Pre || isList(tag) || tag.IsHeading()) {
			return false
		}
	}
	return true
}

// figureCaption returns the caption of a <figure>. What stands beside its
// <figcaption> is the credit.
func (c *composer) figureCaption(f dom.Node) caption {
	d := c.doc
	if d.Words(f) == 0 {
		return caption{}
	}
	for k := range d.All(f, dom.Figcaption) {
		if d.Hidden(k) || d.Words(k) == 0 {
			continue
		}
		box := c.readCaption(k)
		box.elements, box.named = []dom.Node{f}, !d.InLink(d.FirstChild(k))
		from, to := d.Span(k)
		start, end := d.Span(f)
		if d.Words(k) < d.Words(f) {
			box.credit = cmp.Or(box.credit, collapseSpace(c.textBetween(f, start, from)+" "+c.textBetween(f, to, end)))
		}
		return box
	}
	return c.readCaption(f)
}

// captionBeside returns the caption of a picture that is not in a <figure>: the text
// that follows it, if enough signs are for it.
func (c *composer) captionBeside(m *medium) (box caption) {
	const maxLevels, maxSiblings = 5, 6
	d := c.doc
	at := m.node
	for range maxLevels {
		p := d.Parent(at)
		if p == dom.None || d.Words(at) > 0 || d.Tag(p) == dom.Body {
			return box
		}
		next := d.Next(at)
		for i := 0; i < maxSiblings && next != dom.None && d.Words(next) == 0; i++ {
			next = d.Next(next)
		}
		at = p
		switch {
		case next == dom.None || d.Words(next) == 0:
			continue
		case d.Counts(next).Images > 0:
			return box
		case !d.IsText(next):
			elements := []dom.Node{next}
			if credit := d.Next(next); credit != dom.None && d.Words(credit) > 0 && d.Words(credit) <= maxCreditWords && !d.IsText(credit) && isCredit(c.textOf(credit)) {
				elements = append(elements, credit)
			}
			if box = c.rateCaption(m, p, elements); box.elements != nil {
				return box
			}
		}
		return c.rateCaption(m, p, []dom.Node{p})
	}
	return box
}

// isCaptionName reports whether an element is named as a caption.
func isCaptionName(d *dom.Document, n dom.Node) bool {
	return hasWord(d, n, "caption", "legend", "cutline", "bildunterschrift", "bildtext", "didascalia")
}

// rateCaption returns elements as the caption of m if enough signs are for it. They
// stand in p.
func (c *composer) rateCaption(m *medium, p dom.Node, elements []dom.Node) caption {
	const threshold, maxBox = 3, 40
	d, e := c.doc, elements[0]
	named := isCaptionName(d, e)
	switch {
	case d.LinkDensity(e) > maxLinkDensity, d.InLink(e), c.hasText(e) && !named && d.Words(e) > maxBox, !c.isPictureBox(e),
		e == p && (d.Tag(p) == dom.Article || d.Tag(p) == dom.Section || d.WordsBetween(p, m.node) > 0):
		return caption{}
	}
	box := c.readCaption(e)
	for _, other := range elements[1:] {
		box.credit = cmp.Or(box.credit, c.textOf(other))
	}
	box.elements, box.named = elements, named
	var score signs
	alt := ""
	if m.image != nil {
		alt = words.Fold(m.image.Alt)
	}
	text, only := words.Fold(box.text), d.Words(p)-d.Words(e)
	for _, other := range elements[1:] {
		only -= d.Words(other)
	}
	score.add(3, box.named)
	score.add(2, box.credit != "")
	score.add(1, box.text == "")
	score.add(2, len(text) > maxBox/2 && strings.Contains(alt, text))
	score.add(1, only <= 0 && d.Words(p) <= maxBox && d.Counts(p).Images == 1)
	score.add(2, !c.hasText(e))
	score.add(-1, d.Tag(e) == dom.P && c.hasText(e))
	if score < threshold {
		return caption{}
	}
	return box
}

// readCaption returns the caption and the credit in n.
func (c *composer) readCaption(n dom.Node) caption {
	d := c.doc
	box := caption{elements: []dom.Node{n}, text: c.textOf(n)}
	credit := "" // in an element of its own at either end
	for k := n + 1; k < d.End(n); k++ {
		if d.IsText(k) || d.Hidden(k) || d.Words(k) == 0 {
			continue
		}
		part := collapseSpace(d.Text(k))
		if hasWord(d, k, "credit", "copyright", "photographer", "attribution") {
			credit = part
			break
		}
		if credit == "" && d.Words(k) <= maxCreditWords && d.Words(k) < d.Words(n) &&
			(strings.HasPrefix(box.text, part) || strings.HasSuffix(box.text, part)) && isCredit(part) {
			credit = part
		}
	}
	if credit != "" {
		box.text, box.credit = splitCredit(box.text, credit)
	} else {
		box.text, box.credit = cutCredit(box.text)
	}
	return box
}

// textOf returns the text of n without that of buttons.
func (c *composer) textOf(n dom.Node) string {
	from, to := c.doc.Span(n)
	return collapseSpace(c.textBetween(n, from, to))
}

// textBetween returns the part of the text of n between two offsets, without that of
// buttons.
func (c *composer) textBetween(n dom.Node, from, to int) string {
	d := c.doc
	var b strings.Builder
	for k := range d.All(n, dom.Button) {
		if start, end := d.Span(k); start >= from && end <= to && start < end {
			b.WriteString(d.AllText()[from:start] + " ")
			from = end
		}
	}
	b.WriteString(d.AllText()[from:to])
	return b.String()
}

// describe sets the caption of a picture or video.
func (m *medium) describe(d *dom.Document) {
	if m.image != nil {
		describe(m.image, &article.Image{Caption: m.box.text, Credit: m.box.credit})
	} else {
		m.video.Caption = cmp.Or(m.box.text, m.box.credit)
	}
	for _, e := range m.box.elements {
		if d.Tag(e) != dom.Figure {
			m.nodes = append(m.nodes, e)
		}
		m.nodes = slices.AppendSeq(m.nodes, d.All(e, dom.Figcaption))
		m.nodes = append(m.nodes, visibleTexts(d, e)...)
	}
}

// visibleTexts returns the texts of n that a reader sees, without those of buttons.
func visibleTexts(d *dom.Document, n dom.Node) (texts []dom.Node) {
	for k := n; k < d.End(n); k++ {
		switch {
		case d.Tag(k) == dom.Button:
			k = d.End(k) - 1
		case d.IsText(k) && !d.Hidden(k):
			texts = append(texts, k)
		}
	}
	return texts
}

// splitCaptions removes the captions from the texts of the body, or adds them if the
// options ask for it.
func (c *composer) splitCaptions(captions []dom.Node) {
	d := c.doc
	captions = slices.DeleteFunc(captions, func(k dom.Node) bool { // that of a table or quote is part of the body
		f := d.Closest(k, dom.Figure)
		return f != dom.None && !slices.ContainsFunc(c.mediaIn(f), medium.isShown) && d.Words(f) != d.Words(k)
	})
	for i := range c.media {
		captions = append(captions, c.media[i].box.elements...)
	}
	if len(captions) == 0 {
		return
	}
	var cut []dom.Node
	length := 0
	for _, k := range captions {
		for n := k; n < d.End(k); n++ {
			if c.texts[n] {
				from, to := d.Span(n)
				c.texts[n], length, cut = false, length+to-from, append(cut, n)
			}
		}
	}
	if c.opts.CaptionFallback && 2*length > c.length {
		c.opts.Captions = true
	}
	if c.opts.Captions {
		for i := range c.media {
			for _, e := range c.media[i].box.elements {
				if c.media[i].own {
					cut = append(cut, visibleTexts(d, e)...)
				}
			}
		}
		for _, n := range cut {
			c.texts[n] = true
		}
	}
	c.countTexts()
}

// splitCredit cuts a credit out of a caption. A few words after it belong to it.
func splitCredit(caption, credit string) (string, string) {
	const maxRest = 40 // bytes
	i := strings.LastIndex(caption, credit)
	if i < 0 {
		return caption, credit
	}
	before, after := caption[:i], caption[i+len(credit):]
	switch {
	case strings.TrimSpace(before) == "":
		before = after
	case len(after) <= maxRest:
		credit += after
	default:
		before += after
	}
	return trimCaption(before), strings.Trim(credit, " ()[]|")
}

// trimCaption removes what separated a caption from its credit.
func trimCaption(s string) string { return strings.TrimSpace(strings.TrimRight(s, "([|/—–-, ")) }

//go:embed credits.txt
var creditList string

// creditWords are the words that credits begin with.
var creditWords = sync.OnceValue(func() []string { return strings.Fields(creditList) })

// cutCredit splits a caption into text and credit: "The harbour. Photo: Ann Lee",
// "The harbour (© Ann Lee)", "The harbour. Ann Lee/Reuters".
func cutCredit(caption string) (text, credit string) {
	const maxLen = 80 // bytes; a longer one is another sentence of the caption
	if len(caption) <= maxLen && beginsCredit(caption) {
		return "", caption
	}
	for from := len(caption); from > 0; {
		from = strings.LastIndexAny(caption[:from], ".([|/—–!?\n ") // where a credit may begin
		if from < 0 || len(caption)-from > maxLen {
			break
		}
		_, size := utf8.DecodeRuneInString(caption[from:])
		if rest := caption[from+size:]; beginsCredit(rest) {
			return trimCaption(caption[:from+size]), strings.Trim(rest, " )]")
		}
	}
	for from := len(caption); from > 0; {
		from = strings.LastIndexAny(caption[:from], ".(|!?") // where a name may begin
		if from <= 0 || len(caption)-from > maxLen {
			break
		}
		rest := strings.Trim(caption[from+1:], " )")
		inside := caption[from] == '(' && strings.HasSuffix(caption, ")") || caption[from] == '|' ||
			strings.HasPrefix(caption[from+1:], " ")
		if inside && namesAgency(rest) {
			return trimCaption(caption[:from+1]), rest
		}
	}
	return caption, ""
}

// isCredit reports whether a text is a credit and nothing else.
func isCredit(s string) bool {
	return beginsCredit(strings.TrimLeft(s, " (|")) || namesAgency(strings.Trim(s, " ()|"))
}

// agencies are words in the names of picture agencies. Those in capitals are
// matched as such.
var agencies = words.NewSet("AP AFP Reuters REUTERS dpa DPA EFE ANSA APA EPA TASS PTI ANI PAP LUSA Belga BELGA ANP Ritzau NTB " +
	"Lehtikuva CTK ČTK SIPA Sipa ZUMA PA Keystone KEYSTONE Getty GETTY Imago IMAGO imago Shutterstock Alamy iStock Unsplash " +
	"Bloomberg Xinhua Kyodo Yonhap Handout HANDOUT Archiv Archive Archivo")

// namesAgency reports whether a few words are names of which one is an agency, as
// in "Ann Lee/AFP via Getty Images": not a sentence.
func namesAgency(s string) bool {
	if words.Count(s, maxCreditWords+1) > maxCreditWords || strings.HasSuffix(s, ".") {
		return false
	}
	found, lower := false, 0
	for w := range words.All(s) {
		if agencies[w] {
			found = true
		} else if r, _ := utf8.DecodeRuneInString(w); unicode.IsLower(r) {
			lower++
		}
	}
	return found && lower <= 2
}

// creditPhrases are how credits begin if a name follows.
var creditPhrases = []string{
	"Photo by ", "Photograph by ", "Picture by ", "Image by ", "Illustration by ", "Foto von ", "Photo par ", "Foto di ", "Foto de ",
}

func beginsCredit(s string) bool {
	if strings.HasPrefix(s, "©") {
		return true
	}
	for _, by := range creditPhrases {
		if rest, ok := strings.CutPrefix(s, by); ok {
			r, _ := utf8.DecodeRuneInString(rest)
			return !unicode.IsLower(r)
		}
	}
	const maxLen = 30 // bytes of the longest word
	word, _, ok := strings.Cut(s[:min(len(s), maxLen)], ":")
	if !ok {
		word, _, ok = strings.Cut(word, "：")
	}
	return ok && slices.Contains(creditWords(), strings.ToLower(strings.TrimSpace(word)))
}
