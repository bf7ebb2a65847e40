package compose

import (
	"slices"
	"strings"

	"github.com/lede-news/lede/article"
	"github.com/lede-news/lede/internal/words"
)

// Lead returns the lead picture of an article, and its body without it. The lead
// is the picture that the page shows at the head of the story; if there is none,
// it is the first of those that the metadata declares. If the page shows that one
// further down, or if there is no text, it also stays there. Lead may change the body.
func Lead(body []article.Block, declared []article.Image, standfirst string) (*article.Image, []article.Block) {
	same := make(map[string][]*article.Image) // declared pictures by key
	for i := range declared {
		key := pictureKey(declared[i].URL)
		same[key] = append(same[key], &declared[i])
	}
	if i := headPicture(body, same, standfirst); i >= 0 {
		im := *body[i].Image
		for _, other := range same[pictureKey(im.URL)] {
			enlarge(&im, other)
		}
		if slices.ContainsFunc(body, hasText) {
			body = slices.Delete(body, i, i+1)
		}
		return &im, body
	}
	i := slices.IndexFunc(declared, func(im article.Image) bool { return !isGeneric(im.URL) })
	if i < 0 {
		return nil, body
	}
	im, key := declared[i], pictureKey(declared[i].URL)
	for b := range (&article.Article{Body: body}).Blocks() {
		if b.Kind == article.Picture && pictureKey(b.Image.URL) == key {
			shown := *b.Image
			enlarge(&shown, &im)
			return &shown, body
		}
	}
	return &im, body
}

// enlarge sets what im lacks from another copy of the same picture, and its file if
// that one is larger.
func enlarge(im, other *article.Image) {
	describe(im, other)
	if isLarger(other, im) {
		im.URL, im.Width, im.Height = other.URL, other.Width, other.Height
	}
}

var (
	// genericNames are words in the names of files that belong to the site, not to a story.
	genericNames = words.NewSet("logo logos default fallback dummy blank placeholder icon favicon button avatar blavatar sharer noimage transparent")
	// genericSigns are such words if there are two of them, or the file is no photograph.
	genericSigns = words.NewSet("static asset assets brand branded branding common theme themes dist default defaults fallback " +
		"logo logos icon icons social share facebook twitter profile opengraph og generic")
)

// isGeneric reports whether a declared picture is the same on all pages of the site: its
// logo, or what is shown in place of a picture.
func isGeneric(addr string) bool {
	path := strings.Replace(urlPath(addr), "/sites/default/files/", "/", 1) // Drupal has all files there
	name := path[strings.LastIndexByte(path, '/')+1:]
	for word := range words.InName(name) {
		if genericNames[word] || strings.HasSuffix(word, "logo") { // fblogo
			return true
		}
	}
	signs := 0
	for word := range words.InName(path) {
		if genericSigns[word] {
			signs++
		}
	}
	if strings.HasSuffix(path, ".png") || strings.HasSuffix(path, ".gif") {
		signs++
	}
	dated := slices.ContainsFunc(strings.Split(path, "/"), func(s string) bool { return len(s) == 4 && strings.HasPrefix(s, "20") })
	return signs > 1 && !dated || isSymbol(addr)
}

func hasText(b article.Block) bool { return !isMedia(&b) && b.Kind != article.Rule }

// headPicture returns the index of the picture at the head of the story, or -1. It
// stands before the first paragraph other than the standfirst; one that the
// metadata declares may stand after it.
func headPicture(body []article.Block, declared map[string][]*article.Image, standfirst string) int {
	const maxBlocks = 32
	head, substantial, paragraphs := -1, -1, 0
	folded := words.Fold(standfirst)
	for i := range body[:min(len(body), maxBlocks)] {
		switch b := &body[i]; b.Kind {
		case article.Picture:
			if declared[pictureKey(b.Image.URL)] != nil {
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
			if folded != "" && isLine(b.Spans, folded) {
				continue
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
