package parts

import (
	"strings"
	"testing"

	"github.com/lede-news/lede/article"
)

// part returns an article with a paragraph for each line. A line that begins with !
// is the address of a picture.
func part(text string) *article.Article {
	a := &article.Article{Title: "The long way", Standfirst: "A walk of three days.", Confidence: 0.9}
	for line := range strings.SplitSeq(text, "|") {
		b := article.Block{Kind: article.Paragraph, Spans: []article.Span{{Text: line}}}
		if address, ok := strings.CutPrefix(line, "!"); ok {
			b = article.Block{Kind: article.Picture, Image: &article.Image{URL: address}}
		}
		a.Body = append(a.Body, b)
	}
	return a
}

func bodyOf(a *article.Article) string {
	var all []string
	for i := range a.Body {
		if b := &a.Body[i]; b.Image != nil {
			all = append(all, "!"+b.Image.URL)
		} else {
			all = append(all, article.Text([]article.Block{*b}))
		}
	}
	return strings.Join(all, "|")
}

func TestJoin(t *testing.T) {
	for _, test := range []struct{ name, first, next, want string }{
		{"other texts", "One a b c.|Two a b c.", "Three a b c.", "One a b c.|Two a b c.|Three a b c."},
		{"the same top", "By Ida|One a b c.", "By Ida|Two a b c.", "By Ida|One a b c.|Two a b c."},
		{"the same end", "One a b c.|About Ida.", "Two a b c.|About Ida.", "One a b c.|Two a b c.|About Ida."},
		{"both", "Top of all.|One a b c.|About Ida.", "Top of all.|Two a b c.|About Ida.", "Top of all.|One a b c.|Two a b c.|About Ida."},
		{"a paragraph that overlaps", "One a b c.|Two a b c.", "Two a b c.|Three a b c.", "One a b c.|Two a b c.|Three a b c."},
		{"headline and standfirst", "One a b c.", "The long way|A walk of three days.|Two a b c.", "One a b c.|Two a b c."},
		{"a picture", "!a.jpg|One a b c.", "Two a b c.|!a.jpg|!b.jpg|Three a b c.", "!a.jpg|One a b c.|Two a b c.|!b.jpg|Three a b c."},
		{"short texts", "One a b c.|Yes.|Two a b c.", "Three a b c.|Yes.|Four a b c.", "One a b c.|Yes.|Two a b c.|Three a b c.|Yes.|Four a b c."},
	} {
		a := part(test.first)
		if !Join(a, part(test.next)) || bodyOf(a) != test.want {
			t.Errorf("%s: %s, want %s", test.name, bodyOf(a), test.want)
		}
	}
	for _, next := range []string{"One a b c.|Two a b c.", "Two a b c.", "One a b c."} {
		a := part("One a b c.|Two a b c.")
		if Join(a, part(next)) || bodyOf(a) != "One a b c.|Two a b c." {
			t.Errorf("%s: added, to %s", next, bodyOf(a))
		}
	}
}

func TestJoinMetadata(t *testing.T) {
	a, b := part("One a b c."), part("Two a b c.")
	a.Comments, b.Comments = []string{"x", "y"}, []string{"y", "z"}
	a.Lead, b.Lead = &article.Image{URL: "a.jpg"}, &article.Image{URL: "b.jpg"}
	b.Title, b.Confidence, b.Paywalled = "Page 2", 0.5, true
	b.SetPartial(article.PartialClosed)
	Join(a, b)
	if a.Title != "The long way" || a.Confidence != 0.5 || !a.Paywalled || a.PartialReason != article.PartialClosed {
		t.Errorf("%+v", a)
	}
	if got := strings.Join(a.Comments, ""); got != "xyz" {
		t.Errorf("comments %s", got)
	}
	if got := bodyOf(a); got != "One a b c.|!b.jpg|Two a b c." {
		t.Errorf("body %s", got)
	}
}
