package main

import (
	"context"
	"fmt"
	"log/slog"
	"os"

	"github.com/lede-news/lede"
	"github.com/lede-news/lede/fetch"
	"github.com/lede-news/lede/internal/story/styled"
)

// openAssets returns where the pictures of styled articles come from: the folder of
// --assets and, with --network, the network. Call close at the end.
func (f *extractFlags) openAssets(log *slog.Logger) (assets []styled.Assets, closeFolder func() error, err error) {
	closeFolder = func() error { return nil }
	if f.assets != "" {
		root, err := os.OpenRoot(f.assets)
		if err != nil {
			return nil, nil, fmt.Errorf("--assets: %w", err)
		}
		closeFolder = root.Close
		assets = append(assets, styled.Folder(root.FS()))
	}
	if f.Network {
		network := fetch.New(fetch.Options{Timeout: f.Timeout, AllowPrivate: f.AllowPrivate, UserAgent: f.UserAgent, Logger: log})
		assets = append(assets, func(ctx context.Context, url string) ([]byte, error) {
			resp, err := network.Do(ctx, fetch.Request{URL: url, AnyType: true})
			if err != nil {
				return nil, err
			}
			return resp.Body, nil
		})
	}
	return assets, closeFolder, nil
}

// styles returns the options of --format styled for a page.
func (e *extraction) styles(ctx context.Context, x *lede.Explanation) (opts styled.Options, err error) {
	opts.Assets = e.assets
	if e.flags.Browser {
		p, err := e.web.Page(ctx, x.Document(), x.Article.URL)
		if err != nil {
			return opts, err
		}
		opts.Computed = p.Styles.Get
	}
	return opts, nil
}
