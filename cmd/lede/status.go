package main

import (
	"fmt"
	"io"
	"sync"
	"time"
)

// status shows on a terminal, in a live line, how far a command is. Elsewhere it shows
// nothing. All commands have the same line: what is being done, how much of it, the
// speed and the time left. It is safe for concurrent use.
type status struct {
	w    *console
	live bool

	lock  sync.Mutex
	last  time.Time // when the line was written
	doing string
	since time.Time // when that began
	from  int       // what was done then
}

// statusInterval is the shortest time between two lines.
const statusInterval = 100 * time.Millisecond

func newStatus(w io.Writer) *status { return &status{w: newConsole(w), live: isTerminal(w)} }

// step shows that done of total units of something are done, such as 3 of 20 pages.
// The total is 0 if it is unknown. unit may be empty, and more is added at the end.
func (s *status) step(what string, done, total int, unit string, more ...string) {
	if !s.live {
		return
	}
	s.lock.Lock()
	defer s.lock.Unlock()
	now := time.Now()
	isNew := what != s.doing || done < s.from
	if isNew {
		s.doing, s.since, s.from = what, now, done
	}
	if !isNew && done != total && now.Sub(s.last) < statusInterval {
		return
	}
	s.last = now
	l := statusLine{what: what, done: done, total: total, unit: unit, share: -1, left: -1, more: more}
	if total > 0 {
		l.share = float64(done) / float64(total)
	}
	if took := now.Sub(s.since).Seconds(); done > s.from && took >= 1 {
		rate := float64(done-s.from) / took
		if unit != "" {
			l.speed = fmt.Sprintf("%.0f %s/s", rate, unit)
			if rate < 10 {
				l.speed = fmt.Sprintf("%.1f %s/s", rate, unit)
			}
		}
		if total > 0 {
			l.left = time.Duration(float64(total-done) / rate * float64(time.Second)).Round(time.Second)
		}
	}
	s.w.live(l.String())
}

// steps returns a function that shows the steps of a command whose units differ.
func (s *status) steps() func(what string, done, total int) {
	return func(what string, done, total int) { s.step(what, done, total, "") }
}

func (s *status) clear() {
	if s.live {
		s.lock.Lock()
		defer s.lock.Unlock()
		s.doing = ""
		s.w.live("")
	}
}

// statusLine is what a live line says.
type statusLine struct {
	what        string
	done, total int // total is 0 if it is unknown
	unit        string
	share       float64 // that is done; negative if unknown
	speed       string
	left        time.Duration // negative if unknown
	more        []string
}

// String returns the line: "reading wcxb  50/200 pages   25%  5 pages/s  30s left".
func (l statusLine) String() string {
	text := fmt.Sprint(l.done)
	if l.total > 0 {
		text += fmt.Sprintf("/%d", l.total)
	}
	if l.unit != "" {
		text += " " + l.unit
	}
	if l.what != "" {
		text = l.what + "  " + text
	}
	if l.share >= 0 {
		text += fmt.Sprintf("  %3.0f%%", 100*l.share)
	}
	if l.speed != "" {
		text += "  " + l.speed
	}
	if l.left >= 0 {
		text += fmt.Sprintf("  %s left", l.left)
	}
	for _, m := range l.more {
		text += "  " + m
	}
	return text
}
