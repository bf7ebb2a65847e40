package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"sync"

	"github.com/spf13/cobra"

	"github.com/lede-news/lede"
	"github.com/lede-news/lede/method"
	"github.com/lede-news/lede/site"
	"github.com/lede-news/lede/site/store"
)

// siteFlags are the flags of commands that know sites.
type siteFlags struct {
	path string
	name string
}

func (f *siteFlags) add(cmd *cobra.Command) {
	cmd.Flags().StringVar(&f.path, "site-store", "", "know sites, and learn them from the pages as they pass, in this `FILE` (SQLite) or FOLDER/ (JSON)")
	cmd.Flags().StringVar(&f.name, "site", "", "`NAME` of the site of all pages; the default is the host of their addresses")
}

// open opens the store; nil when none is wanted.
func (f *siteFlags) open(w io.Writer) (*sites, error) {
	if f.path == "" {
		if f.name != "" {
			return nil, errors.New("--site goes with --site-store")
		}
		return nil, nil
	}
	s := &sites{name: f.name, out: w}
	var err error
	s.store, err = store.Open(f.path, store.Options{Report: func(err error) { s.tell("%s", oneLine(err)) }})
	if err != nil {
		return nil, failure{err}
	}
	return s, nil
}

// sites knows sites by a store, and learns. What goes wrong with the store is
// told, and pages are extracted all the same.
type sites struct {
	store store.Store
	name  string
	out   io.Writer

	lock   sync.Mutex
	missed int   // pages that were not learned
	err    error // the first reason
}

func (s *sites) tell(format string, args ...any) {
	s.lock.Lock()
	defer s.lock.Unlock()
	fmt.Fprintf(s.out, "lede: "+format+"\n", args...)
}

// page is the site of a page, for lede.WithSite and for learning afterwards. The
// name is what others call the site; it counts where there is no address.
func (s *sites) page(ctx context.Context, url, name string) *knownSite {
	switch {
	case s.name != "":
		name = s.name
	case url != "":
		name = "" // the page will tell
	case name != "":
		name = cmp.Or(site.NameOf("https://"+name), name)
	}
	return &knownSite{sites: s, ctx: ctx, url: url, name: name}
}

// knownSite looks a site up when a page of it is read.
type knownSite struct {
	sites *sites
	ctx   context.Context
	url   string
	name  string // empty until the page is known, when it is its address that tells
}

var _ lede.Site = (*knownSite)(nil)

// ReadPage finds on the page what the store knows of its site.
func (k *knownSite) ReadPage(pg *site.Page) (known *method.Site) {
	if k.name == "" {
		k.name = pg.Site(k.url)
	}
	if k.name == "" {
		return nil
	}
	err := k.sites.store.View(k.ctx, k.name, func(p *site.Profile) { known = p.ReadPage(pg) })
	if err != nil {
		k.sites.miss(err)
		return nil
	}
	return known
}

// learn adds the page to its site. A page whose site nobody knows is no loss.
func (k *knownSite) learn(x *lede.Explanation) {
	if k.name == "" {
		return
	}
	event, err := k.sites.store.Add(k.ctx, k.name, x.Observe())
	switch {
	case err != nil:
		k.sites.miss(err)
	case event == site.Restarted:
		k.sites.tell("%s has a new design; what was known of the old one is forgotten", k.name)
	}
}

func (s *sites) miss(err error) {
	s.lock.Lock()
	defer s.lock.Unlock()
	if s.missed++; s.err == nil {
		s.err = err
	}
}

// close ends the use of the store and gives the first thing that went wrong.
func (s *sites) close() error {
	err := s.store.Close()
	if s.missed > 0 {
		return fmt.Errorf("%d pages were not learned: %w", s.missed, s.err)
	}
	return err
}

// extract extracts with what is known of the page's site, and learns from it.
func (s *sites) extract(ctx context.Context, ex *lede.Extractor, r io.Reader, url, name string, opts ...lede.Option) (*lede.Explanation, error) {
	opts = append(opts, lede.WithURL(url))
	if s == nil {
		return ex.Explain(ctx, r, opts...)
	}
	known := s.page(ctx, url, name)
	x, err := ex.Explain(ctx, r, append(opts, lede.WithSite(known))...)
	if err == nil {
		known.learn(x)
	}
	return x, err
}
