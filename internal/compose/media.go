package compose

import (
	_ "embed"
	"net/url"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/lede-news/lede/article"
	"github.com/lede-news/lede/dom"
)

// figure sets a <figure>: a picture or a clip with its caption, or whatever
// else the page calls a figure, such as a table or a quote.
func (c *compositor) figure(n dom.Node, depth int) {
	d := c.doc
	c.flush()
	caption := c.figcaption(n)
	from := len(c.blocks)
	for k := range d.Children(n) {
		if k != caption {
			c.set(k, depth+1)
		}
	}
	c.flush()
	blocks := c.blocks[from:]
	shown := firstShown(blocks)
	if shown != nil && c.isOnlyPicture(n) {
		c.blocks = append(c.blocks[:from], c.underPicture(shown, blocks, caption != dom.None)...)
	}
	switch {
	case caption == dom.None:
	case shown != nil: // who keeps the picture keeps its caption
		c.giveCaption(shown, caption)
		c.captionText(caption)
	case !c.touched(caption):
	case len(blocks) > 0: // the caption of a table or a quote is part of the story
		c.plain(caption, depth)
	default:
		c.captionText(caption)
	}
}

// figcaption is the caption of a figure: a child of it, or else the first below.
func (c *compositor) figcaption(n dom.Node) dom.Node {
	d := c.doc
	for k := range d.Children(n) {
		if d.Tag(k) == dom.Figcaption && !d.Hidden(k) {
			return k
		}
	}
	for k := range d.All(n, dom.Figcaption) {
		if !d.Hidden(k) && !c.touched(k) { // else it is set on the way
			return k
		}
	}
	return dom.None
}

// isOnlyPicture reports whether a figure holds nothing but its picture and the
// words under it.
func (c *compositor) isOnlyPicture(n dom.Node) bool {
	d := c.doc
	for m := n + 1; m < d.End(n); m++ {
		if tag := d.Tag(m); tag == dom.Table || tag == dom.Blockquote || tag == dom.Pre || isList(tag) || tag.IsHeading() {
			return false
		}
	}
	return d.Words(n) <= longCaption
}

// underPicture takes the paragraphs out of a figure: credits and captions that
// the page does not call by their name.
func (c *compositor) underPicture(shown *article.Block, blocks []article.Block, captioned bool) []article.Block {
	out := blocks[:0:0]
	for _, b := range blocks {
		if b.Kind != article.Paragraph {
			out = append(out, b)
			continue
		}
		switch text := article.SpanText(b.Spans); {
		case shown.Kind == article.Video:
			shown.Video.Caption = firstOf(shown.Video.Caption, text)
		case !captioned && shown.Image.Caption == "":
			shown.Image.Caption = text
		default:
			shown.Image.Credit = firstOf(shown.Image.Credit, text)
		}
		if c.opts.Captions {
			out = append(out, b)
		}
	}
	return out
}

func isShown(b *article.Block) bool { return b.Kind == article.Picture || b.Kind == article.Video }

func firstShown(blocks []article.Block) *article.Block {
	for i := range blocks {
		if isShown(&blocks[i]) {
			return &blocks[i]
		}
	}
	return nil
}

// picture sets an image that is worth one: no icon, no counting pixel.
func (c *compositor) picture(n dom.Node) {
	if !c.mask[n] {
		return
	}
	im := c.image(n)
	if im == nil {
		return
	}
	b := article.Block{Kind: article.Picture, Image: im}
	if box := c.captionBox(n); box != dom.None {
		c.giveCaption(&b, box)
		c.show(b)
		c.captionText(box)
		return
	}
	c.show(b)
}

// image reads one <img>, <picture> or <amp-img>; nil if there is nothing to see.
func (c *compositor) image(n dom.Node) *article.Image {
	d := c.doc
	src := c.absolute(d.Source(n), "http", "https")
	if src == "" {
		return nil
	}
	img := n
	for k := range d.All(n, dom.Img) {
		img = k
		break
	}
	im := &article.Image{
		URL:    src,
		Alt:    strings.Join(strings.Fields(d.AttrOr(img, "alt")), " "),
		Width:  pixels(d.AttrOr(img, "width")),
		Height: pixels(d.AttrOr(img, "height")),
	}
	const icon = 48 // pixels
	if im.Width > 0 && im.Width <= icon || im.Height > 0 && im.Height <= icon || isPixel(d, img, src) {
		return nil
	}
	class := d.AttrOr(img, "class")
	for _, word := range [...]string{"emoji", "icon", "avatar", "pixel", "smiley", "logo"} {
		if containsFold(class, word) {
			return nil
		}
	}
	return im
}

