package follow

import (
	"database/sql"
	"time"
)

// ways are the ways by which a page was found, as a set of bits.
type ways int

const (
	byFeed ways = 1 << iota
	bySitemap
	byHome
	bySection
	unknownWay ways = 0 // of an address that nothing is known about
)

// names returns the names of the ways.
func (w ways) names() (names []string) {
	for i, name := range []string{"feed", "sitemap", "home", "section"} {
		if w&(1<<i) != 0 {
			names = append(names, name)
		}
	}
	return names
}

// siteRecord is a site that is followed.
type siteRecord struct {
	SiteStatus
	id      int64
	others  int    // pages that were no stories
	note    string // why the last page is not a story, or could not be fetched
	missing missingPage

	reported string // the last problem that was reported
}

const siteColumns = "id, url, visited, next, stories, new, errors, others, failed, note, reason, probed, missing_title, missing_text"

func (r *siteRecord) columns() []any {
	return []any{&r.id, &r.URL, timeColumn{&r.Visited}, timeColumn{&r.Next}, &r.Stories, &r.New, &r.Errors, &r.others, &r.Failed,
		&r.note, &r.Reason, timeColumn{&r.missing.probed}, &r.missing.title, &r.missing.text}
}

// addSite adds a site, unless it is there, and returns it.
func (s *state) addSite(address string) (*siteRecord, error) {
	if err := s.exec("INSERT OR IGNORE INTO sites (url) VALUES (?)", address); err != nil {
		return nil, err
	}
	r := &siteRecord{}
	_, err := s.get("SELECT "+siteColumns+" FROM sites WHERE url = ?", []any{address}, r.columns()...)
	return r, err
}

// saveSite writes a site, within write.
func (s *state) saveSite(r *siteRecord) { s.replace("sites", siteColumns, r.columns()) }

// source is a feed, a sitemap, a home page or a section.
type source struct {
	id       int64
	site     int64
	key      string
	url      string
	way      ways
	guessed  bool
	depth    int
	etag     string
	modified string
	visited  time.Time
	read     time.Time
	next     time.Time
	every    time.Duration
	failures int
	error    string // why it could not be read, or what is wrong with it
	found    int    // addresses of stories, when it was read last
}

const sourceColumns = "id, site, key, url, way, guessed, depth, etag, modified, visited, read, next, every, failures, error, found"

func (r *source) columns() []any {
	return []any{&r.id, &r.site, &r.key, &r.url, &r.way, &r.guessed, &r.depth, &r.etag, &r.modified,
		timeColumn{&r.visited}, timeColumn{&r.read}, timeColumn{&r.next}, &r.every, &r.failures, &r.error, &r.found}
}

// sources returns the sources of a site, those of the home page first.
func (s *state) sources(site int64) (list []*source, err error) {
	err = s.write(func(s *state) {
		s.rows("SELECT "+sourceColumns+" FROM sources WHERE site = ? ORDER BY way = 0 DESC, way = 4 DESC, way, id", []any{site}, func(rows *sql.Rows) error {
			r := &source{}
			list = append(list, r)
			return rows.Scan(r.columns()...)
		})
	})
	return list, err
}

// addSource adds a source, unless its address is there.
func (s *state) addSource(r *source) error {
	return s.exec("INSERT OR IGNORE INTO sources (site, key, url, way, guessed, depth, every) VALUES (?, ?, ?, ?, ?, ?, ?)",
		r.site, r.key, r.url, r.way, r.guessed, r.depth, r.every)
}

// saveSource changes a source.
func (s *state) saveSource(r *source) error {
	return s.write(func(s *state) { s.replace("sources", sourceColumns, r.columns()) })
}

// countSources returns the number of sources of a site.
func (s *state) countSources(site int64, way ways) (n int, err error) {
	_, err = s.get("SELECT count(*) FROM sources WHERE site = ? AND way = ?", []any{site, way}, &n)
	return n, err
}

// dropGuesses removes the other addresses that were guessed, after one was right.
func (s *state) dropGuesses(site int64, way ways) error {
	return s.exec("DELETE FROM sources WHERE site = ? AND way = ? AND guessed = 1 AND read = 0", site, way)
}
