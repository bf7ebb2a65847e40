package compose

import (
	"cmp"
	"net/url"
	"slices"
	"strings"

	"github.com/lede-news/lede/article"
	"github.com/lede-news/lede/dom"
)

// figure adds a <figure>: a picture or video with its caption, or other content
// such as a table or a quote.
func (c *composer) figure(n dom.Node, depth int) {
	d := c.doc
	c.flush()
	caption := c.figcaption(n)
	from := len(c.blocks)
	for k := range d.Children(n) {
		if k != caption {
			c.node(k, depth+1)
		}
	}
	c.flush()
	if firstMedia(c.blocks[from:]) == nil {
		c.addLate(n)
	}
	blocks := c.blocks[from:]
	media := c.mainMedia(blocks)
	if media != nil && c.isOnlyPicture(n) {
		c.blocks = append(c.blocks[:from], c.absorbText(media, blocks, caption != dom.None)...)
		if (!c.opts.Pictures || c.pictures.isDropped(media)) && !c.opts.Captions {
			c.forget(n)
		}
	}
	switch {
	case caption == dom.None:
	case media != nil: // even if the caption is not selected
		c.setCaption(media, caption)
		c.addCaption(caption)
	case !c.hasSelected(caption):
	case len(blocks) > 0: // the caption of a table or quote is part of the body
		c.container(caption, depth)
	default:
		c.addCaption(caption)
	}
}

// figcaption returns the caption of a figure: a child, or else the first
// descendant, or dom.None.
func (c *composer) figcaption(n dom.Node) dom.Node {
	d := c.doc
	for k := range d.Children(n) {
		if d.Tag(k) == dom.Figcaption && !d.Hidden(k) {
			return k
		}
	}
	for k := range d.All(n, dom.Figcaption) {
		if !d.Hidden(k) && !c.hasSelected(k) { // otherwise it is added like other content
			return k
		}
	}
	return dom.None
}

// isOnlyPicture reports whether a figure contains only its picture and a short
// text.
func (c *composer) isOnlyPicture(n dom.Node) bool {
	d := c.doc
	for m := n + 1; m < d.End(n); m++ {
		if tag := d.Tag(m); tag == dom.Table || tag == dom.Blockquote || tag == dom.Pre || isList(tag) || tag.IsHeading() {
			return false
		}
	}
	return d.Words(n) <= maxCaption
}

// absorbText moves the paragraphs of a figure into its picture or video. They are
// captions and credits without a <figcaption>. It returns the other blocks.
func (c *composer) absorbText(media *article.Block, blocks []article.Block, captioned bool) []article.Block {
	out := blocks[:0:0]
	for _, b := range blocks {
		if b.Kind != article.Paragraph {
			out = append(out, b)
			continue
		}
		switch text := article.SpanText(b.Spans); {
		case media.Kind == article.Video:
			media.Video.Caption = cmp.Or(media.Video.Caption, text)
		case !captioned && media.Image.Caption == "":
			media.Image.Caption = text
		default:
			media.Image.Credit = cmp.Or(media.Image.Credit, text)
		}
		if c.opts.Captions {
			out = append(out, b)
		}
	}
	return out
}

func isMedia(b *article.Block) bool { return b.Kind == article.Picture || b.Kind == article.Video }

func firstMedia(blocks []article.Block) *article.Block {
	for i := range blocks {
		if isMedia(&blocks[i]) {
			return &blocks[i]
		}
	}
	return nil
}

func pixels(s string) int {
	return max(0, number(strings.TrimSuffix(strings.TrimSpace(s), "px")))
}

// isTrackingPixel reports whether an image has no size, is one pixel large by its
// style, or comes from a tracking server.
func isTrackingPixel(d *dom.Document, n dom.Node, src string) bool {
	for _, key := range []string{"width", "height"} {
		if v := strings.TrimSpace(d.Attr(n, key)); v == "0" || v == "0px" {
			return true
		}
	}
	for rule := range strings.SplitSeq(strings.ToLower(d.Attr(n, "style")), ";") {
		name, value, _ := strings.Cut(rule, ":")
		name, value = strings.TrimSpace(name), strings.TrimSpace(value)
		if (name == "width" || name == "height") && (value == "0" || value == "0px" || value == "1px") {
			return true
		}
	}
	_, host, _ := strings.Cut(src, "//")
	servers := []string{"pixel.", "beacon.", "tracking.", "tracker.", "analytics.", "counter."}
	return slices.ContainsFunc(servers, func(s string) bool { return strings.HasPrefix(host, s) })
}

// isPlayer reports whether n is a video, an audio recording, or a frame with a
// player or an embedded post.
func isPlayer(d *dom.Document, n dom.Node) bool {
	switch d.Tag(n) {
	case dom.Video, dom.Audio:
		return true
	case dom.Iframe, dom.Embed:
		return isPlayerURL(frameSource(d, n))
	case dom.Unknown:
		switch d.Name(n) {
		case "amp-youtube", "amp-video", "amp-vimeo", "amp-dailymotion", "amp-brightcove", "amp-video-iframe":
			return true
		case "amp-iframe":
			return isPlayerURL(frameSource(d, n))
		}
	}
	return false
}

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
	if err != nil || addr == "" {
		return false
	}
	place := strings.ToLower(u.Host + u.Path)
	words := []string{"embed", "player", "video", "podcast", "/e/"}
	return slices.ContainsFunc(words, func(w string) bool { return strings.Contains(place, w) })
}

// player adds a video block with the address of a player.
func (c *composer) player(n dom.Node) {
	d := c.doc
	if !c.mask[n] {
		return
	}
	if p := d.Parent(n); p != dom.None && d.Hidden(p) {
		return
	}
	v := &article.Media{
		Title:  collapseSpace(cmp.Or(d.Attr(n, "title"), d.Attr(n, "aria-label"))),
		Poster: c.absolute(d.Attr(n, "poster"), "http", "https"),
	}
	src := frameSource(d, n)
	for s := range d.All(n, dom.Source) {
		if src == "" {
			src = d.Attr(s, "src")
		}
	}
	if id := d.Attr(n, "data-videoid"); id != "" && d.Name(n) == "amp-youtube" {
		src = "https://www.youtube.com/watch?v=" + url.QueryEscape(id)
	}
	if v.URL = c.absolute(src, "http", "https"); v.URL == "" && v.Poster == "" && v.Title == "" {
		return
	}
	c.useMedia(n)
	c.addMedia(article.Block{Kind: article.Video, Video: v})
}

// mainMedia returns the first picture or video that is the story's, or else the
// first, or nil.
func (c *composer) mainMedia(blocks []article.Block) *article.Block {
	for i := range blocks {
		if isMedia(&blocks[i]) && !c.pictures.isDropped(&blocks[i]) {
			return &blocks[i]
		}
	}
	return firstMedia(blocks)
}

// hasWord reports whether the class or id of n contains one of the words.
func hasWord(d *dom.Document, n dom.Node, words ...string) bool {
	return containsFold(d.Attr(n, "class"), words...) || containsFold(d.Attr(n, "id"), words...)
}

// containsFold reports whether s contains one of the words, which have lower-case
// ASCII letters, in any case. It does not allocate.
func containsFold(s string, words ...string) bool {
	for _, word := range words {
		for i := 0; i+len(word) <= len(s); i++ {
			if s[i]|0x20 == word[0] && strings.EqualFold(s[i:i+len(word)], word) {
				return true
			}
		}
	}
	return false
}
