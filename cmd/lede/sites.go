package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"sync"
	"sync/atomic"
	"time"

	"github.com/spf13/cobra"

	"github.com/lede-news/lede"
	"github.com/lede-news/lede/method"
	"github.com/lede-news/lede/site"
	"github.com/lede-news/lede/site/store"
)

// siteFlags are the flags of commands that use a site store.
type siteFlags struct {
	path string
	name string
}

func (f *siteFlags) add(cmd *cobra.Command) {
	cmd.Flags().StringVar(&f.path, "site-store", "", "use and update what is known about sites, in a SQLite `FILE` or a FOLDER/ of JSON files")
	cmd.Flags().StringVar(&f.name, "site", "", "`NAME` of the site of all pages (default: from their addresses)")
}

// open opens the store, for pages that take pageTime at most. It returns nil without
// --site-store.
func (f *siteFlags) open(w io.Writer, pageTime time.Duration) (*sites, error) {
	return f.openWith(w, pageTime, store.Options{})
}

func (f *siteFlags) openWith(w io.Writer, pageTime time.Duration, opts store.Options) (*sites, error) {
	if f.path == "" {
		if f.name != "" {
			return nil, errors.New("--site requires --site-store")
		}
		return nil, nil
	}
	s := &sites{name: f.name, out: w, lookupTime: min(pageTime/4, learnTime)}
	opts.Report = func(err error) { s.report("%s", oneLine(err)) }
	var err error
	if s.store, err = store.Open(f.path, opts); err != nil {
		return nil, failure{err}
	}
	return s, nil
}

// sites looks up sites in a store and learns about them. Errors of the store are
// reported, and pages are extracted all the same. A page never waits long for the
// store, so that it is not taken for one that hangs.
type sites struct {
	store      store.Store
	name       string
	out        io.Writer
	lookupTime time.Duration // part of the time for a page; zero means no limit

	slow   atomic.Bool // the last call took too long
	lock   sync.Mutex
	missed int   // pages that were not learned, or extracted without the store
	err    error // the first reason
}

const (
	// learnTime is how long a page waits for the store after it is extracted.
	learnTime = 5 * time.Second
	// slowTime is how long a page waits for a store that did not answer in time,
	// until it does again.
	slowTime = 50 * time.Millisecond
)

// within calls the store with a limit of time.
func (s *sites) within(ctx context.Context, limit time.Duration, call func(context.Context) error) error {
	if limit <= 0 {
		return call(ctx)
	}
	if s.slow.Load() {
		limit = min(limit, slowTime)
	}
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	err := call(ctx)
	s.slow.Store(errors.Is(err, context.DeadlineExceeded))
	return err
}

func (s *sites) report(format string, args ...any) {
	s.lock.Lock()
	defer s.lock.Unlock()
	fmt.Fprintf(s.out, "lede: "+format+"\n", args...)
}

// page returns the site of a page, for lede.WithSite and for learning afterwards.
// The name is used if the page has no address.
func (s *sites) page(ctx context.Context, url, name string) *knownSite {
	switch {
	case s.name != "":
		name = siteName(s.name)
	case url != "":
		name = "" // taken from the page
	case name != "":
		name = siteName(name)
	}
	return &knownSite{sites: s, ctx: ctx, url: url, name: name}
}

// knownSite looks up the site of a page when the page is parsed.
type knownSite struct {
	sites *sites
	ctx   context.Context
	url   string
	name  string // empty until the page is parsed, if it depends on the page

	missed bool
}

var _ lede.Site = (*knownSite)(nil)

// Match implements lede.Site.
func (k *knownSite) Match(f *site.Fingerprint) (known *method.Site) {
	if k.name == "" {
		k.name = cmp.Or(store.SiteName(k.url), store.SiteName(f.URL()))
	}
	if k.name == "" {
		return nil
	}
	err := k.sites.within(k.ctx, k.sites.lookupTime, func(ctx context.Context) error {
		return k.sites.store.View(ctx, k.name, func(p *site.Profile) { known = p.Match(f) })
	})
	if err != nil {
		k.miss(err)
		return nil
	}
	return known
}

// learn adds the page to the profile of its site, if the site is known.
func (k *knownSite) learn(x *lede.Explanation) {
	if k.name == "" {
		return
	}
	var event site.Event
	err := k.sites.within(k.ctx, learnTime, func(ctx context.Context) (err error) {
		o, err := x.ObserveContext(ctx)
		if err == nil {
			event, err = k.sites.store.Add(ctx, k.name, o)
		}
		return err
	})
	switch {
	case err != nil:
		k.miss(err)
	case event == site.Redesigned:
		k.sites.report("%s has a new design; starting a new profile", k.name)
	}
}

// miss counts a page for which the store failed, once.
func (k *knownSite) miss(err error) {
	s := k.sites
	s.lock.Lock()
	defer s.lock.Unlock()
	if s.err == nil {
		s.err = err
	}
	if !k.missed {
		k.missed = true
		s.missed++
	}
}

// close closes the store and returns the first error.
func (s *sites) close() error {
	err := s.store.Close()
	if s.missed > 0 {
		return fmt.Errorf("%d pages were extracted without the site store or not learned: %w", s.missed, s.err)
	}
	return err
}

// extract extracts a page with what is known about its site, and learns from it.
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
