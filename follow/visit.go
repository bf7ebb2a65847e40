package follow

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"net/url"
	"slices"
	"time"

	"github.com/lede-news/lede/internal/crawl/feed"
	"github.com/lede-news/lede/internal/crawl/polite"
	"github.com/lede-news/lede/internal/page/links"
	"github.com/lede-news/lede/site/store"
)

// The limits of what is read of one site.
const (
	maxSections     = 30
	maxSitemaps     = 50
	maxSitemapDepth = 3
	maxFeeds        = 10
	maxSitemapBytes = 64 << 20
)

// The time between two visits to a source.
const (
	firstEvery = time.Hour // without Options.Every
	maxEvery   = 24 * time.Hour
	maxRetry   = 7 * 24 * time.Hour  // of a source that fails
	guessAgain = 30 * 24 * time.Hour // of an address that was guessed and is wrong
)

// visit is one visit to a site.
type visit struct {
	f     *Follower
	site  *siteRecord
	name  string // registered domain
	home  string // address of the home page
	first bool   // nothing was read before
	began time.Time

	found    int      // candidates, new or not
	skipped  int      // links to known stories under new addresses
	written  int      // stories
	errors   int      // of pages
	err      error    // of the address that was given, or what ended the visit
	problems []string // of sources, since the last visit
	nested   bool     // a canonical page is being fetched
}

// run visits the site. An error ends all visits.
func (v *visit) run(ctx context.Context) error {
	v.began, v.first = time.Now(), v.site.Visited.IsZero()
	v.name, v.home = store.SiteName(v.site.URL), home(v.site.URL)
	v.f.log.DebugContext(ctx, "visit", "site", v.site.URL)
	err := v.readSources(ctx)
	if err == nil {
		err = v.fetchPages(ctx)
	}
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	if err != nil {
		return err
	}
	return v.finish()
}

// finish records how the visit ended.
func (v *visit) finish() error {
	r, now := v.site, time.Now()
	reason, err := v.reason()
	if err != nil {
		return err
	}
	r.Visited, r.New, r.Errors, r.Reason = now, v.written, v.errors, reason
	if r.Next, err = v.nextTime(now); err != nil {
		return err
	}
	v.tell()
	v.f.count(func(c *Stats) {
		c.Sites++
		if r.Reason != "" {
			c.Problems++
		}
	})
	return v.f.state.write(func(st *state) { st.saveSite(r) })
}

// nextTime returns when the site is due again: when the first of its sources or
// queued pages is, but not before Options.Every.
func (v *visit) nextTime(now time.Time) (time.Time, error) {
	var ms sql.NullInt64
	_, err := v.f.state.get(`SELECT min(next) FROM (SELECT next FROM sources WHERE site = ?1 UNION ALL SELECT next FROM pages WHERE site = ?1 AND state = 0)`,
		[]any{v.site.id}, &ms)
	next := now.Add(maxEvery)
	if due := time.UnixMilli(ms.Int64); ms.Valid && due.Before(next) {
		next = due
	}
	if wait := waitOf(v.err); wait != nil && wait.Until.After(next) {
		next = wait.Until
	}
	if soonest := v.began.Add(v.f.opts.Every); next.Before(soonest) {
		next = soonest
	}
	return next, err
}

// readSources reads the sources that are due, also those that it finds.
func (v *visit) readSources(ctx context.Context) error {
	const most = maxSections + maxSitemaps + maxFeeds + 30
	if err := v.add(v.site.URL, unknownWay, 0, false); err != nil {
		return err
	}
	done := map[int64]bool{}
	for range most {
		list, err := v.f.state.sources(v.site.id)
		if err != nil {
			return err
		}
		i := slices.IndexFunc(list, func(s *source) bool { return !done[s.id] && v.isDue(s) })
		if i < 0 {
			if more, err := v.guess(ctx, list); err != nil || !more {
				return err
			}
			continue
		}
		s := list[i]
		done[s.id] = true
		if err := v.read(ctx, s); err != nil {
			return err
		}
		if waitOf(v.err) != nil {
			return nil
		}
	}
	return nil
}

