package store

import (
	"encoding/binary"
	"errors"
	"fmt"
	"strconv"
)

func itoa(n int) string { return strconv.Itoa(n) }

// flushSteps is how many statements of insertRows lists each are run with each
// article while entries are being written. An article adds fewer entries than that.
const flushSteps = 3

// flushSome writes some of the entries that were collected, if there are many.
func (s *Store) flushSome() error {
	f := &s.flush
	if !f.writing {
		if s.buckets.active.Len()+s.postings.active.Len() < s.opts.flushAt {
			return nil
		}
		if err := s.saveLog(); err != nil {
			return err
		}
		f.generation++
		f.writing = true
		s.log.Debug("collected entries are written", "buckets", s.buckets.active.Keys(), "postings", s.postings.active.Keys())
		s.buckets.freeze()
		s.postings.freeze()
	}
	for range flushSteps {
		switch {
		case len(s.buckets.todo) > 0:
			if err := s.buckets.write(s.db); err != nil {
				return err
			}
		case len(s.postings.todo) > 0:
			if err := s.postings.write(s.db); err != nil {
				return err
			}
		default:
			f.writing = false
			return s.db.Exec("DELETE FROM pending WHERE generation < ?", f.generation)
		}
	}
	return nil
}

// saveLog logs the entries since the last time.
func (s *Store) saveLog() error {
	f := &s.flush
	if len(f.log) == 0 {
		return nil
	}
	err := s.db.Exec("INSERT INTO pending (generation, entries) VALUES (?, ?)", f.generation, f.log)
	f.log = f.log[:0]
	return err
}

// progress is how far entries are written: the generation that is being collected, and
// the next keys of the one before.
type progress struct {
	generation       int64
	buckets, posting uint64
}

// written is a key after all others.
const written = 1 << keyBits

func (s *Store) progress() progress {
	p := progress{s.flush.generation, written, written}
	if len(s.buckets.todo) > 0 {
		p.buckets = s.buckets.todo[0]
	}
	if len(s.postings.todo) > 0 {
		p.posting = s.postings.todo[0]
	}
	return p
}

var errMeta = errors.New("wrong counters")

const metaBytes = 7 * 8

func (s *Store) marshalMeta() []byte {
	var b []byte
	p := s.progress()
	for _, n := range []uint64{uint64(s.latest), uint64(s.counters.family), uint64(s.saved), uint64(p.generation), p.buckets, p.posting, uint64(s.counters.node)} {
		b = binary.LittleEndian.AppendUint64(b, n)
	}
	return b
}

func (s *Store) unmarshalMeta(b []byte) (p progress, err error) {
	if len(b) != metaBytes {
		return p, fmt.Errorf("%w: %w", ErrDamaged, errMeta)
	}
	var n [metaBytes / 8]uint64
	for i := range n {
		n[i] = binary.LittleEndian.Uint64(b[8*i:])
	}
	s.latest, s.counters.family, s.saved = int64(n[0]), int64(n[1]), int64(n[2])
	p = progress{int64(n[3]), n[4], n[5]}
	if int64(n[6]) != s.counters.node || s.saved < 0 || s.saved > s.counters.node || p.buckets > written || p.posting > written {
		return p, fmt.Errorf("%w: %w", ErrDamaged, errMeta)
	}
	return p, nil
}

// loadPending collects the logged entries that are not yet written. Those of the
// generation before are going on to be written.
func (s *Store) loadPending(p progress) error {
	s.flush.generation = p.generation
	old, err := s.readLog("generation < ?", p.generation, p)
	if err != nil {
		return err
	}
	if old > 0 {
		s.flush.writing = true
		s.buckets.freeze()
		s.postings.freeze()
	}
	_, err = s.readLog("generation >= ?", p.generation, progress{})
	return err
}

// readLog reads logged entries with keys from those of p on.
func (s *Store) readLog(where string, generation int64, p progress) (n int, err error) {
	rows, err := s.db.Query("SELECT entries FROM pending WHERE "+where+" ORDER BY id", generation)
	if err != nil {
		return 0, err
	}
	defer rows.Close()
	for rows.Next() {
		var b []byte
		if err := rows.Scan(&b); err != nil {
			return n, err
		}
		const size = 1 + entryBytes
		if len(b)%size != 0 {
			return n, fmt.Errorf("%w: a log of wrong length", ErrDamaged)
		}
		for ; len(b) > 0; b = b[size:] {
			e := readEntry(b[1:])
			switch {
			case int64(e.node&maxNodes) > s.counters.node || b[0] > inPostings:
				return n, fmt.Errorf("%w: a wrong entry in the log", ErrDamaged)
			case b[0] == inBuckets && e.key >= p.buckets:
				s.buckets.active.Add(e.key, e.node)
			case b[0] == inPostings && e.key >= p.posting:
				s.postings.active.Add(e.key, e.node)
			default:
				continue
			}
			n++
		}
	}
	return n, rows.Err()
}
