package newsroom

import (
	"net/http"
	"slices"
	"sync"
	"time"
)

// A PageKind is a kind of page of a press, empty for others.
type PageKind string

// The kinds of pages.
const (
	StoryPage   PageKind = "story"
	HomePage    PageKind = "home"
	FeedPage    PageKind = "feed"
	SitemapPage PageKind = "sitemap"
	RobotsPage  PageKind = "robots"
)

// A PressRequest is an entry of the log of a press.
type PressRequest struct {
	Host        string    // without port
	Path        string    // with query
	Time        time.Time // when it began, by the clock of the handler
	Status      int
	Kind        PageKind
	Story       int           // number of the story; -1 if the page is not a story
	Conditional bool          // it had If-None-Match or If-Modified-Since
	Possible    bool          // it could be conditional: an earlier response for the URL had a validator
	Forbidden   bool          // robots.txt forbids it
	SinceBegan  time.Duration // since the last request to the host began; -1 for the first
}

// pressLog is the log of a press.
type pressLog struct {
	mu        sync.Mutex
	entries   []PressRequest
	began     map[string]time.Time // last request by host
	validated map[string]bool      // URLs that had a validator
}

// begin records the start of a request.
func (l *pressLog) begin(r *http.Request, host string, now time.Time) *PressRequest {
	rec := &PressRequest{
		Host: host, Path: r.URL.RequestURI(), Time: now, Story: -1, SinceBegan: -1,
		Conditional: r.Header.Get("If-None-Match") != "" || r.Header.Get("If-Modified-Since") != "",
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	rec.Possible = l.validated[rec.Host+rec.Path]
	if last, ok := l.began[host]; ok {
		rec.SinceBegan = now.Sub(last)
	}
	l.began[host] = now
	return rec
}

// end records a response, before it is sent, so that it is in the log when the client
// has read it.
func (l *pressLog) end(rec *PressRequest, status int, header http.Header) {
	rec.Status = status
	l.mu.Lock()
	defer l.mu.Unlock()
	if status == http.StatusOK && (header.Get("ETag") != "" || header.Get("Last-Modified") != "") {
		l.validated[rec.Host+rec.Path] = true
	}
	l.entries = append(l.entries, *rec)
}

// Log returns every request since the start, in the order of their responses.
func (p *Press) Log() []PressRequest {
	p.log.mu.Lock()
	defer p.log.mu.Unlock()
	return slices.Clone(p.log.entries)
}

// ResetLog empties the log. What is known about earlier responses stays.
func (p *Press) ResetLog() {
	p.log.mu.Lock()
	defer p.log.mu.Unlock()
	p.log.entries = nil
}
