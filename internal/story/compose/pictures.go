package compose

import (
	"slices"
	"strings"

	"github.com/lede-news/lede/article"
	"github.com/lede-news/lede/dom"
	"github.com/lede-news/lede/internal/page/links"
)

// pictures decides which pictures of a page are the story's.
type pictures struct {
	start dom.Node  // where the story with its header begins
	first dom.Node  // the first selected text, or the end of the page
	last  dom.Node  // the last selected text, or dom.None
	texts maskIndex // of the selected texts, when it is needed
	// declared holds the keys of the pictures in the metadata.
	declared map[string]bool
	seen     map[string]seenPicture // by key
	// dropped are pictures that are removed in the end, with the picture that
	// each repeats, or nil. Until then they keep their captions out of the body.
	dropped map[*article.Image]*article.Image
}

// seenPicture is a picture of the article.
type seenPicture struct {
	image *article.Image
	node  dom.Node
}

// findStory finds where the story begins and ends.
func (c *composer) findStory() {
	p := pictures{first: 0, last: dom.Node(len(c.mask)) - 1}
	for p.last >= 0 && !c.isSelectedText(p.last) {
		p.last--
	}
	for p.first < p.last && !c.isSelectedText(p.first) {
		p.first++
	}
	if p.last < 0 {
		p.first, p.last = dom.Node(len(c.mask)), dom.None
	}
	if p.last != dom.None {
		p.start = c.storyStart(p.first)
	}
	for _, im := range c.opts.Declared {
		if p.declared == nil {
			p.declared = make(map[string]bool)
		}
		p.declared[pictureKey(im.URL)] = true
	}
	c.pictures = p
}

// storyStart returns the start of the element that has both the headline and the
// first text of the story. Its lead picture may stand before the headline.
func (c *composer) storyStart(first dom.Node) dom.Node {
	d, title := c.doc, c.opts.Title
	if title <= 0 || title > first {
		title = first
	}
	if a := d.Closest(first, dom.Article, dom.Main); a != dom.None && d.Contains(a, title) {
		return a
	}
	a := d.CommonAncestor(title, first)
	for _, tag := range []dom.Tag{dom.Article, dom.Main} {
		if p := d.Closest(a, tag); p != dom.None {
			return p
		}
	}
	if tag := d.Tag(a); tag == dom.Body || tag == dom.HTML || tag == dom.Text {
		return title
	}
	return a
}

// picture adds an image, unless it is an icon or a tracking pixel.
func (c *composer) picture(n dom.Node) {
	if !c.mask[n] {
		return
	}
	im := c.image(n)
	if im == nil {
		return
	}
	b := article.Block{Kind: article.Picture, Image: im}
	if c.accept(n, im) {
		c.useMedia(n)
	}
	if box := c.captionElement(n); box != dom.None {
		c.setCaption(&b, box)
		c.addMedia(b)
		c.addCaption(box)
		return
	}
	c.addMedia(b)
}

// drop removes a picture in the end. It repeats another, unless that is nil.
func (p *pictures) drop(im, other *article.Image) {
	if p.dropped == nil {
		p.dropped = make(map[*article.Image]*article.Image)
	}
	p.dropped[im] = other
}

// isDropped reports whether a block is a picture that is removed in the end.
func (p *pictures) isDropped(b *article.Block) bool {
	if b.Kind != article.Picture {
		return false
	}
	_, dropped := p.dropped[b.Image]
	return dropped
}

// image returns the image of an <img>, <picture> or <amp-img>, or nil if it is
// not worth showing.
func (c *composer) image(n dom.Node) *article.Image {
	d := c.doc
	addr, width := d.ImageSource(n)
	src := c.absolute(addr, "http", "https")
	if src == "" {
		return nil
	}
	img := c.imgOf(n)
	im := c.memory.newImage()
	*im = article.Image{
		URL:    src,
		Alt:    collapseSpace(d.Attr(img, "alt")),
		Width:  pixels(d.Attr(img, "width")),
		Height: pixels(d.Attr(img, "height")),
	}
	const maxIcon = 48 // pixels
	small := im.Width > 0 && im.Width <= maxIcon || im.Height > 0 && im.Height <= maxIcon
	if small && width < minPicture || isTrackingPixel(d, img, src) {
		return nil
	}
	if containsFold(d.Attr(img, "class"), "emoji", "icon", "avatar", "pixel", "smiley", "logo") {
		return nil
	}
	if width > im.Width { // the file is larger than its place on the page
		if im.Width > 0 {
			im.Height = im.Height * width / im.Width
		}
		im.Width = width
	}
	return im
}

// minPicture is the least width in pixels of a picture that is shown for its own
// sake.
const minPicture = 300

// imgOf returns the <img> of a <picture>, or n.
func (c *composer) imgOf(n dom.Node) dom.Node {
	for k := range c.doc.All(n, dom.Img) {
		return k
	}
	return n
}

