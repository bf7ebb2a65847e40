package newsroom

import (
	"fmt"
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
	mu      sync.RWMutex
	day     int // the next day to plan, since the first of the archive
	entries []tableEntry
	titles  map[uint64]struct{} // hashes of the titles
	paths   map[uint64]int32    // stories by hashes of their canonical paths
}

type tableEntry struct {
	minute int32 // of publication, since 1970
	draft  uint8 // number of attempts before the title was a new one
}

func (e tableEntry) time() time.Time { return time.Unix(int64(e.minute)*60, 0).UTC() }

// maxDrafts is the number of drafts of a story before its title gets a number.
const maxDrafts = 40

// plan extends the timetable to the time t and returns the number of stories
// that are published by then.
func (s *PressSite) plan(t time.Time) int {
	tb := &s.table
	minute := int32(t.Unix() / 60)
	first := s.press.opts.Start.Add(-s.press.opts.Archive).Truncate(24 * time.Hour)
	days := int(t.Sub(first)/(24*time.Hour)) + 1
	tb.mu.RLock()
	planned := tb.day
	tb.mu.RUnlock()
	if planned < days {
		tb.mu.Lock()
		for ; tb.day < days; tb.day++ {
			s.planDay(first.AddDate(0, 0, tb.day))
		}
		tb.mu.Unlock()
	}
	tb.mu.RLock()
	defer tb.mu.RUnlock()
	return sort.Search(len(tb.entries), func(k int) bool { return tb.entries[k].minute > minute })
}

// planDay adds the stories of a day. Most are published between five in the
// morning and eleven at night.
func (s *PressSite) planDay(day time.Time) {
	tb := &s.table
	if tb.titles == nil {
		tb.titles, tb.paths = map[uint64]struct{}{}, map[uint64]int32{}
	}
	r := s.site.stream(streamDay, int(day.Unix()/86400))
	n := s.traits.rate
	if s.press.opts.StoriesPerDay == 0 {
		n += r.IntN(3) - 1
	}
	minutes := map[int]bool{}
	for len(minutes) < n {
		minutes[5*60+r.IntN(18*60)] = true
	}
	var sorted []int
	for m := range minutes {
		sorted = append(sorted, m)
	}
	slices.Sort(sorted)
	for _, m := range sorted {
		k := len(tb.entries)
		e := tableEntry{minute: int32(day.Unix()/60) + int32(m)}
		for ; ; e.draft++ {
			st, _ := s.site.newHeadline(k, draftOf(k, e))
			s.finish(st, e)
			title, path := hash(st.title), hash(s.path(st, st.section))
			_, used := tb.titles[title]
			if _, taken := tb.paths[path]; used || taken {
				if e.draft > maxDrafts {
					panic("newsroom: " + s.Name + ": no new title for story " + strconv.Itoa(k))
				}
				continue
			}
			tb.titles[title] = struct{}{}
			tb.paths[path] = int32(k)
			break
		}
		tb.entries = append(tb.entries, e)
	}
}

// newStory generates story k as it was published.
func (s *PressSite) newStory(k int, e tableEntry) *story {
	st := s.site.newStory(k, draftOf(k, e))
	s.finish(st, e)
	return st
}

// finish sets what the timetable says about a story.
func (s *PressSite) finish(st *story, e tableEntry) {
	st.date, st.modified = e.time().In(s.site.zone), time.Time{}
	if e.draft >= maxDrafts {
		st.title += " (" + strconv.Itoa(st.i) + ")"
	}
}

// draftOf returns the number of the random numbers of a story.
func draftOf(k int, e tableEntry) int { return k + int(e.draft)<<33 }

// entry returns the entry of a story.
func (s *PressSite) entry(k int) (tableEntry, bool) {
	s.table.mu.RLock()
	defer s.table.mu.RUnlock()
	if k < 0 || k >= len(s.table.entries) {
		return tableEntry{}, false
	}
	return s.table.entries[k], true
}

// story returns story k as it was published. A number past the timetable gives
// a story that is never published, for boxes that make up leads.
func (s *PressSite) story(k int) *story {
	e, ok := s.entry(k)
	if !ok {
		return s.site.newStory(k, k)
	}
	return s.newStory(k, e)
}

// storyAt returns story k as it is at a time.
func (s *PressSite) storyAt(k int, at time.Time) *story {
	st := s.story(k)
	for _, t := range s.changes(k) {
		if !t.After(at) {
			st.modified = t.In(s.site.zone)
			st.version++
		}
	}
	return st
}

