package newsroom

import (
	"net/url"
	"slices"
	"sort"
	"strconv"
	"strings"
	"sync"
	"time"
)

// A timetable says when the stories of a site are published. It grows day by
// day as it is asked about later times. Stories are numbered from the oldest.
type timetable struct {
	mu      sync.Mutex
	days    int // number of days planned, from the first of the archive
	entries []tableEntry
	known   map[string]int // titles and paths, with the story
}

type tableEntry struct {
	time  time.Time // of publication
	draft int       // number of attempts before title and path were new
}

// plan extends the timetable to the time t and returns the number of stories
// that are published by then.
func (s *PressSite) plan(t time.Time) int {
	tb := &s.table
	tb.mu.Lock()
	defer tb.mu.Unlock()
	first := s.press.opts.Start.Add(-s.press.opts.Archive).Truncate(24 * time.Hour)
	for days := int(t.Sub(first)/(24*time.Hour)) + 1; tb.days < days; tb.days++ {
		s.planDay(first.AddDate(0, 0, tb.days))
	}
	return sort.Search(len(tb.entries), func(k int) bool { return tb.entries[k].time.After(t) })
}

// planDay adds the stories of a day, which are published between five in the
// morning and eleven at night.
func (s *PressSite) planDay(day time.Time) {
	tb := &s.table
	if tb.known == nil {
		tb.known = map[string]int{}
	}
	r := s.site.stream(streamDay, int(day.Unix()/86400))
	minutes := r.Perm(18 * 60)[:s.rate]
	slices.Sort(minutes)
	for _, m := range minutes {
		k := len(tb.entries)
		for e := (tableEntry{time: day.Add(5*time.Hour + time.Duration(m)*time.Minute)}); ; e.draft++ {
			st := s.headline(k, e)
			path := s.path(st)
			_, titleKnown := tb.known[st.title]
			if _, pathKnown := tb.known[path]; titleKnown || pathKnown {
				continue
			}
			tb.known[st.title], tb.known[path] = k, k
			tb.entries = append(tb.entries, e)
			break
		}
	}
}

// headline returns section, headline and date of a story.
func (s *PressSite) headline(k int, e tableEntry) *story {
	st, _ := s.site.newHeadline(k, draftOf(k, e))
	s.finish(st, e)
	return st
}

// finish sets what the timetable says about a story. After many drafts its title gets a number.
func (s *PressSite) finish(st *story, e tableEntry) {
	const maxDrafts = 40
	st.date, st.modified = e.time.In(s.site.zone), time.Time{}
	if e.draft >= maxDrafts {
		st.title += " (" + strconv.Itoa(st.i) + ")"
	}
}

// draftOf returns the number of the random numbers of a story.
func draftOf(k int, e tableEntry) int { return k + e.draft<<33 }

// entry returns the entry of a story that is in the timetable.
func (s *PressSite) entry(k int) tableEntry {
	s.table.mu.Lock()
	defer s.table.mu.Unlock()
	return s.table.entries[k]
}

// story returns story k as it is at a time.
func (s *PressSite) story(k int, at time.Time) *story {
	e := s.entry(k)
	st := s.site.newStory(k, draftOf(k, e))
	s.finish(st, e)
	for _, t := range s.changes(k, at) {
		st.modified = t.In(s.site.zone)
		st.version++
	}
	return st
}

// chance returns a random number for a story, always the same.
func (s *PressSite) chance(what string, k int) uint64 {
	return s.look.hash(what+strconv.Itoa(k)) >> 11
}

// changes returns when a story was changed by a time: one in twenty is, some of
// them twice.
func (s *PressSite) changes(k int, at time.Time) []time.Time {
	h := s.chance("change", k)
	if h%20 != 0 {
		return nil
	}
	first := s.entry(k).time.Add(time.Duration(40+h/20%1700) * time.Minute)
	list := []time.Time{first}
	if h/40%4 == 0 {
		list = append(list, first.Add(time.Duration(300+h/160%900)*time.Minute))
	}
	return slices.DeleteFunc(list, func(t time.Time) bool { return t.After(at) })
}

// lastChange returns when a story was last changed by a time, or published.
func (s *PressSite) lastChange(k int, at time.Time) time.Time {
	if list := s.changes(k, at); len(list) > 0 {
		return list[len(list)-1]
	}
	return s.entry(k).time
}

// newest returns up to n stories that are published, the newest first, after skipping some,
// for which keep returns true. A nil keep takes all.
func (s *PressSite) newest(at time.Time, skip, n int, keep func(k int) bool) []int {
	var list []int
	for k := s.plan(at) - 1; k >= 0 && len(list) < n; k-- {
		if keep != nil && !keep(k) {
			continue
		}
		if skip--; skip < 0 {
			list = append(list, k)
		}
	}
	return list
}

// lastEvent returns when the lists of the site last changed: a story was published or
// changed, or a day began.
func (s *PressSite) lastEvent(at time.Time) time.Time {
	last := at.Truncate(24 * time.Hour)
	n := s.plan(at)
	for k := n - 1; k >= max(0, n-120); k-- {
		if t := s.lastChange(k, at); t.After(last) {
			last = t
		}
	}
	return last
}

