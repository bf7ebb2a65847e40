package format

import (
	"bufio"
	"cmp"
	"io"
	"strings"

	"github.com/lede-news/lede/article"
)

// writer writes one format. The walk over the article decides what is written, and a writer how.
// Blocks are clean and not empty, and spans are normalized. A new kind of block needs a case in
// appendClean and in writeBlock, and a method here.
type writer interface {
	// begin writes what precedes everything else.
	begin(a *article.Article)
	// header writes headline, byline, date, standfirst and lead picture.
	header(a *article.Article)
	// comments writes the readers' comments: a rule, then a quote for each.
	comments(bs []article.Block)
	// end writes what follows.
	end()

	// separate calls write, which writes a block, and keeps it apart from the next.
	separate(write func())
	paragraph(spans []article.Span)
	heading(level int, spans []article.Span) // level is 2 to 6
	list(b *article.Block, at place)
	quote(blocks []article.Block)
	table(b *article.Block)
	code(b *article.Block, at place)
	figure(f figure)
	post(p *article.Post)
	rule()
}

// place is where a block stands.
type place struct {
	prev *article.Block // the block before it, or nil
	odd  bool           // it is the second, fourth and so on of a run of lists of the same kind
}

// writeArticle writes an article with the writer that is made for the output.
func writeArticle(w io.Writer, a *article.Article, opts Options, newWriter func(*bufio.Writer) writer) error {
	a = cleanArticle(a)
	bw := bufio.NewWriter(w)
	out := newWriter(bw)
	out.begin(a)
	if !opts.BodyOnly {
		out.header(a)
	}
	writeBlocks(bw, out, a.Body)
	if !opts.BodyOnly {
		if bs := comments(a); len(bs) > 0 {
			out.comments(bs)
		}
	}
	out.end()
	return bw.Flush()
}

// writeBlocks writes blocks that follow one another. It ends early if a write to bw has failed,
// so that the rest of a long article need not be written.
func writeBlocks(bw *bufio.Writer, w writer, bs []article.Block) {
	var at place
	for i := range bs {
		if _, err := bw.Write(nil); err != nil {
			return
		}
		b := &bs[i]
		at.odd = !at.odd && at.prev != nil && at.prev.Kind == article.List && b.Kind == article.List && at.prev.Ordered == b.Ordered
		w.separate(func() { writeBlock(w, b, at) })
		at.prev = b
	}
}

func writeBlock(w writer, b *article.Block, at place) {
	switch b.Kind {
	case article.Paragraph:
		w.paragraph(normalize(b.Spans))
	case article.Heading:
		w.heading(max(b.Level, 2), normalize(b.Spans))
	case article.List:
		w.list(b, at)
	case article.Quote:
		w.quote(b.Blocks)
	case article.Table:
		w.table(b)
	case article.Code:
		w.code(b, at)
	case article.Picture:
		w.figure(pictureFigure(b.Image))
	case article.Video:
		w.figure(videoFigure(b.Video))
	case article.Embed:
		w.post(b.Embed)
	case article.Rule:
		w.rule()
	}
}

// inBuffer returns what a writer writes of blocks.
func inBuffer(bs []article.Block, newWriter func(*bufio.Writer) writer) string {
	var b strings.Builder
	bw := bufio.NewWriterSize(&b, 64)
	writeBlocks(bw, newWriter(bw), bs)
	bw.Flush()
	return b.String()
}

func firstNumber(b *article.Block) int { return cmp.Or(b.Start, 1) }

// figure is a picture, or a video with its still picture.
type figure struct {
	kind            string // "picture" or "video"
	src, alt        string // of the picture or the still; a video may have no src
	width, height   int
	href            string // of a video
	caption, credit string
}

func pictureFigure(im *article.Image) figure {
	f := figure{
		kind: "picture", src: imageURL(im.URL), alt: im.Alt, width: im.Width, height: im.Height,
		caption: im.Caption, credit: im.Credit,
	}
	if f.src == "" { // only its words can be written
		f.caption = cmp.Or(f.caption, f.alt)
	}
	return f
}

// videoFigure takes the caption as the title of a video that has none.
func videoFigure(v *article.Media) figure {
	f := figure{kind: "video", src: imageURL(v.Poster), alt: cmp.Or(v.Title, v.Caption), href: linkURL(v.URL), caption: v.Caption}
	if f.caption == f.alt {
		f.caption = ""
	}
	return f
}

// captionText returns the caption and the credit.
func (f *figure) captionText() string {
	if f.caption == "" || f.credit == "" {
		return f.caption + f.credit
	}
	return f.caption + " (" + f.credit + ")"
}
