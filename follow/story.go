package follow

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	_ "embed"
	"errors"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/lede-news/lede"
	"github.com/lede-news/lede/article"
	"github.com/lede-news/lede/fetch"
	"github.com/lede-news/lede/internal/page/lines"
	"github.com/lede-news/lede/internal/page/links"
)

// The retries of a page that could not be fetched.
const (
	maxTries   = 4
	firstRetry = 30 * time.Minute
)

// fetchPages fetches the queued pages of the site, the newest first.
func (v *visit) fetchPages(ctx context.Context) error {
	if waitOf(v.err) != nil {
		return nil
	}
	for ctx.Err() == nil {
		var p *page
		err := v.f.state.write(func(st *state) {
			p = st.pageWhere("site = ? AND state = 0 AND next <= ? ORDER BY published = 0, published DESC, seen", v.site.id, millis(time.Now()))
		})
		if err != nil {
			return err
		}
		if p == nil {
			if more, err := v.settle(); err != nil || !more {
				return err
			}
			continue
		}
		if err := v.fetchPage(ctx, p); err != nil {
			wait := waitOf(err)
			switch {
			case ctx.Err() != nil || wait == nil || errors.As(err, new(*stateError)):
				return err
			case wait.Host == hostOf(v.site.URL) || wait.Host == hostOf(v.home):
				v.err = err
				return nil
			}
		}
	}
	return context.Cause(ctx)
}

// fetchPage fetches and extracts a page. The error is a *polite.WaitError, or ends
// the visit.
func (v *visit) fetchPage(ctx context.Context, p *page) error {
	resp, err := v.f.polite.Do(ctx, fetch.Request{URL: p.url, ETag: p.etag, LastModified: p.modified})
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	if wait := waitOf(err); wait != nil && wait.Host == hostOf(p.url) {
		p.next = wait.Until
		if failed := v.save(p); failed != nil {
			return failed
		}
		return err
	}
	p.fetched = time.Now()
	if err != nil {
		return v.failed(p, err)
	}
	if resp.Status == http.StatusNotModified {
		p.state, p.tries = story, p.tries+1
		return v.save(p)
	}
	x := &Page{Response: resp, LinkText: p.linkText}
	a, err := v.extract(ctx, x)
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	p.etag, p.modified = x.Header.Get("ETag"), x.Header.Get("Last-Modified") // none of a page that was rendered
	if reason := v.notStory(p, x.Response, a, err); reason != "" {
		return v.dismiss(p, reason)
	}
	if missing, err := v.isMissing(ctx, p, a); err != nil {
		return err
	} else if missing {
		return v.dismiss(p, "the site shows the same page for addresses that do not exist")
	}
	if err := v.fetchCanonical(ctx, p, a.Canonical); err != nil {
		return err
	}
	return v.accept(ctx, p, x, a)
}

// fetchCanonical fetches the page that a page names as the original, if it is queued,
// so that it is known whether they are the same story.
func (v *visit) fetchCanonical(ctx context.Context, p *page, address string) (err error) {
	key := links.StoryKey(address)
	if v.nested || !v.isOwn(address) || pathOf(key) == pathOf(p.key) {
		return nil
	}
	var main *page
	err = v.f.state.write(func(st *state) { main = st.page(key) })
	if err != nil || main == nil || main.state != queued || main.hash != nil || main.next.After(time.Now()) {
		return err
	}
	v.nested = true
	defer func() { v.nested = false }()
	return v.fetchPage(ctx, main)
}

func (v *visit) save(p *page) error {
	return v.f.state.write(func(st *state) { st.savePage(p) })
}

// failed records that a page could not be fetched.
func (v *visit) failed(p *page, err error) error {
	v.errors++
	p.tries++
	p.note = explain(err)
	v.site.note = p.note
	status, wait := (*fetch.StatusError)(nil), waitOf(err)
	passes := wait != nil || errors.As(err, &status) && status.Code >= http.StatusInternalServerError ||
		errors.Is(err, fetch.ErrTimeout) || errors.Is(err, fetch.ErrConnect) || errors.Is(err, fetch.ErrDNS)
	switch {
	case p.hash != nil: // the story was written
		p.state = story
	case passes && p.tries < maxTries:
		p.next = p.fetched.Add(firstRetry << p.tries)
		if wait != nil && wait.Until.After(p.next) {
			p.next = wait.Until
		}
	case errors.Is(err, fetch.ErrNotHTML):
		return v.dismiss(p, "not a page")
	default:
		p.state = failed
		v.f.count(func(c *Stats) { c.Failed++ })
		v.site.Failed++
		if p.ways == bySitemap { // it may have been fetched to learn about its form
			if err := v.f.state.write(func(st *state) { st.countForm(p.site, p.url, formCount{others: 1}) }); err != nil {
				return err
			}
		}
	}
	return v.save(p)
}

