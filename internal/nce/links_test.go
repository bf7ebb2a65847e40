package nce_test

import (
	"strings"
	"testing"

	"github.com/lede-news/lede/internal/nce"
	"github.com/lede-news/lede/method"
)

// A page that is nearly all links, but holds a story: every tree of the forest
// has too many of them, and the story must not be lost for that.
func TestStoryAmongLinks(t *testing.T) {
	story := strings.Repeat("The ferry left the old pier at seven on Monday morning with forty people on board. ", 4)
	page := "<body><div><p>" + story + "</p>" + strings.Repeat(`<a href="/x">One of very many headlines</a> `, 60) + "</div></body>"
	d := parse(t, page)
	sel, err := nce.New(nce.Default()).Select(t.Context(), &method.Page{Doc: d})
	if err != nil {
		t.Fatal(err)
	}
	if got := sel.Text(d); !strings.Contains(got, "The ferry left the old pier") {
		t.Errorf("the story is lost: %q", got)
	}
}
