package batch

import (
	"maps"
	"slices"
)

// State is what a run knows when it is taken up.
type State struct {
	Place    Place
	Marks    map[string]int64 // how much of each output is safe, as its Sink counts
	Stats    Stats
	Finished bool // all pages are done, but the outputs have not all got their names
	// Suspects are the pages that were in work when a process died, and have no
	// outcome yet. Some of them may be the reason.
	Suspects map[int64]bool
}

func emptyState() State {
	return State{Marks: map[string]int64{}, Stats: *newStats(), Suspects: map[int64]bool{}}
}

func (s *State) apply(c commit) {
	s.Place, s.Finished = c.Place, c.Finished
	for name, mark := range c.Marks {
		s.Marks[name] = mark
	}
	st := &s.Stats
	st.Done, st.Failed, st.Bytes, st.Input, st.Lost = c.Done, c.Failed, c.Bytes, c.Input, c.Lost
	st.Partial, st.Quarantined, st.Elapsed = c.Partial, c.Quarantined, c.Elapsed
	st.sum(c.Counts)
	for _, n := range c.Suspects {
		s.Suspects[n] = true
	}
}

// suspect adds the pages that the last process had in work. They are written
// down: this process will have others in work, and if it dies before those have
// their outcome, the next one must know all of them.
func (j *Journal) suspect() error {
	done := int64(j.state.Stats.Done)
	more := j.flight.since(done)
	maps.Copy(j.state.Suspects, more)
	maps.DeleteFunc(j.state.Suspects, func(n int64, _ bool) bool { return n < done })
	if len(more) == 0 {
		return nil
	}
	c := newCommit(j.state.Place, &j.state.Stats)
	c.Finished, c.Suspects = j.state.Finished, slices.Sorted(maps.Keys(more))
	return j.write(c)
}
