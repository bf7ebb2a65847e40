package rivals

import (
	"net/url"

	"github.com/markusmobius/go-trafilatura"
	"golang.org/x/net/html"

	"github.com/lede-news/lede/internal/eval/measure"
)

// goTrafilatura is github.com/markusmobius/go-trafilatura. The fallback, which
// also asks go-readability and go-domdistiller, is off in the library's default
// options and on in its command.
func goTrafilatura(fallback bool) extractFunc {
	return func(page *html.Node, at *url.URL) (func(*measure.Output) error, error) {
		r, err := trafilatura.ExtractDocument(page, trafilatura.Options{OriginalURL: at, EnableFallback: fallback})
		if err != nil {
			return nil, err
		}
		return func(out *measure.Output) error {
			out.Title, out.Text = r.Metadata.Title, r.ContentText
			out.Authors = people(r.Metadata.Author, ";")
			out.Date = day(r.Metadata.Date)
			return nil
		}, nil
	}
}
