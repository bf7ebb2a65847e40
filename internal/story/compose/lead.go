package compose

import (
	"bytes"
	"cmp"
	"slices"

	"github.com/lede-news/lede/article"
)

// Lead returns the lead picture of an article, and its body without it. The lead
// is the picture that the page shows at the head of the story; if there is none,
// it is the first of those that the metadata declares. If the page shows that one
// further down, or if there is no text, it also stays there.
func Lead(body []article.Block, declared []article.Image, standfirst string) (*article.Image, []article.Block) {
	if i := headPicture(body, declared, standfirst); i >= 0 {
		im := *body[i].Image
		for j := range declared {
			if isSamePicture(im.URL, declared[j].URL) {
				describe(&im, &declared[j])
			}
		}
		if !slices.ContainsFunc(body, hasText) {
			return &im, body
		}
		return &im, slices.Delete(slices.Clone(body), i, i+1)
	}
	if len(declared) == 0 {
		return nil, body
	}
	im := declared[0]
	a := article.Article{Body: body}
	for b := range a.Blocks() {
		if b.Kind == article.Picture && pictureKey(b.Image.URL) == pictureKey(im.URL) {
			shown := *b.Image
			describe(&shown, &im)
			return &shown, body
		}
	}
	return &im, body
}

func hasText(b article.Block) bool { return !isMedia(&b) && b.Kind != article.Rule }

// headPicture returns the index of the picture at the head of the story, or -1. It
// stands before the first paragraph other than the standfirst; one that the
// metadata declares may stand after it.
func headPicture(body []article.Block, declared []article.Image, standfirst string) int {
	const maxBlocks = 32
	head, substantial, paragraphs := -1, -1, 0
	var room, lineRoom [foldRoom]byte
	folded, line := appendFolded(room[:0], standfirst), lineRoom[:0]
	for i := range body[:min(len(body), maxBlocks)] {
		switch b := &body[i]; b.Kind {
		case article.Picture:
			if slices.ContainsFunc(declared, func(d article.Image) bool { return isSamePicture(d.URL, b.Image.URL) }) {
				return i
			}
			if paragraphs == 0 && head < 0 {
				head = i
			}
			if paragraphs == 0 && substantial < 0 && isSubstantial(b.Image) {
				substantial = i
			}
			continue
		case article.Rule, article.Video:
			continue
		case article.Paragraph, article.Heading:
			if len(folded) > 0 {
				if line = foldSpans(line, b.Spans, 2*len(folded)); bytes.Equal(line, folded) {
					continue
				}
			}
			if paragraphs++; paragraphs < 2 {
				continue
			}
		}
		break
	}
	if substantial >= 0 || len(declared) > 0 {
		return substantial
	}
	return head
}

// describe sets what im lacks from another copy of the same picture.
func describe(im, other *article.Image) {
	im.Alt = cmp.Or(im.Alt, other.Alt)
	if im.Caption == "" && im.Credit == "" {
		im.Caption, im.Credit = other.Caption, other.Credit
	}
}
