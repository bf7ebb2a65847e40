package follow

import (
	"cmp"
	"database/sql"
	"path"
	"slices"
	"time"
)

// pageState is what is known about a page.
type pageState int

const (
	queued   pageState = iota // to be fetched
	story                     // written
	copied                    // of a story that has another address
	other                     // fetched, and not a story
	failed                    // given up
	old                       // there before the site was first visited, and not fetched
	doubtful                  // it depends on what others with such an address turn out to be
)

// page is a page that may be a story.
type page struct {
	key       string
	url       string // to fetch
	canonical string // as written, if it is another
	site      int64
	state     pageState
	ways      ways
	linkText  string
	seen      time.Time
	published time.Time
	updated   time.Time
	fetched   time.Time
	next      time.Time
	tries     int
	etag      string
	modified  string
	hash      []byte
	prose     []byte
	title     []byte
	note      string
}

const pageColumns = "key, url, canonical, site, state, ways, link_text, seen, published, updated, fetched, next, tries, etag, modified, hash, prose, title, note"

func (p *page) columns() []any {
	return []any{&p.key, &p.url, &p.canonical, &p.site, &p.state, &p.ways, &p.linkText,
		timeColumn{&p.seen}, timeColumn{&p.published}, timeColumn{&p.updated}, timeColumn{&p.fetched}, timeColumn{&p.next},
		&p.tries, &p.etag, &p.modified, &p.hash, &p.prose, &p.title, &p.note}
}

// page returns the page with a key, or nil. It is called within write.
func (s *state) page(key string) (*page, error) { return s.pageWhere("key = ?", key) }

// original returns the page with a key, or the one that it is a copy of, or nil.
func (s *state) original(key string) (*page, error) {
	p, err := s.page(key)
	if err != nil || p == nil || p.state != copied {
		return p, err
	}
	main, err := s.page(p.note)
	return cmp.Or(main, p), err
}

// pageWhere returns the first page for which a condition holds, or nil.
func (s *state) pageWhere(condition string, args ...any) (*page, error) {
	p := &page{}
	found, err := s.Get("SELECT "+pageColumns+" FROM pages WHERE "+condition+" LIMIT 1", args, p.columns()...)
	if err != nil || !found {
		return nil, err
	}
	return p, nil
}

// pagesWhere returns the pages for which a condition holds.
func (s *state) pagesWhere(condition string, args ...any) (list []*page, err error) {
	err = s.All("SELECT "+pageColumns+" FROM pages WHERE "+condition, args, func(rows *sql.Rows) error {
		p := &page{}
		list = append(list, p)
		return rows.Scan(p.columns()...)
	})
	return list, err
}

// savePage writes a page. It is called within write.
func (s *state) savePage(p *page) error { return s.replace("pages", pageColumns, p.columns()) }

// nextPage returns the queued page of a site to fetch now, the newest first, or nil.
func (s *state) nextPage(site int64, now time.Time) (p *page, err error) {
	err = s.write(func(s *state) error {
		p, err = s.pageWhere("site = ? AND state = 0 AND next <= ? ORDER BY published = 0, published DESC, seen", site, millis(now))
		return err
	})
	return p, err
}

// queueTime returns when the first of the queued pages of a site may be fetched, or
// the zero time if there is none.
func (s *state) queueTime(site int64) (next time.Time, err error) {
	var ms sql.NullInt64
	if _, err = s.get("SELECT min(next) FROM pages WHERE site = ? AND state = 0", []any{site}, &ms); ms.Valid {
		next = time.UnixMilli(ms.Int64)
	}
	return next, err
}

// sameStory returns a story of the site with the same text, or with the same headline
// and a paragraph in common, or nil.
func (s *state) sameStory(site int64, h hashes) (*page, error) {
	if same, err := s.pageWhere("site = ? AND hash = ?", site, h.text); err != nil || same != nil {
		return same, err
	}
	list, err := s.pagesWhere("site = ? AND title = ? LIMIT 50", site, h.title)
	if i := slices.IndexFunc(list, func(p *page) bool { return shareParagraph(p.prose, h.prose) }); i >= 0 {
		return list[i], err
	}
	return nil, err
}

// formCount says what pages with addresses of a form were.
type formCount struct{ stories, others, copies, probes int }

// isStory and isOther report whether the form is known.
func (c formCount) isStory() bool { return c.stories >= 2 && c.stories > 2*c.others }
func (c formCount) isOther() bool { return c.others >= 3 && c.others > 2*c.stories }

// hasCopies reports whether stories are often found under several addresses of the form,
// and isCopy whether hardly anything else is found under them.
func (c formCount) hasCopies() bool { return c.copies >= 3 && 2*c.copies > c.stories }
func (c formCount) isCopy() bool    { return c.copies >= 20 && c.copies > 10*c.stories }

// mayProbe reports whether another page may be fetched to learn about the form: only a
// few at a time, and not many in all.
func (c formCount) mayProbe() bool {
	return c.probes-c.stories-c.others < probesAtOnce && c.probes < maxProbes
}

// countForm adds to the count of the form of an address.
func (s *state) countForm(site int64, address string, add formCount) error {
	return s.Exec(`INSERT INTO forms (site, form, stories, others, copies, probes) VALUES (?, ?, ?, ?, ?, ?)
		ON CONFLICT DO UPDATE SET stories = stories + excluded.stories, others = others + excluded.others, copies = copies + excluded.copies, probes = probes + excluded.probes`,
		site, formOf(address), add.stories, add.others, add.copies, add.probes)
}

// formCount returns the count of the form of an address.
func (s *state) formCount(site int64, address string) (c formCount, err error) {
	_, err = s.Get("SELECT stories, others, copies, probes FROM forms WHERE site = ? AND form = ?", []any{site, formOf(address)}, &c.stories, &c.others, &c.copies, &c.probes)
	return c, err
}

// isKnown reports whether there is a story with a headline whose address ends as
// another one.
func (s *state) isKnown(site int64, headline, address string) (bool, error) {
	list, err := s.pagesWhere("site = ? AND title = ? LIMIT 10", site, hashOf(headline))
	return slices.ContainsFunc(list, func(p *page) bool { return path.Base(pathOf(p.url)) == path.Base(pathOf(address)) }), err
}