// accept reports whether a picture belongs to the story. A second copy of one does
// not; it may have the caption that the first lacks, or be larger.
func (c *composer) accept(n dom.Node, im *article.Image) bool {
	key := pictureKey(im.URL)
	p := &c.pictures
	if p.seen == nil {
		p.seen = make(map[string]seenPicture)
	}
	switch first, again := p.seen[key]; {
	case !c.isOfStory(n, im, key):
		p.drop(im, nil)
		return false
	case again:
		if isLarger(im.URL, first.image.URL) { // the first was shown until this one is loaded
			first.image.URL = im.URL
			c.replaceMedia(first.node, n)
			p.seen[key] = seenPicture{first.image, n}
		}
		p.drop(im, first.image)
		return false
	}
	p.seen[key] = seenPicture{im, n}
	return true
}

// isOfStory distinguishes the pictures of a story from icons, portraits of
// authors, advertisements and teasers.
func (c *composer) isOfStory(n dom.Node, im *article.Image, key string) bool {
	d, p := c.doc, &c.pictures
	switch {
	case p.last != dom.None && n > p.last && d.WordsBetween(p.last+1, n) > 0:
		return false
	case isSymbol(im.URL) && im.Width < minPicture && !c.hasFigcaption(n):
		return false
	case p.declared[key]:
		return true
	}
	return !c.isInForeignBox(n) && !c.leadsElsewhere(n, im)
}

// isSubstantial reports whether the page says something about a picture, or it is
// large.
func isSubstantial(im *article.Image) bool {
	const minAltWords = 3
	return im.Caption != "" || im.Credit != "" || im.Width >= minPicture || strings.Count(im.Alt, " ")+1 >= minAltWords
}

// hasFigcaption reports whether n is the only picture of a <figure> with a caption.
func (c *composer) hasFigcaption(n dom.Node) bool {
	d := c.doc
	f := d.Closest(n, dom.Figure)
	if f == dom.None || d.Counts(f).Images > 1 {
		return false
	}
	for k := range d.All(f, dom.Figcaption) {
		if d.Words(k) > 0 && !d.InLink(d.FirstChild(k)) {
			return true
		}
	}
	return false
}

// foreignWords are words in the names of boxes whose pictures are not the story's.
var foreignWords = wordSet("ad ads adv advert advertisement advertising advertorial anzeige anzeigen werbung publicidad publicite pubblicita reklama " +
	"sponsor sponsored author authors autor autoren auteur byline avatar gravatar bio contributor contributors logo logos emoji smiley badge " +
	"spinner loader newsletter newsletters subscribe subscription signup paywall related recommended recommendation recommendations taboola outbrain " +
	"promo promotion social sharing comment comments nav navbar navigation menu breadcrumb breadcrumbs footer cookie consent appstore")

// authorWords are words in the addresses of pages about authors.
var authorWords = wordSet("author authors autor autoren autore autori auteur auteurs auteure autores autorzy redakteur redaktion profile people staff contributor contributors journalist")

// teaserWords are such words if most of the box is a link.
var teaserWords = wordSet("teaser teasers card recirc more readmore")

var videoWords = wordSet("video videos player videoplayer jwplayer")

func wordSet(words string) map[string]bool {
	set := make(map[string]bool)
	for w := range strings.FieldsSeq(words) {
		set[w] = true
	}
	return set
}

// maxLinkDensity is the share of links in the text beside a picture of the story.
const maxLinkDensity = 0.3

// isInForeignBox reports whether a picture is in a small box that is not part of
// the story by its name or tag.
func (c *composer) isInForeignBox(n dom.Node) bool {
	d := c.doc
	const maxLevels = 8
	for p, i := n, 0; p != dom.None && i < maxLevels; p, i = d.Parent(p), i+1 {
		switch tag := d.Tag(p); {
		case tag == dom.Article && !c.hasSelectedText(p) && c.pictures.last != dom.None:
			return true // another story
		case tag == dom.Article || tag == dom.Main || tag == dom.Body || d.Words(p) > maxCaption:
			return false
		case tag == dom.Nav || tag == dom.Footer || tag == dom.Form:
			return true
		case hasNameWord(d, p, foreignWords), d.LinkDensity(p) > maxLinkDensity && hasNameWord(d, p, teaserWords):
			return true
		case hasNameWord(d, p, videoWords) && d.Closest(p, dom.Figure) == dom.None && !c.hasFigcaption(n):
			return true // the still of a video
		}
	}
	return false
}

func (c *composer) isSelectedText(n dom.Node) bool {
	return c.mask[n] && c.doc.IsText(n) && c.doc.Words(n) > 0
}

