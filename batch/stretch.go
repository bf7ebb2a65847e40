package batch

import (
	"fmt"

	"github.com/lede-news/lede/warc"
)

// stretch is a part of an archive that cannot be read.
type stretch struct {
	name  string      // of the archive
	fault *warc.Error // the first in it
	lost  int64       // bytes up to the next record; 0 when nobody knows
	next  int64       // where that begins; -1 when there is none
}

// stretch measures what lies between a fault and the record after it, or the end.
func (a *archive) stretch(fault *warc.Error, after *warc.Record, end int64) *stretch {
	s := &stretch{name: a.file.path, fault: fault, next: -1}
	if s.name == "-" {
		s.name = "standard input"
	}
	if after != nil {
		end, s.next = after.Offset, after.Offset
	}
	if fault.Offset >= 0 {
		s.lost = max(end-fault.Offset, 0)
	}
	return s
}

func (s *stretch) Error() string {
	text := fmt.Sprintf("%s is broken: %v", s.name, s.fault)
	switch {
	case s.next >= 0:
		text += fmt.Sprintf("; %d bytes were passed over, and reading went on at byte %d", s.lost, s.next)
	case s.lost > 0:
		text += fmt.Sprintf("; the last %d bytes are lost", s.lost)
	}
	return text
}

func (s *stretch) Unwrap() []error { return []error{ErrSource, s.fault} }
