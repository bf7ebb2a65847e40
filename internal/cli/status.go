package cli

import (
	"fmt"
	"io"
	"sync"
	"time"
)

// status shows on a terminal, in a live line, how far a command is. Elsewhere it shows
// nothing. All commands have the same line: what is being done, how much of it, the
// speed and the time left. It is safe for concurrent use.
type Status struct {
	W    *Console
	Live bool

	lock  sync.Mutex
	last  time.Time // when the line was written
	doing string
	since time.Time // when that began
	from  int       // what was done then
}

// statusInterval is the shortest time between two lines.
const StatusInterval = 100 * time.Millisecond

func NewStatus(w io.Writer) *Status { return &Status{W: NewConsole(w), Live: IsTerminal(w)} }

// Step shows that done of total units of something are done: "reading  50/200 pages   25%".
// The total is 0 if it is unknown. unit may be empty, and more is added at the end.
func (s *Status) Step(what string, done, total int, unit string, more ...string) {
	if !s.Live {
		return
	}
	s.lock.Lock()
	defer s.lock.Unlock()
	now := time.Now()
	isNew := what != s.doing || done < s.from
	if isNew {
		s.doing, s.since, s.from = what, now, done
	}
	if !isNew && done != total && now.Sub(s.last) < StatusInterval {
		return
	}
	s.last = now
	text := fmt.Sprintf("%s  %d", what, done)
	if total > 0 {
		text += fmt.Sprintf("/%d", total)
	}
	if unit != "" {
		text += " " + unit
	}
	if total > 0 {
		text += fmt.Sprintf("  %3.0f%%", 100*float64(done)/float64(total))
	}
	if took := now.Sub(s.since).Seconds(); done > s.from && took >= 1 {
		rate := float64(done-s.from) / took
		if unit != "" {
			text += fmt.Sprintf("  %.1f %s/s", rate, unit)
		}
		if total > 0 {
			text += fmt.Sprintf("  %s left", time.Duration(float64(total-done)/rate*float64(time.Second)).Round(time.Second))
		}
	}
	for _, m := range more {
		text += "  " + m
	}
	s.W.Live(text)
}

// steps returns a function that shows the steps of a command whose units differ.
func (s *Status) Steps() func(what string, done, total int) {
	return func(what string, done, total int) { s.Step(what, done, total, "") }
}

func (s *Status) Clear() {
	if s.Live {
		s.lock.Lock()
		defer s.lock.Unlock()
		s.doing = ""
		s.W.Live("")
	}
}
