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

const pageColumns = "key, url, canonical, site, state, ways, link_text, seen, published, updated, fetched, next, " +
	"tries, etag, modified, hash, prose, title, note"

func (p *page) columns() []any {
	return []any{&p.key, &p.url, &p.canonical, &p.site, &p.state, &p.ways, &p.linkText,
		timeColumn{&p.seen}, timeColumn{&p.published}, timeColumn{&p.updated}, timeColumn{&p.fetched}, timeColumn{&p.next},
		&p.tries, &p.etag, &p.modified, &p.hash, &p.prose, &p.title, &p.note}
}

// The methods of state below are called within write.

// page returns the page with a key, or nil.
func (s *state) page(key string) *page { return s.pageWhere("key = ?", key) }

// original returns the page with a key, or the one that it is a copy of, or nil.
func (s *state) original(key string) *page {
	p := s.page(key)
	if p == nil || p.state != copied {
		return p
	}
	return cmp.Or(s.page(p.note), p)
}

// pageWhere returns the first page for which a condition holds, or nil.
func (s *state) pageWhere(condition string, args ...any) *page {
	p := &page{}
	if !s.row("SELECT "+pageColumns+" FROM pages WHERE "+condition+" LIMIT 1", args, p.columns()...) {
		return nil
	}
	return p
}

// pagesWhere returns the pages for which a condition holds.
func (s *state) pagesWhere(condition string, args ...any) (list []*page) {
	s.rows("SELECT "+pageColumns+" FROM pages WHERE "+condition, args, func(rows *sql.Rows) error {
		p := &page{}
		list = append(list, p)
		return rows.Scan(p.columns()...)
	})
	return list
}

// savePage writes a page.
func (s *state) savePage(p *page) { s.replace("pages", pageColumns, p.columns()) }

// saveCopy records that a page is a copy of another.
func (s *state) saveCopy(p, main *page) {
	p.state, p.note = copied, main.key
	s.savePage(p)
}

// sameStory returns a story of the site with the same text, or with the same headline
// and a paragraph in common, or nil.
func (s *state) sameStory(site int64, h hashes) *page {
	if same := s.pageWhere("site = ? AND hash = ?", site, h.text); same != nil {
		return same
	}
	list := s.pagesWhere("site = ? AND title = ? LIMIT 50", site, h.title)
	if i := slices.IndexFunc(list, func(p *page) bool { return shareParagraph(p.prose, h.prose) }); i >= 0 {
		return list[i]
	}
	return nil
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
func (s *state) countForm(site int64, address string, add formCount) {
	s.run(`INSERT INTO forms (site, form, stories, others, copies, probes) VALUES (?, ?, ?, ?, ?, ?)
		ON CONFLICT DO UPDATE SET stories = stories + excluded.stories, others = others + excluded.others,
		copies = copies + excluded.copies, probes = probes + excluded.probes`,
		site, formOf(address), add.stories, add.others, add.copies, add.probes)
}

// formCount returns the count of the form of an address.
func (s *state) formCount(site int64, address string) (c formCount) {
	s.row("SELECT stories, others, copies, probes FROM forms WHERE site = ? AND form = ?", []any{site, formOf(address)},
		&c.stories, &c.others, &c.copies, &c.probes)
	return c
}

// isKnown reports whether there is a story with a headline whose address ends as
// another one.
func (s *state) isKnown(site int64, headline, address string) bool {
	list := s.pagesWhere("site = ? AND title = ? LIMIT 10", site, hashOf(headline))
	return slices.ContainsFunc(list, func(p *page) bool { return path.Base(pathOf(p.url)) == path.Base(pathOf(address)) })
}
