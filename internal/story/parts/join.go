package parts

import (
	"cmp"
	"strings"

	"github.com/lede-news/lede/article"
	"github.com/lede-news/lede/internal/words"
)

// Join appends the next part of a story to its first parts. What both have, such as
// the headline, the standfirst, a picture or a note at the end, stays once: where it
// stood first, and what both end with at the end. Join returns false if the part
// has nothing new. The metadata are those of the first part.
func Join(first, next *article.Article) bool {
	from, to := 0, len(next.Body)
	for from < to && from < len(first.Body) && same(&first.Body[from], &next.Body[from]) {
		from++
	}
	end := len(first.Body)
	for end > from && to > from && same(&first.Body[end-1], &next.Body[to-1]) {
		end--
		to--
	}
	had := map[string]bool{oneLine(first.Title): true, oneLine(first.Standfirst): true}
	if first.Lead != nil {
		had[first.Lead.URL] = true
	}
	for i := range first.Body[:end] {
		had[key(&first.Body[i])] = true
	}
	body := first.Body[:end:end]
	added := false
	if next.Lead != nil && next.Lead.URL != "" && !had[next.Lead.URL] {
		body = append(body, article.Block{Kind: article.Picture, Image: next.Lead})
		had[next.Lead.URL] = true
	}
	for i := from; i < to; i++ {
		b := next.Body[i]
		// Within the story a short text may come again; at the top of a page it is a
		// heading of the page.
		if k := key(&b); had[k] && (!added || !isShort(&b, k)) {
			continue
		}
		body = append(body, b)
		added = true
	}
	if !added {
		return false
	}
	first.Body = append(body, first.Body[end:]...)
	for _, c := range first.Comments {
		had[c] = true
	}
	for _, c := range next.Comments {
		if !had[c] {
			first.Comments = append(first.Comments, c)
			had[c] = true
		}
	}
	first.Confidence = min(first.Confidence, next.Confidence)
	first.Paywalled = first.Paywalled || next.Paywalled
	first.SetPartial(next.PartialReason)
	return true
}

// isShort reports whether a text may stand in a story twice: "Yes."
func isShort(b *article.Block, text string) bool {
	const minWords = 4
	return b.Image == nil && b.Video == nil && words.Count(text, minWords) < minWords
}

func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

func same(a, b *article.Block) bool { return a.Kind == b.Kind && key(a) == key(b) }

// key returns what tells a block from others: its text, or the address of its
// picture or video.
func key(b *article.Block) string {
	if b.Image != nil && b.Image.URL != "" {
		return b.Image.URL
	}
	if b.Video != nil && b.Video.URL != "" {
		return b.Video.URL
	}
	return cmp.Or(oneLine(article.Text([]article.Block{*b})), b.Kind.String())
}
