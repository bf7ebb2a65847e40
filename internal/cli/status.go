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
	Last  time.Time // when the line was written
	doing string
	since time.Time // when that began
	from  int       // what was done then
}

// statusInterval is the shortest time between two lines.
const StatusInterval = 100 * time.Millisecond

func NewStatus(w io.Writer) *Status { return &Status{W: NewConsole(w), Live: IsTerminal(w)} }

// step shows that done of total units of something are done, such as 3 of 20 pages.
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
	if !isNew && done != total && now.Sub(s.Last) < StatusInterval {
		return
	}
	s.Last = now
	l := StatusLine{What: what, Done: done, Total: total, Unit: unit, Share: -1, Left: -1, More: more}
	if total > 0 {
		l.Share = float64(done) / float64(total)
	}
	if took := now.Sub(s.since).Seconds(); done > s.from && took >= 1 {
		rate := float64(done-s.from) / took
		if unit != "" {
			l.Speed = fmt.Sprintf("%.0f %s/s", rate, unit)
			if rate < 10 {
				l.Speed = fmt.Sprintf("%.1f %s/s", rate, unit)
			}
		}
		if total > 0 {
			l.Left = time.Duration(float64(total-done) / rate * float64(time.Second)).Round(time.Second)
		}
	}
	s.W.Live(l.String())
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

// statusLine is what a live line says.
type StatusLine struct {
	What        string
	Done, Total int // total is 0 if it is unknown
	Unit        string
	Share       float64 // that is done; negative if unknown
	Speed       string
	Left        time.Duration // negative if unknown
	More        []string
}

// String returns the line: "reading wcxb  50/200 pages   25%  5 pages/s  30s left".
func (l StatusLine) String() string {
	text := fmt.Sprint(l.Done)
	if l.Total > 0 {
		text += fmt.Sprintf("/%d", l.Total)
	}
	if l.Unit != "" {
		text += " " + l.Unit
	}
	if l.What != "" {
		text = l.What + "  " + text
	}
	if l.Share >= 0 {
		text += fmt.Sprintf("  %3.0f%%", 100*l.Share)
	}
	if l.Speed != "" {
		text += "  " + l.Speed
	}
	if l.Left >= 0 {
		text += fmt.Sprintf("  %s left", l.Left)
	}
	for _, m := range l.More {
		text += "  " + m
	}
	return text
}
