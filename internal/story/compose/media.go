package compose

import (
	"cmp"
	"net/url"
	"slices"
	"strings"

	"github.com/lede-news/lede/article"
	"github.com/lede-news/lede/dom"
	"github.com/lede-news/lede/internal/words"
)

// medium is what becomes a block and is no text: a picture, a video, the post of a social
// network, or a rule, which has none of them. All are found before the text is read, so that one
// place decides which are the story's, and which texts are captions.
type medium struct {
	node  dom.Node
	image *article.Image
	video *article.Media
	post  *article.Post
	box   caption
	own   bool       // it is the story's
	nodes []dom.Node // of the block, if it is
}

// isShown reports whether a medium is a picture or video.
func (m medium) isShown() bool { return m.image != nil || m.video != nil }

// block returns the block of a medium.
func (m *medium) block() article.Block {
	switch {
	case m.image != nil:
		return article.Block{Kind: article.Picture, Image: m.image}
	case m.video != nil:
		return article.Block{Kind: article.Video, Video: m.video}
	case m.post != nil:
		return article.Block{Kind: article.Embed, Embed: m.post}
	}
	return article.Block{Kind: article.Rule}
}

func isMedia(b *article.Block) bool { return b.Kind == article.Picture || b.Kind == article.Video }

// findMedia finds the media of the story and their captions, which are removed from
// the texts.
func (c *composer) findMedia() {
	d := c.doc
	s := c.findStory()
	var figures, captions []dom.Node
	for n := dom.Node(0); int(n) < d.Len() && !c.opts.Steps.Done(); n++ {
		switch tag := d.Tag(n); {
		case tag == dom.Text:
			continue
		case c.addPost(n):
		case isPlayer(d, n):
			c.addPlayer(n)
		case d.Hidden(n):
		case isPicture(d, n):
			c.addPicture(n, s)
		case tag == dom.Hr && c.mask[n]:
			c.media = append(c.media, medium{node: n, own: true, nodes: []dom.Node{n}})
		case tag == dom.Figure:
			figures = append(figures, n)
			continue
		case tag == dom.Figcaption:
			captions = append(captions, n)
			continue
		default:
			continue
		}
		n = d.End(n) - 1
	}
	var late []medium
	for _, f := range figures {
		if m := c.latePicture(f, s); m.image != nil {
			late = append(late, m)
		}
	}
	c.media = append(c.media, late...)
	slices.SortFunc(c.media, func(a, b medium) int { return cmp.Compare(a.node, b.node) })
	c.media = slices.CompactFunc(c.media, func(a, b medium) bool { return a.node == b.node }) // figures in figures
	c.findCaptions()
	c.choosePictures(s)
	c.splitCaptions(captions)
	c.media = slices.DeleteFunc(c.media, func(m medium) bool { return !m.own })
}

// mediumAt returns the index of the first medium that is not before n.
func (c *composer) mediumAt(n dom.Node) int {
	i, _ := slices.BinarySearchFunc(c.media, n, func(m medium, n dom.Node) int { return cmp.Compare(m.node, n) })
	return i
}

// mediaIn returns the media in n.
func (c *composer) mediaIn(n dom.Node) []medium {
	return c.media[c.mediumAt(n):c.mediumAt(c.doc.End(n))]
}

// addMedium adds the block of n, if it is a medium of the story.
func (c *composer) addMedium(n dom.Node) bool {
	i := c.mediumAt(n)
	if i == len(c.media) || c.media[i].node != n {
		return false
	}
	m := &c.media[i]
	if m.post != nil {
		_, c.end = c.doc.Span(n)
	}
	if c.opts.Pictures || !m.isShown() {
		c.builder.addMedium(m)
	}
	return true
}

// isPicture reports whether n is an element that shows a picture.
func isPicture(d *dom.Document, n dom.Node) bool {
	tag := d.Tag(n)
	return tag == dom.Img || tag == dom.Picture || tag == dom.Unknown && d.Name(n) == "amp-img"
}

// addPicture adds a picture that is selected or in the story.
func (c *composer) addPicture(n dom.Node, s story) {
	if !c.mask[n] && (c.opts.SelectedOnly || n < s.start || n > s.last) {
		return
	}
	if im := c.image(n); im != nil {
		c.media = append(c.media, medium{node: n, image: im})
	}
}

// latePicture returns the picture of a <figure> that a script shows: one that is hidden
// until it is loaded, one in a <noscript>, or one whose address an empty element
// has.
func (c *composer) latePicture(f dom.Node, s story) (m medium) {
	d := c.doc
	const maxNodes = 200
	if f < s.start || f > s.last || c.opts.SelectedOnly && !c.mask[f] || len(c.mediaIn(f)) > 0 {
		return m
	}
	for n := f + 1; n < min(d.End(f), f+maxNodes); n++ {
		tag := d.Tag(n)
		late := tag == dom.Img && d.Hidden(n) || tag == dom.Noscript ||
			(tag == dom.Div || tag == dom.Span) && d.Words(n) == 0 && isPictureFile(d.ImageURL(n))
		if !late {
			continue
		}
		if im := c.image(n); im != nil && (tag != dom.Img || isSubstantial(im)) {
			return medium{node: n, image: im}
		}
	}
	return m
}

