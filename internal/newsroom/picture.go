package newsroom

import (
	"bytes"
	"cmp"
	"fmt"
	"html"
	"image"
	"image/color"
	"image/draw"
	"image/jpeg"
	"image/png"
	"regexp"
	"strconv"
)

// A picture is shown at W by H; its address says both, so that any size of any
// picture can be drawn on demand.
type picture struct {
	W, H            int
	Caption, Credit string // escaped
	site            *Site
	base, key       string
}

// key names the next picture of the story.
func (v *view) key(kind string) string {
	v.pics++
	return strconv.Itoa(v.st.i) + "-" + kind + strconv.Itoa(v.pics)
}

// newPicture puts a picture with caption and credit into the gold.
func (v *view) newPicture(kind string, w int) *picture {
	h := w * 9 / 16
	p := &picture{W: w, H: h, site: v.Site, base: v.base, key: strconv.Itoa(v.st.i) + "-lead"}
	if kind != "lead" {
		p.key = v.key(kind)
	}
	g := v.Site.grammar
	caption, credit := g.say(v.r, nil, "caption"), g.say(v.r, nil, "credit")
	p.Caption, p.Credit = html.EscapeString(caption), html.EscapeString(credit)
	v.gold.Images = append(v.gold.Images, Image{URL: "https://" + v.Site.Host + p.path(w, h), Caption: caption, Credit: credit})
	v.extra(caption)
	v.extra(credit)
	return p
}

// Lead is the picture at the head of the story.
func (v *view) Lead() *picture { return v.newPicture("lead", cmp.Or(v.Site.habits.LeadWidth, 960)) }

// LeadURL is the absolute address of that picture, for machines.
func (v *view) LeadURL() string {
	p := picture{site: v.Site, key: strconv.Itoa(v.st.i) + "-lead"}
	return "https://" + v.Site.Host + p.path(960, 540)
}

func (p *picture) path(w, h int) string {
	ext := p.site.habits.Img
	if ext == "" {
		ext = "png"
	}
	return fmt.Sprintf("/img/%dx%d/%s.%s", w, h, p.key, ext)
}

// Src is the address of the picture.
func (p *picture) Src() string { return p.base + p.path(p.W, p.H) }

// Sized is the address of the same picture w wide.
func (p *picture) Sized(w int) string { return p.base + p.path(w, w*p.H/p.W) }

var picturePath = regexp.MustCompile(`^/img/([1-9]\d{0,3})x([1-9]\d{0,3})/([a-z0-9-]{1,40})\.(png|jpg|svg)$`)

// maxSide keeps a stranger from asking for a picture that fills the memory.
const maxSide = 2000

// drawPicture returns the picture at a path and its media type.
func (s *Site) drawPicture(path string) (data []byte, mediaType string, ok bool) {
	m := picturePath.FindStringSubmatch(path)
	if m == nil {
		return nil, "", false
	}
	w, _ := strconv.Atoi(m[1])
	h, _ := strconv.Atoi(m[2])
	if w > maxSide || h > maxSide {
		return nil, "", false
	}
	look := hash(s.Name + m[3])
	if m[4] == "svg" {
		return drawSVG(w, h, look), "image/svg+xml", true
	}
	img := paint(w, h, look)
	var out bytes.Buffer
	var err error
	if m[4] == "png" {
		mediaType, err = "image/png", png.Encode(&out, img)
	} else {
		mediaType, err = "image/jpeg", jpeg.Encode(&out, img, &jpeg.Options{Quality: 70})
	}
	return out.Bytes(), mediaType, err == nil
}

// shades are sky, hills and ground, enough to pass for a landscape in a layout.
func shades(look uint64) [3]color.RGBA {
	c := func(shift uint, base uint8) color.RGBA {
		x := look >> shift
		return color.RGBA{base + uint8(x%64), base + uint8(x>>8%64), base + uint8(x>>16%96), 255}
	}
	return [3]color.RGBA{c(0, 150), c(13, 90), c(29, 40)}
}

func paint(w, h int, look uint64) image.Image {
	img := image.NewRGBA(image.Rect(0, 0, w, h))
	sh := shades(look)
	draw.Draw(img, img.Bounds(), image.NewUniform(sh[0]), image.Point{}, draw.Src)
	horizon := h/2 + int(look%7)*h/40
	for x := range w {
		// Two triangles of hills: exact integer steps, the same on any machine.
		top := min(abs(x-w/3), abs(x-3*w/4)) * h / (w + 1)
		draw.Draw(img, image.Rect(x, h/4+top, x+1, h), image.NewUniform(sh[1]), image.Point{}, draw.Src)
	}
	draw.Draw(img, image.Rect(0, horizon, w, h), image.NewUniform(sh[2]), image.Point{}, draw.Src)
	return img
}

func drawSVG(w, h int, look uint64) []byte {
	sh := shades(look)
	rgb := func(c color.RGBA) string { return fmt.Sprintf("#%02x%02x%02x", c.R, c.G, c.B) }
	return fmt.Appendf(nil, `<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" viewBox="0 0 %d %d">`+
		`<rect width="100%%" height="100%%" fill="%s"/><path d="M0 %d L%d %d L%d %d Z" fill="%s"/><rect y="%d" width="%d" height="%d" fill="%s"/></svg>`,
		w, h, w, h, rgb(sh[0]), h*3/4, w/3, h/4, w, h*3/4, rgb(sh[1]), h*2/3, w, h/3, rgb(sh[2]))
}

func abs(x int) int { return max(x, -x) }
