package follow

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/lede-news/lede/dom"
	"github.com/lede-news/lede/fetch"
	"github.com/lede-news/lede/internal/crawl/feed"
	"github.com/lede-news/lede/internal/crawl/sitemap"
	"github.com/lede-news/lede/internal/crawl/storylinks"
	"github.com/lede-news/lede/internal/page/limits"
	"github.com/lede-news/lede/site/store"
)

// readSource fetches a source and adds its stories to the queue. It returns the
// number of new ones.
func (v *visit) readSource(ctx context.Context, s *source) (fresh int, err error) {
	maxBytes := int64(limits.PageBytes)
	if s.way == bySitemap || s.way == unknownWay {
		maxBytes = maxSitemapBytes
	}
	var body []byte
	var way ways
	before, found := s.error, v.found
	partial := false // the rest may come next time
	resp, err := v.f.polite.Do(ctx, fetch.Request{
		URL: s.url, ETag: s.etag, LastModified: s.modified, AnyType: true, MaxBytes: maxBytes,
		Read: func(resp *fetch.Response, r io.Reader) (err error) {
			s.error = ""
			in := bufio.NewReaderSize(r, sniffBytes)
			head, err := in.Peek(sniffBytes)
			if err != nil && err != io.EOF {
				return err
			}
			if way = s.accept(sourceWay(head)); way == bySitemap { // may be too large for memory
				fresh, err = v.readSitemap(ctx, s, resp, in)
				return err
			}
			body, err = io.ReadAll(io.LimitReader(in, maxListBytes))
			if len(body) > 0 && !errors.Is(err, context.Canceled) {
				err = nil // the beginning has the newest stories
			}
			return err
		},
	})
	if err != nil || resp.Status == http.StatusNotModified {
		return fresh, err
	}
	switch way {
	case byFeed:
		fresh, partial, err = v.readFeed(ctx, s, resp, body)
	case byHome:
		fresh, err = v.readPage(ctx, s, resp, body)
	}
	if err == nil && !partial {
		s.etag, s.modified = resp.Header.Get("ETag"), resp.Header.Get("Last-Modified")
	}
	if err == nil {
		s.found = v.found - found
		if s.error != "" && s.error != before {
			v.problems = append(v.problems, s.error)
		}
	}
	return fresh, err
}

const (
	sniffBytes = 4 << 10
	// maxListBytes is how much of a feed, home page or section is read. Few have a
	// tenth of it.
	maxListBytes = 8 << 20
)

// accept returns how to read a source that looks like one found in some way. What the
// site names is what it says, but a feed may take the place of a sitemap, as the
// protocol allows.
func (s *source) accept(way ways) ways {
	switch {
	case s.way == unknownWay:
		s.way = way
	case s.way == byFeed, s.way == bySitemap && way != byFeed:
		return s.way
	case s.way != bySitemap: // a page
		return byHome
	}
	return way
}

// readFeed adds the items of a feed.
func (v *visit) readFeed(ctx context.Context, s *source, resp *fetch.Response, body []byte) (fresh int, partial bool, err error) {
	var x *feed.Feed
	if stopped := v.f.compute(ctx, func() { x, err = feed.Parse(body, resp.Charset, resp.URL) }); stopped != nil {
		return 0, false, stopped
	}
	if err != nil {
		return 0, false, fmt.Errorf("%s: %w", s.url, err)
	}
	list := make([]candidate, 0, len(x.Items))
	given := s.url == v.site.URL
	for _, item := range x.Items {
		if given || v.isOwn(item.URL) || store.SiteName(item.URL) == store.SiteName(x.Home) {
			list = append(list, candidate{url: item.URL, text: item.Title, way: byFeed, published: item.Published, updated: item.Updated, sure: true})
		}
	}
	fresh, err = v.queue(list, s)
	return fresh, x.Partial, err
}

// readSitemap adds the entries of a sitemap, and other sitemaps that it names.
func (v *visit) readSitemap(ctx context.Context, s *source, resp *fetch.Response, in io.Reader) (fresh int, err error) {
	const chunk = 1000
	var list []candidate
	var nested []sitemap.Entry
	flush := func() error {
		n, err := v.queue(v.judge(list), s)
		fresh, list = fresh+n, list[:0]
		return err
	}
	oldest := v.oldest()
	var failed error
	entries := 0
	err = sitemap.Read(in, resp.URL, func(e sitemap.Entry) bool {
		entries++
		switch {
		case ctx.Err() != nil:
			return false
		case e.Index:
			if len(nested) < 10*maxSitemaps && (e.LastMod.IsZero() || e.LastMod.After(oldest)) && v.isOwn(e.URL) {
				nested = append(nested, e)
			}
			return true
		case !v.isOwn(e.URL):
			return true
		}
		c := candidate{url: e.URL, text: e.Title, way: bySitemap, published: e.Published, updated: e.LastMod, sure: e.News}
		if v.isOld(c) {
			v.found++
			return true
		}
		if list = append(list, c); len(list) == chunk {
			failed = flush()
		}
		return failed == nil
	})
	if failed == nil {
		failed = flush()
	}
	if failed != nil {
		return fresh, failed
	}
	if err := v.addSitemaps(s, nested); err != nil {
		return fresh, err
	}
	if err != nil && entries == 0 {
		return fresh, fmt.Errorf("%s: %w", s.url, err)
	}
	if err != nil {
		s.every = maxEvery // it is large, or damaged
		s.error = fmt.Sprintf("%s: only a part was read: %s", s.url, err)
	}
	return fresh, nil
}