func pixels(s string) int {
	return max(0, number(strings.TrimSuffix(strings.TrimSpace(s), "px")))
}

// isPixel tells a picture that is there to be counted, not to be seen: of no
// size, or of one pixel by its style, or from a server that is named for it.
func isPixel(d *dom.Document, n dom.Node, src string) bool {
	for _, key := range []string{"width", "height"} {
		if v := strings.TrimSpace(d.AttrOr(n, key)); v == "0" || v == "0px" {
			return true
		}
	}
	for rule := range strings.SplitSeq(strings.ToLower(d.AttrOr(n, "style")), ";") {
		name, value, _ := strings.Cut(rule, ":")
		name, value = strings.TrimSpace(name), strings.TrimSpace(value)
		if (name == "width" || name == "height") && (value == "0" || value == "0px" || value == "1px") {
			return true
		}
	}
	_, host, _ := strings.Cut(src, "//")
	for _, server := range []string{"pixel.", "beacon.", "tracking.", "tracker.", "analytics.", "counter."} {
		if strings.HasPrefix(host, server) {
			return true
		}
	}
	return false
}

// isPlayer reports whether n plays something: a video, a sound, or a frame
// that shows a player or a post from elsewhere.
func isPlayer(d *dom.Document, n dom.Node) bool {
	switch d.Tag(n) {
	case dom.Video, dom.Audio:
		return true
	case dom.Iframe, dom.Embed:
		return isPlayerAddress(frameSource(d, n))
	case dom.Unknown:
		switch d.Name(n) {
		case "amp-youtube", "amp-video", "amp-vimeo", "amp-dailymotion", "amp-brightcove", "amp-video-iframe":
			return true
		case "amp-iframe":
			return isPlayerAddress(frameSource(d, n))
		}
	}
	return false
}

func frameSource(d *dom.Document, n dom.Node) string {
	for _, key := range [...]string{"src", "data-src", "data-lazy-src"} {
		if v := strings.TrimSpace(d.AttrOr(n, key)); v != "" && v != "about:blank" {
			return v
		}
	}
	return ""
}

// isPlayerAddress tells a player from an advertisement by what the address
// calls itself; every service that is meant to be embedded says so.
func isPlayerAddress(addr string) bool {
	u, err := url.Parse(addr)
	if err != nil || addr == "" {
		return false
	}
	words := strings.ToLower(u.Host + u.Path)
	for _, w := range []string{"embed", "player", "video", "podcast", "/e/"} {
		if strings.Contains(words, w) {
			return true
		}
	}
	return false
}

// clip sets a player as a placeholder with its address.
func (c *compositor) clip(n dom.Node) {
	d := c.doc
	if !c.mask[n] {
		return
	}
	if p := d.Parent(n); p != dom.None && d.Hidden(p) {
		return
	}
	v := &article.Media{
		Title:  strings.Join(strings.Fields(firstOf(d.AttrOr(n, "title"), d.AttrOr(n, "aria-label"))), " "),
		Poster: c.absolute(d.AttrOr(n, "poster"), "http", "https"),
	}
	src := frameSource(d, n)
	for s := range d.All(n, dom.Source) {
		if src == "" {
			src = d.AttrOr(s, "src")
		}
	}
	if id := d.AttrOr(n, "data-videoid"); id != "" && d.Name(n) == "amp-youtube" {
		src = "https://www.youtube.com/watch?v=" + url.QueryEscape(id)
	}
	if src != "" {
		v.URL = c.absolute(src, "http", "https")
	}
	if v.URL == "" && v.Poster == "" && v.Title == "" {
		return
	}
	c.show(article.Block{Kind: article.Video, Video: v})
}

func firstOf(values ...string) string {
	for _, v := range values {
		if v != "" {
			return v
		}
	}
	return ""
}

// giveCaption writes the words of a caption to its picture, the credit apart.
// A picture keeps the first that it gets.
func (c *compositor) giveCaption(b *article.Block, n dom.Node) {
	text, credit := c.captionOf(n)
	if b.Kind == article.Video {
		b.Video.Caption = firstOf(b.Video.Caption, text, credit)
		return
	}
	b.Image.Caption = firstOf(b.Image.Caption, text)
	b.Image.Credit = firstOf(b.Image.Credit, credit)
}

