package main

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"os"

	"github.com/lede-news/lede"
	"github.com/lede-news/lede/fetch"
	"github.com/lede-news/lede/internal/styled"
)

// styler writes articles in the style of their pages.
type styler struct {
	web    *chromium // nil: styles are taken from the markup alone
	assets styled.Assets
	root   *os.Root // the folder of --assets; may be nil
}

// newStyler returns a styler that reads pictures from the folder of --assets and,
// with --network, from the network. It returns nil for other formats.
func (f *extractFlags) newStyler(web *chromium, log *slog.Logger) (*styler, error) {
	if f.format != styledFormat {
		return nil, nil
	}
	s := &styler{}
	if f.browser {
		s.web = web
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
	if f.network {
		network := fetch.New(fetch.Options{Timeout: f.timeout, AllowPrivate: f.allowPrivate, UserAgent: f.userAgent, Logger: log, AnyType: true})
		sources = append(sources, styled.AssetsFunc(func(ctx context.Context, url string) ([]byte, error) {
			resp, err := network.Get(ctx, url)
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

func (s *styler) write(ctx context.Context, w io.Writer, x *lede.Explanation) error {
	d, a := x.Document(), x.Article
	opts := styled.Options{Assets: s.assets, URL: a.URL}
	if s.web != nil {
		p, err := s.web.page(ctx, d, a.URL)
		if err != nil {
			return err
		}
		opts.Styles = styled.FromBrowser(d, p.Styles.Get)
	}
	return styled.Write(ctx, w, d, a, x.Nodes(), opts)
}