// chance returns a random number for a story, always the same.
func (s *PressSite) chance(what string, k int) uint64 {
	return s.look.hash(what+strconv.Itoa(k)) >> 11
}

// changes returns when a story is changed: one in twenty is, some of them
// twice.
func (s *PressSite) changes(k int) []time.Time {
	e, ok := s.entry(k)
	h := s.chance("change", k)
	if !ok || h%20 != 0 {
		return nil
	}
	first := e.time().Add(time.Duration(40+h/20%1700) * time.Minute)
	if h/40%4 == 0 {
		return []time.Time{first, first.Add(time.Duration(300+h/160%900) * time.Minute)}
	}
	return []time.Time{first}
}

// deleted returns when a story is deleted, which happens to one in 120 hours
// after its publication; zero if never.
func (s *PressSite) deleted(k int) time.Time {
	e, ok := s.entry(k)
	if h := s.chance("delete", k); ok && h%120 == 1 && len(s.changes(k)) == 0 {
		return e.time().Add(time.Duration(300+h/120%2400) * time.Minute)
	}
	return time.Time{}
}

// isDeleted reports whether a story is deleted at a time.
func (s *PressSite) isDeleted(k int, at time.Time) bool {
	t := s.deleted(k)
	return !t.IsZero() && !t.After(at)
}

// newest returns up to n stories that are published and not deleted, the newest
// first, after skipping some, for which keep returns true. A nil keep takes all.
func (s *PressSite) newest(at time.Time, skip, n int, keep func(k int) bool) []int {
	var list []int
	for k := s.plan(at) - 1; k >= 0 && len(list) < n; k-- {
		if s.isDeleted(k, at) || keep != nil && !keep(k) {
			continue
		}
		if skip--; skip < 0 {
			list = append(list, k)
		}
	}
	return list
}

// sectionOf returns the section of a story.
func (s *PressSite) sectionOf(k int) section {
	e, _ := s.entry(k)
	r := s.site.stream(streamStory, draftOf(k, e))
	return s.site.sections[r.IntN(len(s.site.sections))]
}

// secondSection returns another section that also shows the story, on sites
// that do so.
func (s *PressSite) secondSection(k int) (section, bool) {
	h := s.chance("second", k)
	if !s.traits.second || h%7 != 0 {
		return section{}, false
	}
	list, first := s.site.sections, s.sectionOf(k)
	i := slices.Index(list, first)
	return list[(i+1+int(h/7)%(len(list)-1))%len(list)], true
}

// A PressStory is a story of a site.
type PressStory struct {
	ID        int
	URL       string // canonical address
	Title     string
	Published time.Time
	Changed   []time.Time // times of change up to the time of the question
	Deleted   time.Time   // zero if it was not deleted by then
	Forbidden bool        // robots.txt forbids the address
}

// Published returns all stories that are published by a time, archive and
// deleted ones included, the oldest first.
func (s *PressSite) Published(until time.Time) []PressStory {
	list := make([]PressStory, s.plan(until))
	for k := range list {
		list[k] = s.describe(k, until)
	}
	return list
}

// Story returns a story as it is at a time. It is false if there is no such
// story or it is not yet published.
func (s *PressSite) Story(id int, at time.Time) (PressStory, bool) {
	if id < 0 || id >= s.plan(at) {
		return PressStory{}, false
	}
	return s.describe(id, at), true
}

func (s *PressSite) describe(k int, at time.Time) PressStory {
	e, _ := s.entry(k)
	st, _ := s.site.newHeadline(k, draftOf(k, e))
	s.finish(st, e)
	path := s.path(st, st.section)
	x := PressStory{
		ID: k, URL: "http://" + s.site.Host + path, Title: st.title, Published: st.date.UTC(),
		Forbidden: s.forbids(path),
	}
	for _, t := range s.changes(k) {
		if !t.After(at) {
			x.Changed = append(x.Changed, t)
		}
	}
	if s.isDeleted(k, at) {
		x.Deleted = s.deleted(k)
	}
	return x
}

// Gold returns what an extractor should find on the page of a story at a time.
func (s *PressSite) Gold(story int, at time.Time) Gold {
	return s.page(story, at, pageOptions{root: strings.TrimSuffix(s.Address(), "/")}).Gold
}

// goldID returns the id of the gold of a story.
func (s *PressSite) goldID(k int) string { return fmt.Sprintf("%s-%06d", s.Name, k) }