// image returns the image of an <img>, <picture> or <amp-img>, or nil if it is
// not worth showing.
func (c *composer) image(n dom.Node) *article.Image {
	d := c.doc
	addr, width := d.ImageSource(n)
	img := n
	for img = range d.All(n, dom.Img) {
		break
	}
	im := &article.Image{Width: pixels(d.Attr(img, "width")), Height: pixels(d.Attr(img, "height"))}
	const maxIcon = 48 // pixels
	small := im.Width > 0 && im.Width <= maxIcon || im.Height > 0 && im.Height <= maxIcon
	if small && width < minPicture || hasWord(d, img, "emoji", "icon", "avatar", "pixel", "smiley", "logo") {
		return nil
	}
	if im.URL = c.web(addr); im.URL == "" || isTrackingPixel(d, img, im.URL) {
		return nil
	}
	im.Alt = collapseSpace(d.Attr(img, "alt"))
	if width > im.Width { // the file is larger than its place on the page
		if im.Width > 0 {
			im.Height = im.Height * width / im.Width
		}
		im.Width = width
	}
	// The sources of a <picture> may be for small screens only.
	if src := d.Attr(img, "src"); width == 0 && src != addr && !strings.HasPrefix(src, "data:") {
		if shown := (article.Image{URL: c.web(src)}); pictureKey(shown.URL) == pictureKey(im.URL) && isLarger(&shown, im) {
			im.URL = shown.URL
		}
	}
	return im
}

func pixels(s string) int {
	return max(0, number(strings.TrimSuffix(strings.TrimSpace(s), "px")))
}

// isTrackingPixel reports whether an image has no size, is one pixel large by its
// style, or comes from a tracking server.
func isTrackingPixel(d *dom.Document, n dom.Node, src string) bool {
	sides := "width:" + d.Attr(n, "width") + ";height:" + d.Attr(n, "height") + ";" + strings.ToLower(d.Attr(n, "style"))
	for rule := range strings.SplitSeq(sides, ";") {
		name, value, _ := strings.Cut(rule, ":")
		name, value = strings.TrimSpace(name), strings.TrimSpace(value)
		if (name == "width" || name == "height") && (value == "0" || value == "0px" || value == "1px") {
			return true
		}
	}
	_, host, _ := strings.Cut(src, "//")
	server, _, _ := strings.Cut(host, ".")
	return trackers[server]
}

// trackers are the first names of tracking servers.
var trackers = words.NewSet("pixel beacon tracking tracker analytics counter")

// isPlayer reports whether n is a video, an audio recording, or a frame with a
// player or an embedded post.
func isPlayer(d *dom.Document, n dom.Node) bool {
	switch d.Tag(n) {
	case dom.Video, dom.Audio:
		return true
	case dom.Iframe, dom.Embed:
		return isPlayerURL(frameSource(d, n))
	case dom.Unknown:
		name, ok := strings.CutPrefix(d.Name(n), "amp-")
		return ok && (playerNames.IsInName(name) || name == "iframe" && isPlayerURL(frameSource(d, n)))
	}
	return false
}

// playerNames are words in the names of AMP elements with players.
var playerNames = words.NewSet("video youtube vimeo dailymotion brightcove")

func frameSource(d *dom.Document, n dom.Node) string {
	for _, key := range [...]string{"src", "data-src", "data-lazy-src"} {
		if v := strings.TrimSpace(d.Attr(n, key)); v != "" && v != "about:blank" {
			return v
		}
	}
	return ""
}

// isPlayerURL distinguishes players from advertisements by words that the
// addresses of embedding services contain.
func isPlayerURL(addr string) bool {
	u, err := url.Parse(addr)
	return err == nil && containsWord(u.Host+u.Path, "embed", "player", "video", "podcast", "/e/")
}

// addPlayer adds a video with the address of its player, if it is selected. Players
// are hidden by themselves.
func (c *composer) addPlayer(n dom.Node) {
	d := c.doc
	if p := d.Parent(n); !c.mask[n] || p != dom.None && d.Hidden(p) {
		return
	}
	v := &article.Media{
		Title:  collapseSpace(cmp.Or(d.Attr(n, "title"), d.Attr(n, "aria-label"))),
		Poster: c.web(d.Attr(n, "poster")),
	}
	src := frameSource(d, n)
	for s := range d.All(n, dom.Source) {
		src = cmp.Or(src, d.Attr(s, "src"))
	}
	if id := d.Attr(n, "data-videoid"); id != "" && d.Name(n) == "amp-youtube" {
		src = "https://www.youtube.com/watch?v=" + url.QueryEscape(id)
	}
	if v.URL = c.web(src); v.URL != "" || v.Poster != "" || v.Title != "" {
		c.media = append(c.media, medium{node: n, video: v})
	}
}

// hasWord reports whether the class or id of n contains one of the words, in any
// case.
func hasWord(d *dom.Document, n dom.Node, words ...string) bool {
	return containsWord(d.Attr(n, "class"), words...) || containsWord(d.Attr(n, "id"), words...)
}

func containsWord(s string, words ...string) bool {
	s = strings.ToLower(s)
	return s != "" && slices.ContainsFunc(words, func(w string) bool { return strings.Contains(s, w) })
}