// isIn reports whether a story is in a section, without generating it.
func (s *PressSite) isIn(k int, sec section) bool {
	return s.site.sections[s.site.stream(streamStory, draftOf(k, s.entry(k))).IntN(len(s.site.sections))] == sec
}

// A PressStory is a story of a site.
type PressStory struct {
	ID        int
	URL       string // canonical URL
	Title     string
	Published time.Time
	Changed   []time.Time // times of change up to the time of the question
	Forbidden bool        // robots.txt forbids the URL
}

// Published returns all stories that are published by a time, the archive included, the
// oldest first.
func (s *PressSite) Published(until time.Time) []PressStory {
	list := make([]PressStory, s.plan(until))
	for k := range list {
		st := s.headline(k, s.entry(k))
		path := s.path(st)
		list[k] = PressStory{
			ID: k, URL: "http://" + s.site.Host + path, Title: st.title, Published: st.date.UTC(),
			Changed: s.changes(k, until), Forbidden: s.forbids(path),
		}
	}
	return list
}

// urlPatterns are the URLs of stories. {i} is a number, {id} an opaque id. Most
// papers in Latin letters have the headline in the URL; a quarter of these
// patterns do not.
var urlPatterns = []string{
	"/{yyyy}/{mm}/{dd}/{slug}/", "/{section}/{yyyy}/{mm}/{dd}/{slug}-{i}", "/{section}/{yyyy}/{mm}/{dd}/{slug}/",
	"/{yyyy}/{mm}/{slug}-{i}.htm", "/{section}/{slug}", "/{section}/{slug}/", "/{section}/{slug}.html", "/{slug}/",
	"/news/{slug}.html", "/{section}/{slug}-{i}.html", "/story/{id}/{slug}", "/{section}/{slug}/article_{id}.html",
	"/{i}/{slug}.html", "/news/{i}.html", "/{section}/article{i}.ece", "/article/{i}", "/a/{id}", "/article?id={i}",
}

// urlPatternsEast are more common in Asia.
var urlPatternsEast = []string{
	"/{yyyy}/{mm}{dd}/c{i}.html", "/{section}/{yyyy}-{mm}-{dd}/doc-{id}.shtml", "/n1/{yyyy}/{mm}{dd}/{i}.html",
	"/news/articleView.html?idxno={i}", "/article/{i}", "/news/{slug}/",
}

// path returns the path and query of a story. Its number is that of a content system that
// numbers all that it keeps.
func (s *PressSite) path(st *story) string {
	return expand(s.pattern, st,
		"{i}", strconv.Itoa(10000+s.choose("first number", 900000)+st.i*3),
		"{id}", strconv.FormatUint(s.look.hash("id "+strconv.Itoa(st.i)), 36)[:8],
		"{slug}", s.slug(st.title), "{section}", st.section.Slug)
}

// slug returns the headline as a part of a URL, on some sites in the letters of the language.
func (s *PressSite) slug(title string) string {
	latin, native := slugOf(title, 14), s.is("native slugs", 50)
	if len(latin) >= 12 && (s.Lang == "en" || s.Lang == "de" || s.Lang == "fr" || !native) {
		return latin
	}
	if !native {
		return "n" + strconv.FormatUint(hash(title), 36)
	}
	words := strings.FieldsFunc(strings.ToLower(title), func(c rune) bool {
		return strings.ContainsRune(" \u3000\"'‘’“”„«»‹›:;,.?!()[]#%&/、。，：？！「」《》·–—-", c)
	})
	return escapePath(strings.Join(words[:min(len(words), 14)], "-"))
}

// escapePath returns a path with other than ASCII letters percent-encoded.
func escapePath(p string) string {
	return strings.TrimPrefix((&url.URL{Path: "/" + p}).EscapedPath(), "/")
}

// withQuery adds a parameter to a path, unless it is empty.
func withQuery(path, parameter string) string {
	if parameter == "" {
		return path
	}
	if strings.Contains(path, "?") {
		return path + "&" + parameter
	}
	return path + "?" + parameter
}

// Lookup returns the story at a URL, with or without tracking parameters, session ids
// or fragment. It knows the stories up to the latest time that the site was asked about.
func (s *PressSite) Lookup(address string) (story int, ok bool) {
	u, err := url.Parse(address)
	if err != nil || u.Host != "" && u.Host != s.site.Host {
		return 0, false
	}
	return s.find(u)
}

// find returns the story at a URL of the site.
func (s *PressSite) find(u *url.URL) (k int, ok bool) {
	p := "/" + escapePath(strings.TrimPrefix(u.Path, "/"))
	if _, query, ok := strings.Cut(s.pattern, "?"); ok {
		param, _, _ := strings.Cut(query, "=")
		p += "?" + param + "=" + u.Query().Get(param)
	}
	s.table.mu.Lock()
	defer s.table.mu.Unlock()
	k, ok = s.table.known[p]
	return k, ok
}
