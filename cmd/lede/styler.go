package main

import (
	"context"
	"fmt"
	"log/slog"
	"os"

	"github.com/lede-news/lede"
	"github.com/lede-news/lede/fetch"
	"github.com/lede-news/lede/internal/api/render"
	"github.com/lede-news/lede/internal/cli"
	"github.com/lede-news/lede/internal/story/styled"
)

// styler has what is needed to write articles in the style of their pages.
type styler struct {
	web    *cli.Chromium // nil: styles are taken from the markup alone
	assets styled.Assets
	root   *os.Root // the folder of --assets; may be nil
}

// newStyler returns a styler that reads pictures from the folder of --assets and,
// with --network, from the network. It returns nil for other formats.
func (f *extractFlags) newStyler(web *cli.Chromium, log *slog.Logger) (*styler, error) {
	if f.format != render.Styled {
		return nil, nil
	}
	s := &styler{}
	if f.Browser {
		s.web = web
		web.Opts.Properties = styled.Properties()
	}
	var sources []styled.Assets
	if f.assets != "" {
		root, err := os.OpenRoot(f.assets)
		if err != nil {
			return nil, fmt.Errorf("--assets: %w", err)
		}
		s.root = root
		sources = append(sources, styled.Folder(root.FS()))
	}
	if f.Network {
		network := fetch.New(fetch.Options{Timeout: f.Timeout, AllowPrivate: f.AllowPrivate, UserAgent: f.UserAgent, Logger: log})
		sources = append(sources, styled.AssetsFunc(func(ctx context.Context, url string) ([]byte, error) {
			resp, err := network.Do(ctx, fetch.Request{URL: url, AnyType: true})
			if err != nil {
				return nil, err
			}
			return resp.Body, nil
		}))
	}
	if len(sources) > 0 {
		s.assets = styled.AnyOf(sources...)
	}
	return s, nil
}

func (s *styler) close() {
	if s != nil && s.root != nil {
		_ = s.root.Close()
	}
}

// options returns the options of the format for a page.
func (s *styler) options(ctx context.Context, x *lede.Explanation) (opts styled.Options, err error) {
	if s == nil {
		return opts, nil
	}
	opts.Assets = s.assets
	if s.web != nil {
		d := x.Document()
		p, err := s.web.Page(ctx, d, x.Article.URL)
		if err != nil {
			return opts, err
		}
		opts.Styles = styled.FromBrowser(d, p.Styles.Get)
	}
	return opts, nil
}
