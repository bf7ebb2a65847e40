// Package sites extracts pages with what is known about their sites, and learns from
// them.
package sites

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/lede-news/lede"
	"github.com/lede-news/lede/method"
	"github.com/lede-news/lede/site"
	"github.com/lede-news/lede/site/store"
)

// Sites looks up sites in a store and learns about them. Errors of the store are
// counted, and pages are extracted all the same.
type Sites struct {
	Store *store.Store
	Name  string // of the site of all pages (default: from their addresses)

	lock   sync.Mutex
	missed int   // pages that were not learned, or extracted without the store
	err    error // the first reason
}

// learnTime is how long a page waits for the store after it is extracted.
const learnTime = 5 * time.Second

// Page returns the site of a page, for lede.WithSite and for learning afterwards.
// The name is used if the page has no address.
func (s *Sites) Page(ctx context.Context, url, name string) *Known {
	switch {
	case s.Name != "":
		name = Name(s.Name)
	case url != "":
		name = "" // taken from the page
	case name != "":
		name = Name(name)
	}
	return &Known{sites: s, ctx: ctx, url: url, name: name}
}

// Known looks up the site of a page when the page is parsed.
type Known struct {
	sites *Sites
	ctx   context.Context
	url   string
	name  string // empty until the page is parsed, if it depends on the page

	missed bool
}

var _ lede.Site = (*Known)(nil)

// Match implements lede.Site.
func (k *Known) Match(f *site.Fingerprint) (known *method.Site) {
	if k.name == "" {
		k.name = cmp.Or(store.SiteName(k.url), store.SiteName(f.URL()))
	}
	if k.name == "" {
		return nil
	}
	err := k.sites.Store.View(k.ctx, k.name, func(p *site.Profile) { known = p.Match(f) })
	if err != nil {
		k.miss(err)
		return nil
	}
	return known
}

// learn adds the page to the profile of its site, if the site is known.
func (k *Known) learn(x *lede.Explanation) {
	if k.name == "" {
		return
	}
	ctx, cancel := context.WithTimeout(k.ctx, learnTime)
	defer cancel()
	if _, err := k.sites.Store.Add(ctx, k.name, x.Observe()); err != nil {
		k.miss(err)
	}
}

// miss counts a page for which the store failed, once.
func (k *Known) miss(err error) {
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

// Close closes the store and returns the first error.
func (s *Sites) Close() error {
	err := s.Store.Close()
	if s.missed > 0 {
		return fmt.Errorf("%d pages were extracted without the site store or not learned: %w", s.missed, s.err)
	}
	return err
}

// Extract extracts a page with what is known about its site, and learns from it.
func (s *Sites) Extract(
	ctx context.Context, ex *lede.Extractor, r io.Reader, url, name string, opts ...lede.Option,
) (*lede.Explanation, error) {
	if s == nil {
		return ex.Explain(ctx, r, append(opts, lede.WithURL(url))...)
	}
	k := s.Page(ctx, url, name)
	x, err := ex.Explain(ctx, r, append(opts, lede.WithURL(url), lede.WithSite(k))...)
	if err == nil {
		k.learn(x)
	}
	return x, err
}

// Name returns the name under which a site is stored, given its name or the address
// of a page.
func Name(name string) string {
	return cmp.Or(store.SiteName(name), store.SiteName("https://"+name), name)
}
