package main

import (
	"context"
	"fmt"
	"io"
	"os"

	"github.com/lede-news/lede"
	"github.com/lede-news/lede/fetch"
	"github.com/lede-news/lede/internal/styled"
)

// styler writes articles in the look of their pages.
type styler struct {
	web    *chromium // nil: the look is taken from the markup alone
	assets styled.Assets
	root   *os.Root // of the folder of assets; nil when there is none
}

// newStyler takes pictures from a folder, and from the network where that is allowed.
func newStyler(folder string, web *chromium, network *fetch.Client) (*styler, error) {
	s := &styler{web: web}
	var sources []styled.Assets
	if folder != "" {
		root, err := os.OpenRoot(folder)
		if err != nil {
			return nil, fmt.Errorf("the folder of --assets: %w", err)
		}
		s.root = root
		sources = append(sources, styled.Folder(root.FS()))
	}
	if network != nil {
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
	parts := styled.Find(d, a)
	look := styled.LookOf(d, parts)
	if s.web != nil {
		p, err := s.web.page(ctx, d, a.URL)
		if err != nil {
			return err
		}
		look = styled.LookFrom(d, computed{p.Styles}, parts)
	}
	return styled.Write(ctx, w, a, styled.Options{Look: look, Assets: s.assets, URL: a.URL})
}
