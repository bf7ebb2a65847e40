package batch

import (
	"cmp"
	"maps"
	"time"
)

// Stats counts the results of a run so far. After a run was resumed it includes
// those of the earlier processes.
type Stats struct {
	Done        int           `json:"done"`              // pages with a result
	Failed      int           `json:"failed,omitempty"`  // of these, pages with an error
	Bytes       int64         `json:"bytes"`             // of pages, decompressed
	Input       int64         `json:"input"`             // bytes of the source that were read, as stored
	Lost        int64         `json:"lost,omitempty"`    // of these, bytes that are damaged
	Partial     int           `json:"partial,omitempty"` // pages that were incomplete
	Quarantined int           `json:"quarantined,omitempty"`
	LeftOut     int           `json:"left_out,omitempty"` // pages whose results were not written, by Options.Revise
	Elapsed     time.Duration `json:"elapsed"`

	// Numbers of pages: those with an article by language and type, and those without one
	// by the kind of their error.
	Langs  map[string]int `json:"langs,omitempty"`
	Types  map[string]int `json:"types,omitempty"`
	Errors map[string]int `json:"errors,omitempty"`
}

// Clone returns a copy with its own maps.
func (s Stats) Clone() Stats {
	s.Langs, s.Types, s.Errors = maps.Clone(s.Langs), maps.Clone(s.Types), maps.Clone(s.Errors)
	return s
}

// Add counts a result.
func (s *Stats) Add(r *Result) {
	s.Done++
	s.Bytes += r.Bytes
	s.Input += r.Input.Size
	s.Lost += r.Input.Lost
	if r.quarantined {
		s.Quarantined++
	}
	if r.leftOut {
		s.LeftOut++
	}
	if r.Line.Error != "" {
		s.Failed++
		count(&s.Errors, r.Line.Kind)
		return
	}
	if r.Line.Partial {
		s.Partial++
	}
	count(&s.Langs, orNone(r.Line.Lang))
	count(&s.Types, string(r.Line.Type))
}

func count(counts *map[string]int, name string) {
	if *counts == nil {
		*counts = map[string]int{}
	}
	(*counts)[name]++
}

func orNone(s string) string { return cmp.Or(s, "(none)") }