// isDue reports whether a source is to be read. Without Options.Every those that
// change most are always read.
func (v *visit) isDue(s *source) bool {
	if s.way != unknownWay && s.way&v.f.ways == 0 && s.url != v.site.URL {
		return false
	}
	if v.f.opts.Every == 0 && s.failures == 0 && (s.url == v.site.URL || !s.guessed && s.way&(byHome|byFeed) != 0) {
		return true
	}
	return !s.next.After(time.Now())
}

// add adds a source, if it is new. Its address may be relative to the home page.
func (v *visit) add(address string, way ways, depth int, guessed bool) error {
	if base, err := url.Parse(v.home); err == nil {
		address = links.ResolveWeb(base, address)
	}
	key := sourceKey(address)
	if key == "" {
		return nil
	}
	every := cmp.Or(v.f.opts.Every, firstEvery)
	return v.f.state.addSource(&source{site: v.site.id, key: key, url: address, way: way, guessed: guessed, depth: depth, every: every})
}

// guess adds the sitemaps that robots.txt names, and the known addresses of feeds and
// sitemaps where the site names none. It reports whether it added any.
func (v *visit) guess(ctx context.Context, list []*source) (more bool, err error) {
	has := func(w ways) bool { return slices.ContainsFunc(list, func(s *source) bool { return s.way == w }) }
	if !has(byHome) { // the address of a feed or sitemap, or nothing that can be read
		return false, nil
	}
	add := func(way ways, guessed bool, addresses ...string) {
		for _, a := range addresses {
			if err == nil {
				more, err = true, v.add(a, way, 0, guessed)
			}
		}
	}
	if v.f.ways&bySitemap != 0 && !has(bySitemap) {
		var named []string
		if rules, err := v.f.polite.Robots(ctx, v.home); err == nil {
			named = rules.Sitemaps()
		}
		add(bySitemap, false, named[:min(len(named), maxSitemaps)]...)
		if len(named) == 0 {
			add(bySitemap, true, sitemapPaths...)
		}
	}
	if v.f.ways&byFeed != 0 && !has(byFeed) {
		add(byFeed, true, feed.Paths()...)
	}
	return more, err
}

// sitemapPaths are the usual addresses of sitemaps.
var sitemapPaths = []string{"/sitemap.xml", "/sitemap_index.xml", "/news-sitemap.xml", "/sitemap.txt"}

// read reads a source and records what came of it. Errors of the source are kept in
// it; the error that is returned ends the visit.
func (v *visit) read(ctx context.Context, s *source) error {
	fresh, failed := v.readSource(ctx, s)
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	if fatal := (*stateError)(nil); errors.As(failed, &fatal) {
		return failed
	}
	now, right := time.Now(), false // right: a guess
	s.visited = now
	wait := waitOf(failed)
	switch {
	case wait != nil && wait.Host == hostOf(s.url):
		s.next = wait.Until
		if wait.Host == hostOf(v.site.URL) {
			v.err = failed
		}
	case failed != nil && s.guessed:
		s.failures, s.error, s.next = s.failures+1, explain(failed), now.Add(guessAgain)
	case failed != nil:
		s.failures, s.error = s.failures+1, explain(failed)
		s.next = now.Add(min(s.every<<min(s.failures, 10), maxRetry))
		if s.url == v.site.URL {
			v.err = failed
		} else if s.failures == 1 && !errors.Is(failed, polite.ErrRobots) {
			v.problems = append(v.problems, s.error)
		}
	default:
		right = s.guessed
		s.guessed = false
		if s.failures > 0 {
			s.failures, s.error = 0, ""
		}
		s.read = now
		s.adapt(fresh, max(v.f.opts.Every, minEvery))
		s.next = now.Add(s.every)
	}
	err := v.f.state.saveSource(s)
	if right && err == nil {
		err = v.f.state.dropGuesses(v.site.id, s.way)
	}
	return err
}

// minEvery is the shortest time between two visits to a source without
// Options.Every.
const minEvery = 10 * time.Minute

// adapt changes the time between two visits by whether there was something new.
func (s *source) adapt(fresh int, least time.Duration) {
	if fresh > 0 {
		s.every /= 2
	} else {
		s.every += s.every / 2
	}
	s.every = min(max(s.every, least), maxEvery)
}