// extract is the default of Options.Extract.
func extract(ctx context.Context, p *Page) (*article.Article, error) {
	a, err := lede.Extract(ctx, bytes.NewReader(p.Body), lede.WithURL(p.URL), lede.WithHeaderCharset(p.Charset), lede.WithLinkText(p.LinkText))
	if err == nil {
		a.SetPartial(p.TruncatedReason)
	}
	return a, err
}

// extract extracts a page, with a browser if it is empty without.
func (v *visit) extract(ctx context.Context, x *Page) (a *article.Article, err error) {
	run := func() { a, err = v.f.opts.Extract(ctx, x) }
	stopped := v.f.compute(ctx, run)
	if stopped == nil && v.f.opts.Render != nil && errors.Is(err, lede.ErrNoContent) {
		rendered, failed := v.f.polite.GetWith(ctx, x.URL, v.f.opts.Render)
		if failed != nil {
			return nil, failed
		}
		x.Response = rendered
		stopped = v.f.compute(ctx, run)
	}
	return a, cmp.Or(stopped, err)
}

// compute calls a function that takes time and memory for a page, when fewer than
// GOMAXPROCS others are running. The error is that of the context.
func (f *Follower) compute(ctx context.Context, run func()) error {
	select {
	case f.work <- struct{}{}:
		defer func() { <-f.work }()
	case <-ctx.Done():
		return context.Cause(ctx)
	}
	run()
	return nil
}

// notStory returns why a page is not a story, or "".
func (v *visit) notStory(p *page, resp *fetch.Response, a *article.Article, err error) string {
	switch {
	case errors.Is(err, lede.ErrNoContent) && bytes.Contains(resp.Body, []byte("<script")):
		return "the page has no text without scripts; try --render"
	case err != nil:
		return err.Error()
	case links.StoryKey(resp.URL) == links.StoryKey(v.home):
		return "the address leads to the home page"
	case !v.isOwn(resp.URL) && v.isOwn(p.url):
		return "the address leads to another site"
	case a.Type == article.TypeArticle && !isNotFound(a.Title):
		return ""
	case a.Type == article.TypeArticle || isNotFound(a.Title):
		return "the page says that there is none"
	case len(a.Text()) >= minText && v.isExpected(p, a):
		return ""
	}
	return "it is a page of type " + string(a.Type)
}

// isExpected reports whether a page is a story although it does not look like one: a
// feed lists it, or it has the address of stories and is not a list.
func (v *visit) isExpected(p *page, a *article.Article) bool {
	if p.ways&byFeed != 0 {
		return true
	}
	var count formCount
	err := v.f.state.write(func(st *state) { count = st.formCount(p.site, p.url) })
	return err == nil && a.Type == article.TypeOther && count.isStory()
}

// minText is the length of the text from which a page may be a story, whatever it
// looks like.
const minText = 200

//go:embed notfound.txt
var notFoundFile string

var notFoundTitles = sync.OnceValue(func() map[string]bool {
	m := map[string]bool{}
	for line := range lines.Data(notFoundFile) {
		m[line] = true
	}
	return m
})

// isNotFound reports whether a title is that of an error page, which some servers
// send with status 200.
func isNotFound(title string) bool {
	return notFoundTitles()[strings.Join(wordsOf(title), " ")]
}

// dismiss records that a page is not a story.
func (v *visit) dismiss(p *page, reason string) error {
	v.f.count(func(c *Stats) { c.Others++ })
	v.f.log.Debug("not a story", "url", p.url, "reason", reason)
	return v.f.state.write(func(st *state) {
		if p.hash != nil { // it will be one again
			p.state = story
		} else {
			p.state, p.note = other, reason
			v.site.others++
			v.site.note = reason
			st.countForm(p.site, p.url, formCount{others: 1})
		}
		st.savePage(p)
	})
}

