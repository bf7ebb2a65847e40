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
	id       int64
	url      string
	visited  time.Time
	next     time.Time
	stories  int
	new      int
	requests int
	errors   int
	others   int
	failed   int
	note     string
	reason   string
	missing  missingPage

	reported string // the last problem that was reported
}

const siteColumns = "id, url, visited, next, stories, new, requests, errors, others, failed, note, reason, probed, missing_title, missing_text"

func (r *siteRecord) scan(scan func(...any) error) error {
	var visited, next, probed int64
	err := scan(&r.id, &r.url, &visited, &next, &r.stories, &r.new, &r.requests, &r.errors, &r.others, &r.failed, &r.note, &r.reason, &probed, &r.missing.title, &r.missing.text)
	r.visited, r.next, r.missing.probed = fromMillis(visited), fromMillis(next), fromMillis(probed)
	return err
}

// addSite adds a site, unless it is there, and returns it.
func (s *state) addSite(address string, now time.Time) (r *siteRecord, err error) {
	err = s.write(func(s *state) error {
		if err := s.Exec("INSERT OR IGNORE INTO sites (url, added) VALUES (?, ?)", address, millis(now)); err != nil {
			return err
		}
		st, err := s.Prepare("SELECT " + siteColumns + " FROM sites WHERE url = ?")
		if err != nil {
			return err
		}
		r = &siteRecord{}
		return r.scan(st.QueryRow(address).Scan)
	})
	return r, err
}

// countStory counts a story that is written, also for a visit that is interrupted. It
// is called within write.
func (s *state) countStory(r *siteRecord) error {
	r.stories++
	return s.Exec("UPDATE sites SET stories = ? WHERE id = ?", r.stories, r.id)
}

// saveSite writes a site after a visit.
func (s *state) saveSite(r *siteRecord) error {
	return s.write(func(s *state) error {
		return s.Exec("UPDATE sites SET visited = ?, next = ?, stories = ?, new = ?, requests = ?, errors = ?, others = ?, failed = ?, note = ?, reason = ? WHERE id = ?",
			millis(r.visited), millis(r.next), r.stories, r.new, r.requests, r.errors, r.others, r.failed, r.note, r.reason, r.id)
	})
}

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

func (r *source) scan(scan func(...any) error) error {
	var visited, read, next, every int64
	err := scan(&r.id, &r.site, &r.key, &r.url, &r.way, &r.guessed, &r.depth, &r.etag, &r.modified, &visited, &read, &next, &every, &r.failures, &r.error, &r.found)
	r.visited, r.read, r.next = fromMillis(visited), fromMillis(read), fromMillis(next)
	r.every = time.Duration(max(0, min(every, maxEvery.Milliseconds()))) * time.Millisecond // the file may be damaged
	r.failures = max(0, r.failures)
	return err
}

// sources returns the sources of a site, those of the home page first.
func (s *state) sources(site int64) (list []*source, err error) {
	err = s.write(func(s *state) error {
		return s.All("SELECT "+sourceColumns+" FROM sources WHERE site = ? ORDER BY way = 0 DESC, way = 4 DESC, way, id", []any{site}, func(rows *sql.Rows) error {
			r := &source{}
			list = append(list, r)
			return r.scan(rows.Scan)
		})
	})
	return list, err
}

// saveSource adds or changes a source. An address that is there already keeps its
// place.
func (s *state) saveSource(r *source) error {
	return s.write(func(s *state) error {
		if r.id == 0 {
			return s.Exec("INSERT OR IGNORE INTO sources (site, key, url, way, guessed, depth, next, every) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
				r.site, r.key, r.url, r.way, r.guessed, r.depth, millis(r.next), r.every.Milliseconds())
		}
		return s.Exec(`UPDATE sources SET url = ?, way = ?, guessed = ?, etag = ?, modified = ?, visited = ?, read = ?, next = ?, every = ?, failures = ?, error = ?, found = ?
			WHERE id = ?`, r.url, r.way, r.guessed, r.etag, r.modified, millis(r.visited), millis(r.read), millis(r.next), r.every.Milliseconds(), r.failures, r.error, r.found, r.id)
	})
}

// countSources returns the number of sources of a site.
func (s *state) countSources(site int64, way ways) (n int, err error) {
	err = s.write(func(s *state) error {
		_, err := s.Get("SELECT count(*) FROM sources WHERE site = ? AND way = ?", []any{site, way}, &n)
		return err
	})
	return n, err
}

// dropGuesses removes the other addresses that were guessed, after one was right.
func (s *state) dropGuesses(site int64, way ways) error {
	return s.write(func(s *state) error {
		return s.Exec("DELETE FROM sources WHERE site = ? AND way = ? AND guessed = 1 AND read = 0", site, way)
	})
}
