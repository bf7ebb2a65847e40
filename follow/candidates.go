package follow

import (
	"cmp"
	"time"

	"github.com/lede-news/lede/internal/crawl/storylinks"
	"github.com/lede-news/lede/internal/page/links"
)

// candidate is an address that may be that of a story.
type candidate struct {
	url       string
	text      string // of the link, or a headline
	way       ways
	published time.Time
	updated   time.Time
	score     float64 // probability that it is a story
	sure      bool    // the source lists only stories
}

const (
	// minScore is the probability from which a page is fetched.
	minScore = 0.5
	// minFormScore is that of an address whose form is known from stories, and of a
	// sitemap's address whose form is not known at all.
	minFormScore = 0.002
	// probesAtOnce and maxProbes are the numbers of pages that are fetched to learn
	// about a form.
	probesAtOnce = 3
	maxProbes    = 20
)

// oldest returns the date of the oldest stories that are fetched.
func (v *visit) oldest() time.Time { return v.began.Add(-v.f.opts.Since) }

// isOld reports whether a source says that a story is too old.
func (v *visit) isOld(c candidate) bool {
	date := c.published
	if date.IsZero() {
		date = dateInAddress(c.url, v.began)
	}
	if date.IsZero() {
		date = c.updated
	}
	return !date.IsZero() && date.Before(v.oldest().Truncate(24*time.Hour))
}

// judge gives the candidates of a sitemap their scores.
func (v *visit) judge(list []candidate) []candidate {
	addresses := make([]storylinks.Address, len(list))
	for i, c := range list {
		addresses[i] = storylinks.Address{URL: c.url, Text: c.text}
	}
	for i, verdict := range storylinks.JudgeAddresses(v.home, addresses) {
		list[i].score = verdict.Score
	}
	return list
}

// queue adds candidates to the queue and returns the number of new ones.
func (v *visit) queue(list []candidate, s *source) (fresh int, err error) {
	err = v.f.state.write(func(st *state) {
		for _, c := range list {
			if v.consider(st, c, s) {
				fresh++
			}
		}
	})
	return fresh, err
}

// consider adds a candidate to the queue if it is new or has changed.
func (v *visit) consider(st *state, c candidate, s *source) (isNew bool) {
	key := links.StoryKey(c.url)
	if key == "" || key == links.StoryKey(v.home) {
		return false
	}
	if p := st.original(key); p != nil {
		v.found++
		return v.again(st, p, c)
	}
	p := &page{key: key, url: c.url, site: v.site.id, ways: c.way, linkText: c.text, seen: v.began, published: c.published, updated: c.updated}
	if v.isArchive(c, s) {
		p.state = old
	} else if p.state = v.verdict(st, c); p.state == other {
		return false
	}
	v.found++
	if p.state != old && v.isOld(c) {
		return false
	}
	st.savePage(p)
	return p.state == queued
}

// isArchive reports whether a candidate is part of what a sitemap without dates lists
// when it is first read, which is mostly old.
func (v *visit) isArchive(c candidate, s *source) bool {
	return c.way == bySitemap && v.first && s.read.IsZero() && !c.sure && c.score >= minFormScore &&
		c.updated.IsZero() && c.published.IsZero() && dateInAddress(c.url, v.began).IsZero()
}

// verdict returns queued for a candidate that is likely to be a story, also by what
// pages with such addresses were, and other for one that is not. A sitemap may have
// addresses that say nothing: a few of each form are fetched to find out, and the
// others are doubtful until then.
func (v *visit) verdict(st *state, c candidate) pageState {
	count := st.formCount(v.site.id, c.url)
	if count.hasCopies() && (count.isCopy() && !c.sure || st.isKnown(v.site.id, c.text, c.url)) {
		v.skipped++
		return other
	}
	switch {
	case c.sure:
		return queued
	case count.isOther():
		return other
	case c.score >= minScore, c.score >= minFormScore && count.isStory():
		return queued
	case c.score < minFormScore || c.way != bySitemap:
		return other
	case !count.mayProbe():
		return doubtful
	}
	st.countForm(v.site.id, c.url, formCount{probes: 1})
	return queued
}

// settle queues the doubtful pages whose form has turned out to be that of stories, and
// a few more of those whose form is still not known. It reports whether there are any.
func (v *visit) settle() (more bool, err error) {
	err = v.f.state.write(func(st *state) {
		for _, p := range st.pagesWhere("site = ? AND state = 6 LIMIT 1000", v.site.id) {
			switch count := st.formCount(p.site, p.url); {
			case count.isStory():
				p.state, more = queued, true
			case count.isOther():
				p.state, p.note = other, "pages with such addresses are no stories"
			case count.mayProbe():
				p.state, more = queued, true
				st.countForm(p.site, p.url, formCount{probes: 1})
			default:
				continue
			}
			st.savePage(p)
		}
	})
	return more, err
}

// again considers a page that is known. If it was a story and a source says that it
// has changed since it was fetched, it is fetched again.
func (v *visit) again(st *state, p *page, c candidate) (isNew bool) {
	before := *p
	p.ways |= c.way
	p.linkText = cmp.Or(p.linkText, c.text)
	if p.published.IsZero() {
		p.published = c.published
	}
	if c.updated.After(p.updated) {
		if p.state == story && c.updated.After(p.fetched.Add(-updateDelay)) && !p.updated.IsZero() {
			p.state = queued
			p.next = p.fetched.Add(recheck << min(p.tries, 10))
			isNew = true
		}
		p.updated = c.updated
	}
	if p.ways == before.ways && p.linkText == before.linkText && p.published.Equal(before.published) && p.updated.Equal(before.updated) {
		return false
	}
	st.savePage(p)
	return isNew
}

const (
	// recheck is the time until a story that is said to have changed is fetched
	// again. It is doubled each time that it had not.
	recheck = 10 * time.Minute
	// updateDelay is how much later than a change the page may show it.
	updateDelay = 5 * time.Minute
)
