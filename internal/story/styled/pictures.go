package styled

import (
	"cmp"
	"context"
	"encoding/base64"
	"net/url"
	"path"
	"strconv"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/lede-news/lede/article"
	"github.com/lede-news/lede/internal/page/links"
)

// embedder makes the elements of pictures and players, and embeds pictures up to a total size.
type embedder struct {
	ctx    context.Context
	assets []Assets
	base   *url.URL
	left   int // bytes
}

// minWide is the width from which on a picture fills the column, in pixels.
const minWide = 480

// picture returns a picture with its data, or else a link to it, or nil if it has neither a text
// nor an address.
func (em *embedder) picture(im *article.Image, inLink bool) *html.Node {
	alt := cleanLine(im.Alt)
	if e := em.embed(im.URL, alt, im.Width, im.Height); e != nil {
		return e
	}
	return em.link("missing", im.URL, alt, nil, inLink)
}

// link returns a link with a picture, if there is one, and a text, by default from the address, or
// nil if there is nothing to show.
func (em *embedder) link(class, address, label string, picture *html.Node, inLink bool) *html.Node {
	to := links.ResolveWeb(em.base, address)
	out := element(atom.Span, "class", class)
	at := out
	if to != "" && !inLink { // links do not nest
		at = element(atom.A, "href", to)
		add(out, at)
	}
	if picture != nil {
		add(at, picture, line())
	}
	if u, err := url.Parse(to); label == "" && to != "" && err == nil {
		label = u.Host + "/" + path.Base(u.Path)
	}
	switch {
	case label == "":
	case class == "video":
		add(at, add(element(atom.Span, "class", "watch"), text(label)))
	default:
		add(at, text(label))
	}
	if at.FirstChild == nil {
		return nil
	}
	return out
}

// embed returns a picture with its data, or nil if it is not available.
func (em *embedder) embed(src, alt string, width, height int) *html.Node {
	data := em.get(src)
	if len(data) == 0 || len(data) > MaxPicture || len(data) > em.left {
		return nil
	}
	format, w, h := imageFormat(data)
	if format == "" {
		return nil
	}
	em.left -= len(data)
	if width <= 0 || height <= 0 {
		width, height = w, h
	}
	im := element(atom.Img, "src", "data:image/"+format+";base64,"+base64.StdEncoding.EncodeToString(data), "alt", alt)
	if width > 0 && height > 0 {
		set(im, "width", strconv.Itoa(width))
		set(im, "height", strconv.Itoa(height))
	}
	if width = max(width, w); width >= minWide && width >= max(height, h) {
		setClass(im, "wide")
	}
	return im
}

// get returns the bytes of a picture, or nil.
func (em *embedder) get(src string) []byte {
	if head, data, ok := strings.Cut(src, ";base64,"); ok && strings.HasPrefix(strings.ToLower(head), "data:") {
		if base64.StdEncoding.DecodedLen(len(data)) > MaxPicture+2 {
			return nil
		}
		b, _ := base64.RawStdEncoding.DecodeString(strings.TrimRight(data, "="))
		return b
	}
	src = cmp.Or(links.ResolveWeb(em.base, src), src)
	for _, get := range em.assets {
		if data, err := get(em.ctx, src); src != "" && err == nil && em.ctx.Err() == nil {
			return data
		}
	}
	return nil
}

// video returns one link to a video or a recording with its still picture, if there is one, or
// nil if there is neither. The text is that of the link, so that the still needs none.
func (em *embedder) video(v *article.Media, inLink bool) *html.Node {
	return em.link("video", v.URL, cleanLine(v.Title), em.embed(v.Poster, "", 0, 0), inLink)
}

// figure returns the lead picture with its caption, or nil.
func (em *embedder) figure(im *article.Image) *html.Node {
	picture := em.picture(im, false)
	if picture == nil {
		return nil
	}
	fig, caption := add(element(atom.Figure), picture), element(atom.Figcaption)
	if s := cleanLine(im.Caption); s != "" {
		add(caption, text(s+" "))
	}
	if s := cleanLine(im.Credit); s != "" {
		add(caption, add(element(atom.Small, "class", "credit"), text(s)))
	}
	if caption.FirstChild != nil {
		add(fig, line(), caption, line())
	}
	return fig
}
