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
)

// pictures puts every picture into the document, or a link where there is none.
func (p *page) pictures(ctx context.Context, assets Assets) error {
	al := album{ctx: ctx, assets: assets, base: p.base, room: MaxPictures}
	for _, im := range all(p.article, atom.Img) {
		found := al.paste(im)
		if err := ctx.Err(); err != nil {
			return context.Cause(ctx)
		}
		if !found {
			p.missing(im)
		}
	}
	for _, f := range all(p.article, atom.Figure) {
		if get(f, "class") == "video" {
			p.clip(f)
		}
		if first(f, atom.Img) == nil && content(f) == "" {
			f.Parent.RemoveChild(f)
		}
	}
	return nil
}

// album gets pictures as long as there is room.
type album struct {
	ctx    context.Context
	assets Assets
	base   *url.URL
	room   int // bytes left
}

// paste puts the picture itself where its address was.
func (al *album) paste(im *html.Node) bool {
	data := al.get(get(im, "src"))
	if len(data) == 0 || len(data) > MaxPicture || len(data) > al.room {
		return false
	}
	r, ok := readRaster(data)
	if !ok {
		return false
	}
	al.room -= len(data)
	set(im, "src", "data:"+r.mediaType+";base64,"+base64.StdEncoding.EncodeToString(data))
	unset(im, "loading") // it is here already, and paper does not scroll
	if get(im, "width") == "" {
		set(im, "width", strconv.Itoa(r.width))
		set(im, "height", strconv.Itoa(r.height))
	}
	if r.width >= wideEnough && r.width >= r.height {
		set(im, "class", "wide")
	}
	return true
}

// wideEnough is from which width on a picture fills the column.
const wideEnough = 480

func (al *album) get(src string) []byte {
	if head, data, ok := strings.Cut(src, ";base64,"); ok && strings.HasPrefix(strings.ToLower(head), "data:") {
		if base64.StdEncoding.DecodedLen(len(data)) > MaxPicture+2 {
			return nil
		}
		b, err := base64.RawStdEncoding.DecodeString(strings.TrimRight(data, "="))
		if err != nil {
			return nil
		}
		return b
	}
	if al.assets == nil || src == "" {
		return nil
	}
	if u := webURL(src, al.base); u != nil {
		src = u.String()
	}
	b, err := al.assets.Get(al.ctx, src)
	if err != nil {
		return nil
	}
	return b
}

// missing puts the words of a picture in its place, with a link to where it is.
func (p *page) missing(im *html.Node) {
	if im.Parent.DataAtom == atom.A { // a still of a video: the link has words of its own
		im.Parent.InsertBefore(text(get(im, "alt")), im)
		im.Parent.RemoveChild(im)
		return
	}
	label := text(get(im, "alt"))
	if label.Data == "" {
		label = p.say(p.words.picture)
	}
	box := element(atom.P, "class", "missing")
	u := webURL(get(im, "src"), p.base)
	switch {
	case u != nil:
		add(box, add(element(atom.A, "href", u.String()), label))
	case get(im, "alt") != "":
		add(box, label)
	default: // neither words nor a place to look
		im.Parent.RemoveChild(im)
		return
	}
	replace(im, box)
}

// clip makes of a player one link, with the still picture in it if there is one.
// The words are the link's, so that the still needs none.
func (p *page) clip(f *html.Node) {
	link := first(f, atom.A)
	if link == nil {
		return
	}
	still := first(link, atom.Img)
	title := content(link)
	if still != nil {
		title = get(still, "alt")
		set(still, "alt", "")
	}
	if u, err := url.Parse(title); err == nil && u.Host != "" {
		title = "" // format knew no better than the address
	}
	label := element(atom.Span, "class", "watch")
	if title == "" || still != nil {
		add(label, p.say(p.verb(get(link, "href"))))
	}
	if title != "" && still != nil {
		add(label, text(": "))
	}
	add(label, text(title))
	for link.FirstChild != nil {
		link.RemoveChild(link.FirstChild)
	}
	if still != nil {
		add(link, still, line())
	}
	add(link, label)
}

var soundEndings = []string{".mp3", ".m4a", ".ogg", ".oga", ".opus", ".wav", ".aac", ".flac"}

// verb is what one does with what is at an address.
func (p *page) verb(address string) string {
	if u, err := url.Parse(address); err == nil && slices.Contains(soundEndings, strings.ToLower(path.Ext(u.Path))) {
		return p.words.listen
	}
	return p.words.watch
}

// say is a word of this package, marked when it is not in the story's language.
func (p *page) say(word string) *html.Node {
	if !p.words.foreign {
		return text(word)
	}
	return add(element(atom.Span, "lang", p.words.lang, "dir", "ltr"), text(word))
}
