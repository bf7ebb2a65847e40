package render

import (
	"errors"

	"github.com/lede-news/lede"
	"github.com/lede-news/lede/fetch"
	"github.com/lede-news/lede/internal/crawl/polite"
)

// kinds are the kinds of errors, by name. The first that fits is that of an error.
var kinds = []struct {
	err  error
	name string
}{
	{lede.ErrEmpty, "empty"}, {lede.ErrTooLarge, "too-large"}, {lede.ErrNotHTML, "not-html"},
	{lede.ErrCharset, "charset"}, {lede.ErrMalformed, "malformed"}, {lede.ErrNoContent, "no-content"},
	{lede.ErrNotArticle, "not-article"}, {lede.ErrTimeout, "timeout"}, {lede.ErrOutput, "output"}, {lede.ErrInternal, "crash"},
	{fetch.ErrURL, "address"}, {fetch.ErrScheme, "address"}, {fetch.ErrPrivateAddress, "address"},
	{fetch.ErrDNS, "fetch"}, {fetch.ErrConnect, "fetch"}, {fetch.ErrTLS, "fetch"}, {fetch.ErrTimeout, "fetch"}, // of robots.txt, too
	{polite.ErrRobots, "robots"}, {polite.ErrNoRobots, "robots"}, {fetch.ErrNotHTML, "not-html"}, {fetch.ErrTooLarge, "too-large"},
}

// Kind returns the kind of the error of a page: a short name, as records of a batch
// have it. It is empty if the error is none of lede, of package fetch or of
// internal/crawl/polite.
func Kind(err error) string {
	if errors.As(err, new(*fetch.StatusError)) {
		return "status"
	}
	for _, k := range kinds {
		if errors.Is(err, k.err) {
			return k.name
		}
	}
	switch {
	case errors.As(err, new(*polite.WaitError)):
		return "wait"
	case errors.As(err, new(*fetch.Error)):
		return "fetch"
	}
	return ""
}