func (c *compositor) captionOf(n dom.Node) (text, credit string) {
	d := c.doc
	text = strings.Join(strings.Fields(d.Text(n)), " ")
	for k := n + 1; k < d.End(n); k++ {
		if d.IsText(k) || d.Hidden(k) {
			continue
		}
		if isCredit(d, k) {
			credit = strings.Join(strings.Fields(d.Text(k)), " ")
			if credit == "" {
				continue
			}
			rest, ok := strings.CutSuffix(text, credit)
			if !ok {
				rest, ok = strings.CutPrefix(text, credit)
			}
			if ok {
				text = strings.TrimSpace(rest)
			}
			return text, credit
		}
	}
	return cutCredit(text)
}

// captionText sets a caption as a paragraph too, when that was asked for.
func (c *compositor) captionText(n dom.Node) {
	if c.opts.Captions {
		if text := strings.Join(strings.Fields(c.doc.Text(n)), " "); text != "" {
			c.add(article.Block{Kind: article.Paragraph, Spans: []article.Span{{Text: c.stock.print([]byte(text))}}})
		}
	}
}

// longCaption is the most words that stand under a picture.
const longCaption = 100

// isCaption tells the words under a picture on pages that know no
// <figcaption>: their class says so and the picture stands beside them.
func (c *compositor) isCaption(n dom.Node) bool {
	d := c.doc
	if d.Tag(n) == dom.Figcaption {
		return true
	}
	if d.Words(n) > longCaption || !hasWord(d, n, "caption") || d.Counts(n).Images > 0 {
		return false
	}
	for p, up := d.Parent(n), 0; p != dom.None && up < 2; p, up = d.Parent(p), up+1 {
		if d.Counts(p).Images > 0 && d.Words(p) < 2*longCaption {
			return true
		}
	}
	return false
}

// captionBox finds the small box that a picture shares with words that the
// method did not keep: they are its caption, whatever the page calls them.
func (c *compositor) captionBox(n dom.Node) dom.Node {
	d := c.doc
	const up, long = 3, 40
	for p, i := d.Parent(n), 0; p != dom.None && i < up; p, i = d.Parent(p), i+1 {
		tag := d.Tag(p)
		if tag == dom.Figure || tag == dom.A || tag == dom.Body || tag == dom.Article || tag == dom.Section || tag == dom.Li ||
			tag.IsHeading() || d.Words(p) > long || d.Counts(p).Images > 1 {
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

func (c *compositor) caption(n dom.Node) {
	c.flush()
	if b := c.last(); b != nil && isShown(b) {
		c.giveCaption(b, n)
	}
	c.captionText(n)
}

// hasWord looks for a word inside the class and id of n.
func hasWord(d *dom.Document, n dom.Node, word string) bool {
	return containsFold(d.AttrOr(n, "class"), word) || containsFold(d.AttrOr(n, "id"), word)
}

// containsFold finds a word of small ASCII letters in a text, whatever its case
// there, without a copy in lower case.
func containsFold(s, word string) bool {
	for i := 0; i+len(word) <= len(s); i++ {
		if s[i]|0x20 == word[0] && strings.EqualFold(s[i:i+len(word)], word) {
			return true
		}
	}
	return false
}

//go:embed credits.txt
var creditList string

// creditWords are the words of credits.txt. Read only.
var creditWords = strings.Fields(creditList)

// isCredit reports whether an element is named for who took the picture.
func isCredit(d *dom.Document, n dom.Node) bool {
	for _, word := range [...]string{"credit", "copyright", "photographer", "attribution"} {
		if hasWord(d, n, word) {
			return true
		}
	}
	return false
}

// cutCredit finds the credit at the end of a caption that does not mark it:
// "The harbour. Photo: Ann Lee", "The harbour (© Ann Lee)".
func cutCredit(caption string) (text, credit string) {
	const long = 80 // bytes: more is another sentence of the caption
	for from := len(caption); from > 0; {
		from = strings.LastIndexAny(caption[:from], ".([|/—–!?\n ") // where a credit may begin
		if from < 0 || len(caption)-from > long {
			break
		}
		_, size := utf8.DecodeRuneInString(caption[from:])
		if rest := caption[from+size:]; beginsCredit(rest) {
			text = strings.TrimRight(caption[:from+size], "([|/—– ")
			return text, strings.Trim(rest, " )]")
		}
	}
	if beginsCredit(caption) && len(caption) <= long {
		return "", caption
	}
	return caption, ""
}

func beginsCredit(s string) bool {
	if strings.HasPrefix(s, "©") {
		return true
	}
	const long = 30 // bytes of the longest word
	end := strings.IndexAny(s, ":：")
	return end >= 0 && end <= long && slices.Contains(creditWords, strings.ToLower(strings.TrimSpace(s[:end])))
}