// accept hands a story to the handler, unless it was written under another address.
func (v *visit) accept(ctx context.Context, p *page, x *Page, a *article.Article) error {
	h := hashesOf(a)
	return v.f.state.write(func(st *state) {
		if p.hash != nil && bytes.Equal(p.hash, h.text) {
			p.state, p.tries = story, p.tries+1
			st.savePage(p)
			return
		}
		main := v.mainPage(st, p, x.Response, a, h)
		switch {
		case st.failure != nil:
			return
		case main.key != p.key && main.hash != nil:
			v.f.count(func(c *Stats) { c.Copies++ })
			st.countForm(p.site, p.url, formCount{copies: 1})
			st.saveCopy(p, main)
			return
		}
		s := &Story{
			URL: cmp.Or(main.canonical, main.url), Article: a, FoundBy: (main.ways | p.ways).names(), LinkText: p.linkText, FirstSeen: p.seen,
			Changed: main.hash != nil, Fetched: p.fetched, Response: x.Response,
		}
		if st.failure = v.f.handle.Story(ctx, s); st.failure != nil {
			return
		}
		if s.Changed {
			v.f.count(func(c *Stats) { c.Changed++ })
		} else {
			v.written++
			v.f.count(func(c *Stats) { c.New++ })
			v.site.Stories++
			st.saveSite(v.site) // also for a visit that is interrupted
		}
		main.state, main.hash, main.prose, main.title, main.fetched, main.tries, main.note = story, h.text, h.prose, h.title, p.fetched, 0, ""
		main.etag, main.modified = p.etag, p.modified
		st.countForm(p.site, p.url, formCount{stories: 1})
		st.savePage(main)
		if main.key != p.key {
			st.saveCopy(p, main)
		}
	})
}

// mainPage returns the page that a story is kept as: the one that was written before
// with the same content, or the one at the canonical address if that can be believed,
// or else the page itself. It may be new.
func (v *visit) mainPage(st *state, p *page, resp *fetch.Response, a *article.Article, h hashes) *page {
	if p.hash == nil {
		if same := st.sameStory(p.site, h); same != nil {
			return same
		}
		if same := st.pageWhere("key = ? AND site = ? AND title = ?", pathOf(p.key), p.site, h.title); same != nil {
			return same // the parameters make no difference
		}
	}
	main := p
	for _, address := range []string{resp.URL, a.Canonical} {
		key := links.StoryKey(address)
		if key == "" || key == p.key || !v.mayBeCanonical(st, address, key) {
			continue
		}
		switch known := st.original(key); {
		case known == nil:
			main = &page{
				key: key, url: resp.URL, canonical: address, site: p.site, seen: p.seen, ways: p.ways,
				linkText: p.linkText, published: p.published, updated: p.updated,
			}
		case known.state == other || known.state == failed:
		case known.hash == nil, bytes.Equal(known.title, h.title), pathOf(key) == pathOf(p.key):
			known.ways |= p.ways
			main = known
		}
		// Otherwise another story has this address, or none: it is not believed.
	}
	if main == p && links.StoryKey(a.Canonical) == p.key && v.isOwn(a.Canonical) {
		main.canonical = a.Canonical // without tracking parameters
	}
	return main
}

// pathOf returns a key without its parameters.
func pathOf(key string) string {
	path, _, _ := strings.Cut(key, "?")
	return path
}

// mayBeCanonical reports whether an address can be that of a story: on the site, and
// not its home page or a section.
func (v *visit) mayBeCanonical(st *state, address, key string) bool {
	if !v.isOwn(address) || !strings.Contains(key, "/") && !strings.Contains(key, "?") {
		return false
	}
	var n int
	return !st.row("SELECT 1 FROM sources WHERE site = ? AND key = ?", []any{v.site.id, sourceKey(address)}, &n)
}

// hashes tell stories apart.
type hashes struct {
	text  []byte // of headline and text
	title []byte // of the headline
	// prose are the hashes of the longest paragraphs, one after the other. Copies of a
	// story share some even if boilerplate got into one of them; columns with the same
	// headline every day do not.
	prose []byte
}

func hashesOf(a *article.Article) (h hashes) {
	text := strings.Join(strings.Fields(a.Text()), " ")
	h.text, h.title = hashOf(a.Title, text), hashOf(a.Title)
	const most = 3
	paragraphs := strings.Split(a.Text(), "\n")
	slices.SortStableFunc(paragraphs, func(x, y string) int { return cmp.Compare(len(y), len(x)) })
	for _, p := range paragraphs[:min(len(paragraphs), most)] {
		h.prose = append(h.prose, hashOf(p)[:proseHash]...)
	}
	return h
}

func hashOf(parts ...string) []byte {
	s := sha256.Sum256([]byte(strings.Join(parts, "\n")))
	return s[:16]
}

// proseHash is the size of the hash of a paragraph.
const proseHash = 8

// shareParagraph reports whether two lists of hashes have one in common.
func shareParagraph(a, b []byte) bool {
	for x := range slices.Chunk(a, proseHash) {
		for y := range slices.Chunk(b, proseHash) {
			if bytes.Equal(x, y) {
				return true
			}
		}
	}
	return false
}
