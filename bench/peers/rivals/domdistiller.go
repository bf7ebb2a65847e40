package rivals

import (
	"net/url"

	"github.com/markusmobius/go-domdistiller"
	"golang.org/x/net/html"

	"github.com/lede-news/lede/internal/eval/measure"
)

// goDomDistiller is github.com/markusmobius/go-domdistiller. By default it also
// looks for the next page of a story; that takes time but changes no text.
func goDomDistiller(page *html.Node, at *url.URL) (func(*measure.Output) error, error) {
	r, err := distiller.Apply(page, &distiller.Options{OriginalURL: at})
	if err != nil {
		return nil, err
	}
	return func(out *measure.Output) error {
		out.Title, out.Text = r.Title, r.Text
		if out.Authors = r.MarkupInfo.Article.Authors; len(out.Authors) == 0 {
			out.Authors = people(r.MarkupInfo.Author, "\n")
		}
		out.Date = r.MarkupInfo.Article.PublishedTime
		return nil
	}, nil
}
