package newsroom

import (
	"net/http"
	"strings"
	"sync"
	"time"
)

// A PageKind is a kind of page of a press.
type PageKind string

// The kinds of pages.
const (
	StoryPage   PageKind = "story"
	HomePage    PageKind = "home"
	SectionPage PageKind = "section"
	FeedPage    PageKind = "feed"
	SitemapPage PageKind = "sitemap"
	RobotsPage  PageKind = "robots"
	TrapPage    PageKind = "trap"
	OtherPage   PageKind = "other"
)

// A PressRequest is an entry of the log of a press.
type PressRequest struct {
	Host        string // without port
	Path        string // with query
	UserAgent   string
	Time        time.Time // when it began, by the clock of the handler
	Status      int
	Kind        PageKind
	Story       int           // number of the story; -1 if the page is none
	Conditional bool          // it had If-None-Match or If-Modified-Since
	Possible    bool          // it could be conditional: the user agent got a validator for the address before
	Forbidden   bool          // robots.txt forbids it
	InFlight    int           // requests to the host in progress when it began, itself included
	SinceBegan  time.Duration // since the last request to the host began; -1 for the first
	SinceEnded  time.Duration // since the last request to the host ended; -1 if none ended
}

// PressCounts are sums over the log of a press.
type PressCounts struct {
	Requests      int
	Kinds         map[PageKind]int
	Statuses      map[int]int
	Forbidden     int           // requests that robots.txt forbids
	Concurrent    int           // requests while another to the host was in progress
	Unconditional int           // requests that could be conditional and were not
	MinDelay      time.Duration // shortest time between the starts of two requests to a host; -1 if there are none
}

// pressLog is the log of a press.
type pressLog struct {
	mu        sync.Mutex
	countOnly bool
	entries   []PressRequest
	counts    PressCounts
	hosts     map[string]*hostLog
	names     map[string]string // one copy of each host and user agent
}

type hostLog struct {
	inFlight     int
	began, ended time.Time
	validated    map[uint64]struct{} // hashes of user agents and addresses that got a validator
}

// begin notes the start of a request.
func (l *pressLog) begin(r *http.Request, host string, now time.Time) *PressRequest {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.hosts == nil {
		l.hosts, l.names = map[string]*hostLog{}, map[string]string{}
		l.counts = PressCounts{Kinds: map[PageKind]int{}, Statuses: map[int]int{}, MinDelay: -1}
	}
	h := l.hosts[host]
	if h == nil {
		h = &hostLog{validated: map[uint64]struct{}{}}
		l.hosts[host] = h
	}
	rec := &PressRequest{
		Host: l.intern(host), Path: r.URL.RequestURI(), UserAgent: l.intern(r.UserAgent()), Time: now,
		Kind: OtherPage, Story: -1, SinceBegan: -1, SinceEnded: -1,
		Conditional: r.Header.Get("If-None-Match") != "" || r.Header.Get("If-Modified-Since") != "",
	}
	if r.URL.IsAbs() { // a request to a proxy
		if _, rest, ok := strings.Cut(rec.Path, "://"); ok {
			_, rest, _ = strings.Cut(rest, "/")
			rec.Path = "/" + rest
		}
	}
	_, rec.Possible = h.validated[rec.key()]
	if !h.began.IsZero() {
		rec.SinceBegan = now.Sub(h.began)
	}
	if !h.ended.IsZero() {
		rec.SinceEnded = now.Sub(h.ended)
	}
	h.inFlight++
	h.began = now
	rec.InFlight = h.inFlight
	return rec
}

// end notes the end of a request and writes its entry.
func (l *pressLog) end(rec *PressRequest, w *recorder, now time.Time) {
	rec.Status = w.status
	l.mu.Lock()
	defer l.mu.Unlock()
	h := l.hosts[rec.Host]
	h.inFlight--
	h.ended = now
	if rec.Status == http.StatusOK && (w.Header().Get("ETag") != "" || w.Header().Get("Last-Modified") != "") {
		h.validated[rec.key()] = struct{}{}
	}
	c := &l.counts
	c.Requests++
	c.Kinds[rec.Kind]++
	c.Statuses[rec.Status]++
	if rec.Forbidden {
		c.Forbidden++
	}
	if rec.InFlight > 1 {
		c.Concurrent++
	}
	if rec.Possible && !rec.Conditional {
		c.Unconditional++
	}
	if rec.SinceBegan >= 0 && (c.MinDelay < 0 || rec.SinceBegan < c.MinDelay) {
		c.MinDelay = rec.SinceBegan
	}
	if !l.countOnly {
		l.entries = append(l.entries, *rec)
	}
}

// key identifies the user agent and the address of a request to a host.
func (rec *PressRequest) key() uint64 { return hash(rec.UserAgent + "\x00" + rec.Path) }

func (l *pressLog) intern(s string) string {
	if known, ok := l.names[s]; ok {
		return known
	}
	l.names[s] = s
	return s
}

// Log returns every request since the start, in the order in which they ended.
// It is empty with PressOptions.CountOnly.
func (p *Press) Log() []PressRequest {
	p.log.mu.Lock()
	defer p.log.mu.Unlock()
	return append([]PressRequest(nil), p.log.entries...)
}

// ResetLog empties the log and the counts. What was noted about clients stays.
func (p *Press) ResetLog() {
	p.log.mu.Lock()
	defer p.log.mu.Unlock()
	p.log.entries = nil
	p.log.counts = PressCounts{Kinds: map[PageKind]int{}, Statuses: map[int]int{}, MinDelay: -1}
}

// Counts returns the sums over the log. They are kept with
// PressOptions.CountOnly too.
func (p *Press) Counts() PressCounts {
	p.log.mu.Lock()
	defer p.log.mu.Unlock()
	c := p.log.counts
	c.Kinds, c.Statuses = map[PageKind]int{}, map[int]int{}
	for k, n := range p.log.counts.Kinds {
		c.Kinds[k] = n
	}
	for k, n := range p.log.counts.Statuses {
		c.Statuses[k] = n
	}
	return c
}
