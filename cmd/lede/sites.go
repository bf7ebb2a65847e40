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

func (f *siteFlags) check() error {
	if f.name != "" && f.path == "" {
		return errors.New("--site requires --site-store")
	}
	return nil
}

// open opens the store. It returns nil without --site-store.
func (f *siteFlags) open(w io.Writer, opts store.Options) (*sites.Sites, error) {
	if f.path == "" {
		return nil, f.check()
	}
	s := &sites.Sites{
		Name:   f.name,
		Report: func(text string) { fmt.Fprintf(w, "lede: %s\n", text) },
	}
	opts.Report = func(err error) { s.Say("%s", cli.OneLine(err)) }
	var err error
	if s.Store, err = store.Open(f.path, opts); err != nil {
		return nil, cli.Fail(err)
	}
	return s, nil
}