// hasSelectedText reports whether a text of the subtree is selected.
func (c *composer) hasSelectedText(n dom.Node) bool {
	if c.pictures.texts.words == nil {
		texts := make([]bool, len(c.mask))
		for k := range texts {
			texts[k] = c.isSelectedText(dom.Node(k))
		}
		c.pictures.texts = newMaskIndex(texts)
	}
	return c.pictures.texts.before(c.doc.End(n)) > c.pictures.texts.before(n)
}

// hasNameWord reports whether the class or id of n has one of the words.
func hasNameWord(d *dom.Document, n dom.Node, words map[string]bool) bool {
	return nameHasWord(d.Attr(n, "class"), words) || nameHasWord(d.Attr(n, "id"), words)
}

// nameHasWord reports whether a name such as "c-author__image" or "relatedStories"
// has one of the words, as a whole. A word in the middle of letters and digits,
// as in a hash, is none, and a short one must stand between signs.
func nameHasWord(name string, words map[string]bool) bool {
	const maxName, maxLen, minCamel = 512, 20, 4
	name = name[:min(len(name), maxName)]
	var word [maxLen]byte
	found := func(part string, min int) bool {
		if len(part) < min || len(part) > maxLen {
			return false
		}
		for i := range len(part) {
			word[i] = part[i]
			if part[i] >= 'A' && part[i] <= 'Z' {
				word[i] |= 0x20
			}
		}
		return words[string(word[:len(part)])]
	}
	for from := 0; from < len(name); {
		to, camel := from, from
		for ; to < len(name) && isNameByte(name[to]); to++ {
			if to > camel && name[to] >= 'A' && name[to] <= 'Z' && name[to-1] >= 'a' && name[to-1] <= 'z' {
				if found(name[camel:to], minCamel) {
					return true
				}
				camel = to
			}
		}
		if found(name[from:to], 1) || camel > from && found(name[camel:to], minCamel) {
			return true
		}
		from = to + 1
	}
	return false
}

func isNameByte(b byte) bool {
	return b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z' || b >= '0' && b <= '9' || b >= 0x80
}

// leadsElsewhere reports whether a picture is a link to another page, as in
// teasers and advertisements. A link to the large file or to a place on the page
// is none, and a caption shows that the picture is the story's.
func (c *composer) leadsElsewhere(n dom.Node, im *article.Image) bool {
	d := c.doc
	a := d.Closest(n, dom.A)
	if a == dom.None {
		return false
	}
	href := strings.TrimSpace(d.Attr(a, "href"))
	to := c.absolute(href, "http", "https")
	if href == "" || href[0] == '#' || to == "" || isPictureFile(to) || pictureKey(to) == pictureKey(im.URL) {
		return false
	}
	if nameHasWord(urlPath(to), authorWords) {
		return true
	}
	if page := c.opts.URL; page != "" {
		if key := links.Key(page); strings.HasPrefix(links.Key(to), key) {
			return false
		}
	}
	if d.Words(a) == 0 && (c.hasFigcaption(n) || c.isInParagraph(a)) {
		return false
	}
	return im.Alt == "" || isBanner(im) || c.isTeaser(n)
}

// isInParagraph reports whether a link is in a paragraph of the story.
func (c *composer) isInParagraph(a dom.Node) bool {
	p := c.doc.Closest(a, dom.P)
	return p != dom.None && c.hasSelectedText(p)
}

// isBanner reports whether a picture has the shape of an advertisement.
func isBanner(im *article.Image) bool {
	return im.Width > 0 && im.Height > 0 && 2*im.Width >= 5*im.Height
}

// isTeaser reports whether a picture shares a small box with a link.
func (c *composer) isTeaser(n dom.Node) bool {
	d := c.doc
	for p := d.Parent(n); p != dom.None && d.Words(p) <= maxCaption; p = d.Parent(p) {
		if d.Words(p) > 0 && d.Tag(p).IsBlock() {
			return d.LinkDensity(p) > maxLinkDensity && !c.isLightbox(p)
		}
	}
	return false
}

// dropPictures removes the pictures in dropped from the blocks.
func (c *composer) dropPictures(blocks []article.Block) []article.Block {
	p := &c.pictures
	if len(p.dropped) == 0 {
		return blocks
	}
	return dropBlocks(blocks, func(b *article.Block) bool {
		if !p.isDropped(b) {
			return false
		}
		if other := p.dropped[b.Image]; other != nil {
			describe(other, b.Image)
		}
		return true
	})
}

// isSymbol reports whether an address is that of a drawing or of a file in a
// folder of icons: pictures of a story are photographs.
func isSymbol(addr string) bool {
	path := urlPath(addr)
	if strings.HasSuffix(path, ".svg") {
		return true
	}
	for segment := range strings.SplitSeq(path, "/") {
		if slices.Contains(symbolFolders, segment) {
			return true
		}
	}
	return false
}

var symbolFolders = []string{"icon", "icons", "logo", "logos", "avatar", "avatars", "emoji", "emojis", "badges", "newsletters", "sprites"}
