package styled

import (
	"context"
	"encoding/base64"
	"net/url"
	"path"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/lede-news/lede/article"
)

// embedder makes the elements of pictures and players, and embeds pictures up to a total size.
type embedder struct {
	ctx    context.Context
	assets []Assets
	base   *url.URL
	labels labels
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
	box, label := element(atom.Span, "class", "missing"), text(alt)
	u := webURL(im.URL, em.base)
	switch {
	case u == nil && alt == "":
		return nil
	case u == nil || inLink:
		if alt == "" {
			return nil
		}
		return add(box, label)
	case alt == "":
		label = em.label(em.labels.picture)
	}
	return add(box, add(element(atom.A, "href", u.String()), label))
}

// embed returns a picture with its data, or nil if it is not available.
func (em *embedder) embed(src, alt string, width, height int) *html.Node {
	data := em.get(src)
	if len(data) == 0 || len(data) > MaxPicture || len(data) > em.left {
		return nil
	}
	r, ok := readImageSize(data)
	if !ok {
		return nil
	}
	em.left -= len(data)
	if width <= 0 || height <= 0 {
		width, height = r.width, r.height
	}
	im := element(atom.Img, "src", "data:image/"+r.format+";base64,"+base64.StdEncoding.EncodeToString(data), "alt", alt,
		"width", strconv.Itoa(width), "height", strconv.Itoa(height))
	if r.width >= minWide && r.width >= r.height {
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
	if u := webURL(src, em.base); u != nil {
		src = u.String()
	}
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
	title := cleanLine(v.Title)
	u := webURL(v.URL, em.base)
	if u == nil {
		if still := em.embed(v.Poster, title, 0, 0); still != nil {
			return add(element(atom.Span, "class", "video"), still)
		}
		return nil
	}
	label, link := element(atom.Span, "class", "watch"), element(atom.A, "href", u.String())
	if inLink { // links do not nest
		link = element(atom.Span)
	}
	still := em.embed(v.Poster, "", 0, 0)
	if still != nil {
		add(link, still, line())
	}
	if title == "" || still != nil {
		add(label, em.label(em.action(u)))
	}
	if title != "" && still != nil {
		add(label, text(": "))
	}
	return add(element(atom.Span, "class", "video"), add(link, add(label, text(title))))
}

var audioExtensions = []string{".mp3", ".m4a", ".ogg", ".oga", ".opus", ".wav", ".aac", ".flac"}

// action returns the label of a link to a video or a recording.
func (em *embedder) action(u *url.URL) string {
	if slices.Contains(audioExtensions, strings.ToLower(path.Ext(u.Path))) {
		return em.labels.listen
	}
	return em.labels.watch
}

// label returns a label, marked if it is not in the language of the story.
func (em *embedder) label(s string) *html.Node {
	if !em.labels.foreign {
		return text(s)
	}
	return add(element(atom.Span, "lang", em.labels.lang, "dir", "ltr"), text(s))
}

// figure returns the lead picture with its caption, or nil.
func (em *embedder) figure(im *article.Image) *html.Node {
	fig, caption := element(atom.Figure), element(atom.Figcaption)
	if e := em.picture(im, false); e != nil {
		add(fig, line(), e, line())
	}
	if s := cleanLine(im.Caption); s != "" {
		add(caption, text(s))
	}
	if s := cleanLine(im.Credit); s != "" {
		add(caption, text(" "), add(element(atom.Small, "class", "credit"), text(s)))
	}
	if caption.FirstChild != nil {
		add(fig, caption, line())
	}
	if fig.FirstChild == nil {
		return nil
	}
	return fig
}
