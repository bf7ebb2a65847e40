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
)

// setCaption sets the caption and credit of a picture or video, unless it has
// them.
func (c *composer) setCaption(b *article.Block, n dom.Node) {
	if c.opts.Pictures && !c.pictures.isDropped(b) {
		c.useCaption(n)
	}
	text, credit := c.captionOf(n)
	if b.Kind == article.Video {
		b.Video.Caption = cmp.Or(b.Video.Caption, text, credit)
		return
	}
	b.Image.Caption = cmp.Or(b.Image.Caption, text)
	b.Image.Credit = cmp.Or(b.Image.Credit, credit)
}

// captionOf returns the caption and the credit in n.
func (c *composer) captionOf(n dom.Node) (text, credit string) {
	d := c.doc
	text = c.captionText(n)
	for k := n + 1; k < d.End(n); k++ { // the class or id may mean a credit
		if d.IsText(k) || d.Hidden(k) || !hasWord(d, k, "credit", "copyright", "photographer", "attribution") {
			continue
		}
		if credit = collapseSpace(d.Text(k)); credit != "" {
			return splitCredit(text, credit)
		}
	}
	for k := n + 1; k < d.End(n); k++ { // an element of its own at either end
		if d.IsText(k) || d.Hidden(k) || d.Words(k) == 0 || d.Words(k) > maxCreditWords || d.Words(k) == d.Words(n) {
			continue
		}
		part := collapseSpace(d.Text(k))
		if (strings.HasPrefix(text, part) || strings.HasSuffix(text, part)) && isCredit(part) {
			return splitCredit(text, part)
		}
	}
	return cutCredit(text)
}

// maxCreditWords is the maximum number of words in a credit.
const maxCreditWords = 14

// captionText returns the text of n without that of buttons.
func (c *composer) captionText(n dom.Node) string {
	d := c.doc
	var b strings.Builder
	from, end := d.Span(n)
	for k := n; k < d.End(n); k++ {
		if d.Tag(k) == dom.Button && d.Words(k) > 0 {
			start, to := d.Span(k)
			b.WriteString(d.AllText()[from:start])
			b.WriteByte(' ')
			from = to
			k = d.End(k) - 1
		}
	}
	if b.Len() == 0 {
		return collapseSpace(d.Text(n))
	}
	b.WriteString(d.AllText()[from:end])
	return collapseSpace(b.String())
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

// addCaption adds a caption as a paragraph if the options ask for it.
func (c *composer) addCaption(n dom.Node) {
	if c.opts.Captions {
		if text := collapseSpace(c.doc.Text(n)); text != "" {
			c.useCaption(n)
			c.add(article.Block{Kind: article.Paragraph, Spans: []article.Span{{Text: c.memory.newString([]byte(text))}}})
		}
	}
}

// maxCaption is the maximum number of words in a caption.
const maxCaption = 100

// isCaption reports whether n is a caption: a <figcaption>, or an element next to
// a picture whose class or id contains "caption".
func (c *composer) isCaption(n dom.Node) bool {
	d := c.doc
	if d.Tag(n) == dom.Figcaption {
		return true
	}
	if d.Words(n) > maxCaption || d.Counts(n).Images > 0 {
		return false
	}
	for p, up := d.Parent(n), 0; p != dom.None && up < 2; p, up = d.Parent(p), up+1 {
		if d.Counts(p).Images > 0 && d.Words(p) < 2*maxCaption {
			return hasWord(d, n, "caption")
		}
	}
	return false
}

// captionElement returns the small element that contains a picture and short text
// that is not selected, or dom.None. That text is its caption.
func (c *composer) captionElement(n dom.Node) dom.Node {
	d := c.doc
	const maxLevels, maxWords = 3, 40
	if c.hasFigcaption(n) {
		return dom.None
	}
	for p, i := d.Parent(n), 0; p != dom.None && i < maxLevels; p, i = d.Parent(p), i+1 {
		tag := d.Tag(p)
		if tag == dom.Figure || tag == dom.A || tag == dom.Body || tag == dom.Article || tag == dom.Section ||
			tag == dom.Li && d.Counts(p).Links > 0 || tag.IsHeading() || d.Words(p) > maxCaption || d.Words(p) > maxWords && !hasWord(d, p, "caption") || d.Counts(p).Images > 1 {
			return dom.None
		}
		if d.Words(p) == 0 {
			continue
		}
		for m := p; m < d.End(p); m++ {
			if d.IsText(m) && (c.mask[m] || d.InLink(m) || m < n) {
				return dom.None
			}
		}
		return p
	}
	return dom.None
}

// caption adds a caption to the picture or video before it.
func (c *composer) caption(n dom.Node) {
	c.flush()
	if b := c.last(); b != nil && isMedia(b) {
		c.setCaption(b, n)
	}
	c.addCaption(n)
}

//go:embed credits.txt
var creditList string

// creditWords are the words that credits begin with.
var creditWords = sync.OnceValue(func() []string { return strings.Fields(creditList) })

// cutCredit splits a caption into text and credit: "The harbour. Photo: Ann Lee",
// "The harbour (© Ann Lee)", "The harbour. Ann Lee/Reuters".
func cutCredit(caption string) (text, credit string) {
	const maxLen = 80 // bytes; a longer one is another sentence of the caption
	if isCredit(caption) && len(caption) <= maxLen && beginsCredit(caption) {
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
		inside := caption[from] == '(' && strings.HasSuffix(caption, ")") || caption[from] == '|' || strings.HasPrefix(caption[from+1:], " ")
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
var agencies = wordSet("AP AFP Reuters REUTERS dpa DPA EFE ANSA APA EPA TASS PTI ANI PAP LUSA Belga BELGA ANP Ritzau NTB Lehtikuva CTK ČTK SIPA Sipa ZUMA PA " +
	"Keystone KEYSTONE Getty GETTY Imago IMAGO imago Shutterstock Alamy iStock Unsplash Bloomberg Xinhua Kyodo Yonhap Handout HANDOUT Archiv Archive Archivo")

// namesAgency reports whether a few words are names of which one is an agency, as
// in "Ann Lee/AFP via Getty Images": not a sentence.
func namesAgency(s string) bool {
	words := strings.FieldsFunc(s, func(r rune) bool { return !unicode.IsLetter(r) && r != '.' && r != '-' && r != '\'' })
	if len(words) == 0 || len(words) > maxCreditWords || strings.HasSuffix(s, ".") {
		return false
	}
	found, lower := false, 0
	for _, w := range words {
		if agencies[w] {
			found = true
		} else if r, _ := utf8.DecodeRuneInString(w); unicode.IsLower(r) {
			lower++
		}
	}
	return found && lower <= 2
}

func beginsCredit(s string) bool {
	if strings.HasPrefix(s, "©") {
		return true
	}
	for _, by := range [...]string{"Photo by ", "Photograph by ", "Picture by ", "Image by ", "Illustration by ", "Foto von ", "Photo par ", "Foto di ", "Foto de "} {
		if rest, ok := strings.CutPrefix(s, by); ok {
			r, _ := utf8.DecodeRuneInString(rest)
			return !unicode.IsLower(r)
		}
	}
	const maxLen = 30 // bytes of the longest word
	end := strings.IndexAny(s, ":：")
	return end >= 0 && end <= maxLen && slices.Contains(creditWords(), strings.ToLower(strings.TrimSpace(s[:end])))
}
