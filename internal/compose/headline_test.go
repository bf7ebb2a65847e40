package compose

import (
	"testing"

	"github.com/lede-news/lede/article"
)

func TestSays(t *testing.T) {
	spans := func(texts ...string) (out []article.Span) {
		for _, s := range texts {
			out = append(out, article.Span{Text: s})
		}
		return out
	}
	for _, c := range []struct {
		spans []article.Span
		title string
		want  bool
	}{
		{spans("Cranes stand still"), "CRANES  stand still", true},
		{spans("Cranes ", "stand\n", " still "), "Cranes stand still", true},
		{spans("Cr", "anes stand still"), "Cranes stand still", true},
		{spans("Cranes stand still"), "Cranes stand", false},
		{spans("Cranes stand"), "Cranes stand still", false},
		{spans("Cranesstand still"), "Cranes stand still", false},
		{spans("Ärger im Hafen"), "ärger im hafen", true},
		{nil, "Cranes", false},
		{spans(" "), "Cranes", false},
	} {
		if got := says(c.spans, fold(c.title)); got != c.want {
			t.Errorf("%q and %q: got %v, want %v", article.SpanText(c.spans), c.title, got, c.want)
		}
		if got := fold(article.SpanText(c.spans)) == fold(c.title); got != c.want {
			t.Errorf("%q and %q folded: got %v, want %v", article.SpanText(c.spans), c.title, got, c.want)
		}
	}
}