// addSitemaps adds the sitemaps that an index names: those of news first, then those
// that changed last or whose names have the latest dates or numbers.
func (v *visit) addSitemaps(s *source, nested []sitemap.Entry) error {
	if s.depth >= maxSitemapDepth {
		return nil
	}
	slices.SortStableFunc(nested, func(a, b sitemap.Entry) int {
		news := func(e sitemap.Entry) int { return min(strings.Count(e.URL, "news"), 1) }
		return cmp.Or(news(b)-news(a), b.LastMod.Compare(a.LastMod), len(b.URL)-len(a.URL), strings.Compare(b.URL, a.URL))
	})
	have, err := v.f.state.sources(v.site.id)
	if err != nil {
		return err
	}
	known := map[string]*source{}
	count := 0
	for _, x := range have {
		known[x.key] = x
		if x.way == bySitemap {
			count++
		}
	}
	for _, e := range nested {
		if x := known[sourceKey(e.URL)]; x != nil {
			if e.LastMod.After(x.visited) && x.next.After(time.Now()) && x.failures == 0 {
				x.next = time.Now()
				if err := v.f.state.saveSource(x); err != nil {
					return err
				}
			}
			continue
		}
		if count++; count > maxSitemaps {
			return nil
		}
		if err := v.add(e.URL, bySitemap, s.depth+1, false); err != nil {
			return err
		}
	}
	return nil
}

// readPage adds the links of a home page or section that lead to stories, and on a
// home page also its sections and feeds.
func (v *visit) readPage(ctx context.Context, s *source, resp *fetch.Response, body []byte) (fresh int, err error) {
	d, list, err := v.judgePage(ctx, resp, body)
	if err != nil {
		return 0, fmt.Errorf("%s: %w", s.url, err)
	}
	if len(list) < fewLinks && needsScripts(d) {
		switch {
		case v.f.opts.Render != nil:
			rendered, err := v.f.polite.GetWith(ctx, s.url, v.f.opts.Render)
			if err == nil {
				d, list, err = v.judgePage(ctx, rendered, rendered.Body)
			}
			if err != nil {
				return 0, fmt.Errorf("%s has no links without scripts, and cannot be rendered: %w", s.url, err)
			}
		case s.way == byHome:
			s.error = "the page has no links without scripts; try --render"
		}
	}
	if s.way == byHome {
		if err := v.addFound(d, resp.URL, list); err != nil {
			return 0, err
		}
	}
	var candidates []candidate
	if s.way&v.f.ways != 0 {
		for _, l := range list {
			if v.isOwn(l.URL) {
				candidates = append(candidates, candidate{url: l.URL, text: l.Text, way: s.way, score: l.Score, published: dateInAddress(l.URL, v.began)})
			}
		}
	}
	return v.queue(candidates, s)
}

// judgePage parses a page and judges its links.
func (v *visit) judgePage(ctx context.Context, resp *fetch.Response, body []byte) (d *dom.Document, list []storylinks.Verdict, err error) {
	stopped := v.f.compute(ctx, func() {
		if d, err = dom.Parse(ctx, body, dom.Options{HeaderCharset: resp.Charset}); err == nil {
			list = storylinks.Judge(d, resp.URL)
		}
	})
	return d, list, cmp.Or(stopped, err)
}

// fewLinks is less than any home page has.
const fewLinks = 5

// needsScripts reports whether a page has scripts.
func needsScripts(d *dom.Document) bool {
	for range d.All(0, dom.Script) {
		return true
	}
	return false
}

// addFound adds the feeds and sections that a home page names.
func (v *visit) addFound(d *dom.Document, address string, list []storylinks.Verdict) error {
	if v.f.ways&byFeed != 0 {
		feeds := feed.Find(d, address)
		for _, a := range feeds[:min(len(feeds), maxFeeds)] {
			if err := v.add(a, byFeed, 0, false); err != nil {
				return err
			}
		}
	}
	if v.f.ways&bySection == 0 {
		return nil
	}
	count, err := v.f.state.countSources(v.site.id, bySection)
	for _, l := range list {
		if err == nil && l.Section && v.isOwn(l.URL) && count < maxSections {
			count++
			err = v.add(l.URL, bySection, 0, false)
		}
	}
	return err
}
