package label

import (
	"fmt"
	"strings"
	"testing"

	"github.com/PuerkitoBio/goquery"

	"github.com/lede-news/lede/dom"
	"github.com/lede-news/lede/internal/api/frame"
)

// TestFrameNumbers checks that every row of the tree has one element in the frame,
// with its number, name and text.
func TestFrameNumbers(t *testing.T) {
	for _, name := range []string{"harbour", "market", "hostile"} {
		d := parse(t, source(t, name))
		page, err := frame.Page(d, frame.Options{})
		if err != nil {
			t.Fatal(err)
		}
		doc, err := goquery.NewDocumentFromReader(strings.NewReader(string(page)))
		if err != nil {
			t.Fatal(err)
		}
		list, left := rows(d)
		if left != 0 || len(list) < 5 {
			t.Errorf("%s: %d rows, %d left", name, len(list), left)
		}
		for _, row := range list {
			s := doc.Find(fmt.Sprintf(`[data-n="%d"]`, row.Node))
			if s.Length() != 1 || goquery.NodeName(s) != d.Name(row.Node) {
				t.Errorf("%s: %d %s is %d times there, as %s", name, row.Node, row.Name, s.Length(), goquery.NodeName(s))
			}
			if d.FirstChild(row.Node) != dom.None && hashText(s.Text()) != hashText(d.Text(row.Node)) && name == "harbour" {
				t.Errorf("%s: %s has the text %q", name, row.Name, s.Text())
			}
		}
	}
}
