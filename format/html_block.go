package format

import (
	"slices"
	"strconv"

	"github.com/lede-news/lede/article"
)

func (h *htmlWriter) blocks(bs []article.Block) {
	for i := range bs {
		h.block(&bs[i])
	}
}

func (h *htmlWriter) block(b *article.Block) {
	if !notEmpty(*b) {
		return
	}
	switch b.Kind {
	case article.Paragraph:
		h.element("p", b.Spans)
	case article.Heading:
		h.element("h"+strconv.Itoa(max(b.Level, 2)), b.Spans)
	case article.List:
		h.list(b)
	case article.Quote:
		h.raw("<blockquote>\n")
		h.blocks(b.Blocks)
		h.raw("</blockquote>\n")
	case article.Table:
		h.table(b)
	case article.Code:
		h.code(b)
	case article.Picture:
		h.figure(b.Image)
	case article.Video:
		h.video(b.Video)
	case article.Rule:
		h.raw("<hr>\n")
	}
}

// hasContent reports whether bs is worth an element around it.
func hasContent(bs []article.Block) bool { return slices.ContainsFunc(bs, notEmpty) }

func notEmpty(b article.Block) bool {
	switch b.Kind {
	case article.Paragraph, article.Heading:
		return !blankSpans(b.Spans)
	case article.List:
		return slices.ContainsFunc(b.Items, hasContent)
	case article.Quote:
		return hasContent(b.Blocks)
	case article.Table:
		return !blankSpans(b.Spans) || slices.ContainsFunc(b.Rows, func(row []article.Cell) bool {
			return slices.ContainsFunc(row, func(c article.Cell) bool { return hasContent(c.Blocks) })
		})
	case article.Code:
		return b.Code != ""
	case article.Picture:
		return b.Image != nil
	case article.Video:
		return b.Video != nil
	}
	return b.Kind == article.Rule
}

func (h *htmlWriter) list(b *article.Block) {
	name := "ul"
	if b.Ordered {
		name = "ol"
	}
	h.raw("<" + name)
	if b.Ordered && firstNumber(b) != 1 {
		h.number("start", b.Start)
	}
	h.raw(">\n")
	for _, it := range b.Items {
		if hasContent(it) {
			h.raw("<li>")
			h.flow(it)
			h.raw("</li>\n")
		}
	}
	h.raw("</" + name + ">\n")
}

// flow writes what lies in an item or a cell. A paragraph that stands alone,
// or with lists under it, needs no element of its own.
func (h *htmlWriter) flow(bs []article.Block) {
	if len(bs) > 0 && bs[0].Kind == article.Paragraph && onlyLists(bs[1:]) {
		h.inline(tidy(bs[0].Spans))
		bs = bs[1:]
	}
	if len(bs) > 0 {
		h.raw("\n")
		h.blocks(bs)
	}
}

func onlyLists(bs []article.Block) bool {
	for i := range bs {
		if bs[i].Kind != article.List {
			return false
		}
	}
	return true
}

func (h *htmlWriter) code(b *article.Block) {
	h.raw("<pre><code")
	if lang := languageName(b.Lang); lang != "" {
		h.attr("class", "language-"+lang)
	}
	h.raw(">")
	h.text(b.Code)
	h.raw("</code></pre>\n")
}

// figure writes a picture with its caption. If the picture's URL is refused,
// its words are kept.
func (h *htmlWriter) figure(im *article.Image) {
	url, caption := imageURL(im.URL), im.Caption
	if url == "" && caption == "" {
		caption = im.Alt
	}
	if url == "" && caption == "" && im.Credit == "" {
		return
	}
	h.raw("<figure>\n")
	if url != "" {
		h.image(url, im.Alt, im.Width, im.Height)
		h.raw("\n")
	}
	h.figcaption(caption, im.Credit)
	h.raw("</figure>\n")
}

func (h *htmlWriter) image(url, alt string, width, height int) {
	h.raw("<img")
	h.attr("src", url)
	h.attr("alt", alt)
	if width > 0 && height > 0 {
		h.number("width", width)
		h.number("height", height)
	}
	h.raw(` loading="lazy">`)
}

func (h *htmlWriter) figcaption(caption, credit string) {
	if caption == "" && credit == "" {
		return
	}
	h.raw("<figcaption>")
	h.text(caption)
	if credit != "" {
		if caption != "" {
			h.raw(" ")
		}
		h.raw(`<small class="credit">`)
		h.text(credit)
		h.raw("</small>")
	}
	h.raw("</figcaption>\n")
}

// video writes a link to the video, on its still picture if there is one.
func (h *htmlWriter) video(v *article.Clip) {
	url, poster, title, caption := linkURL(v.URL), imageURL(v.Poster), v.Title, v.Caption
	if title == "" {
		title = caption
	}
	if caption == title && (url != "" || poster != "") {
		caption = ""
	}
	if title == "" {
		title = url
	}
	if title == "" && poster == "" {
		return
	}
	h.raw("<figure class=\"video\">\n")
	if url != "" {
		h.raw("<a")
		h.attr("href", url)
		h.raw(">")
	}
	if poster != "" {
		h.image(poster, title, 0, 0)
	} else {
		h.text(title)
	}
	if url != "" {
		h.raw("</a>")
	}
	h.raw("\n")
	h.figcaption(caption, "")
	h.raw("</figure>\n")
}
