package compose

import (
	"net/url"
	"strings"

	"github.com/lede-news/lede/article"
	"github.com/lede-news/lede/dom"
)

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
