package blend

import (
	"context"
	"errors"
	"testing"

	"github.com/lede-news/lede/dom"
	"github.com/lede-news/lede/internal/newsroom"
	"github.com/lede-news/lede/method"
)

// FuzzSelect holds that no page crashes the method, and that its answer is sound.
func FuzzSelect(f *testing.F) {
	for _, s := range newsroom.New(1).Sites()[:4] {
		f.Add(string(s.Page(0).HTML))
	}
	f.Add("<table><tr><td>A<td>B</table>")
	f.Add("<p>a<br><br>b<br>c")
	m := New(Config{})
	f.Fuzz(func(t *testing.T, page string) {
		d, err := dom.Parse(context.Background(), []byte(page), dom.Options{})
		if err != nil {
			return
		}
		s, err := m.Select(context.Background(), &method.Page{Doc: d})
		if errors.Is(err, method.ErrNoContent) {
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		if s.Text(d) == "" {
			t.Error("a selection without text is no error")
		}
		checkSelection(t, "page", d, s)
	})
}
