package store

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/lede-news/lede/dom"
	"github.com/lede-news/lede/site"
)

// observe returns the observation of page n of a made-up site. No two pages of a
// site share their address or their story, so that each counts.
func observe(tb testing.TB, name string, n int) *site.Observation {
	tb.Helper()
	var b strings.Builder
	fmt.Fprintf(&b, `<html><head><title>Story %d - %s</title></head><body><nav class="menu">`, n, name)
	for i := range 25 {
		fmt.Fprintf(&b, `<a href="/%d">Section %d of %s</a><br>`, i, i, name)
	}
	fmt.Fprintf(&b, `</nav><div class="story"><h1>Headline number %d</h1><p class="byline">By Reporter %d</p>`, n, n%7)
	for i := range 12 {
		b.WriteString("<p>")
		for w := range 24 {
			b.WriteString("word" + strconv.Itoa((n*7919+i*104729+w*31)%1000003) + " ")
		}
		b.WriteString("</p>")
	}
	b.WriteString(`</div><footer class="foot"><p>All rights reserved by the publisher of this newspaper</p></footer></body></html>`)
	d, err := dom.Parse(context.Background(), []byte(b.String()), dom.Options{})
	if err != nil {
		tb.Fatal(err)
	}
	return site.NewFingerprint(d).Observe(fmt.Sprintf("https://%s/story/%d", name, n), nil, nil)
}

// reports collects what a store reports.
type reports struct {
	mu   sync.Mutex
	errs []error
}

func (c *reports) report(err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.errs = append(c.errs, err)
}

func (c *reports) all() []error {
	c.mu.Lock()
	defer c.mu.Unlock()
	return append([]error(nil), c.errs...)
}

// want checks that there are n, all of them about something corrupt.
func (c *reports) want(t *testing.T, n int) {
	t.Helper()
	errs := c.all()
	if len(errs) != n {
		t.Errorf("%d reports, want %d: %v", len(errs), n, errs)
	}
	for _, err := range errs {
		if !errors.Is(err, site.ErrCorrupt) {
			t.Errorf("%v is not site.ErrCorrupt", err)
		}
	}
}

// kinds are the stores on disk, with the paths that open them.
var kinds = []struct {
	name string
	path func(dir string) string
}{
	{"sqlite", func(dir string) string { return filepath.Join(dir, "sites.db") }},
	{"folder", func(dir string) string { return filepath.Join(dir, "sites") + "/" }},
}

// open opens a store that must not report anything, and closes it after the test.
func open(tb testing.TB, path string) Store {
	tb.Helper()
	s, err := Open(path, Options{Report: func(err error) { tb.Errorf("reported: %v", err) }})
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() {
		if err := s.Close(); err != nil {
			tb.Error("close: ", err)
		}
	})
	return s
}

func add(tb testing.TB, s Store, name string, from, to int) {
	tb.Helper()
	for n := from; n < to; n++ {
		if e, err := s.Add(tb.Context(), name, observe(tb, name, n)); err != nil {
			tb.Fatal(err)
		} else if e == site.Ignored || e == site.SamePage {
			tb.Fatalf("page %d: %v", n, e)
		}
	}
}

func pages(tb testing.TB, s Store, name string) (n int) {
	tb.Helper()
	if err := s.View(tb.Context(), name, func(p *site.Profile) { n = p.Pages() }); err != nil {
		tb.Fatal(err)
	}
	return n
}

func wantPages(t *testing.T, s Store, name string, want int) {
	t.Helper()
	if got := pages(t, s, name); got != want {
		t.Errorf("%s has %d pages, want %d", name, got, want)
	}
}

func inJSON(tb testing.TB, p *site.Profile) string {
	tb.Helper()
	b, err := p.MarshalJSON()
	if err != nil {
		tb.Fatal(err)
	}
	return string(b)
}
