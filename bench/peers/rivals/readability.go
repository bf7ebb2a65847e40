package rivals

import (
	"net/url"
	"strings"

	"codeberg.org/readeck/go-readability/v2"
	"golang.org/x/net/html"

	"github.com/lede-news/lede/internal/eval/measure"
)

// goReadability is codeberg.org/readeck/go-readability. The page is ours to
// give away, so that its copy of it can be spared, as in its own FromReader.
func goReadability(page *html.Node, at *url.URL) (func(*measure.Output) error, error) {
	parser := readability.NewParser()
	a, err := parser.ParseAndMutate(page, at)
	if err != nil {
		return nil, err
	}
	return func(out *measure.Output) error {
		out.Title, out.Authors = a.Title(), people(a.Byline(), "\n")
		if t, err := a.PublishedTime(); err == nil {
			out.Date = day(t)
		}
		if a.Node == nil {
			return nil
		}
		var text strings.Builder
		err := a.RenderText(&text)
		out.Text = text.String()
		return err
	}, nil
}
