package main

import (
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/lede-news/lede/internal/cli"
	"github.com/lede-news/lede/internal/sites"
	"github.com/lede-news/lede/site/store"
)

// siteFlags are the flags of commands that use a site store.
type siteFlags struct {
	path string
	name string
}

func (f *siteFlags) add(cmd *cobra.Command) {
	cmd.Flags().StringVar(&f.path, "site-store", "", "use and update what is known about sites, in a SQLite `FILE`")
	cmd.Flags().StringVar(&f.name, "site", "", "`NAME` of the site of all pages (default: from their addresses)")
}

// open opens the store. It returns nil without --site-store.
func (f *siteFlags) open(w io.Writer, opts store.Options) (*sites.Sites, error) {
	if f.path == "" {
		if f.name != "" {
			return nil, errors.New("--site requires --site-store")
		}
		return nil, nil
	}
	opts.Report = func(err error) { fmt.Fprintf(w, "lede: %s\n", cli.OneLine(err)) }
	s, err := store.Open(f.path, opts)
	if err != nil {
		return nil, cli.Fail(err)
	}
	return &sites.Sites{Store: s, Name: f.name}, nil
}
