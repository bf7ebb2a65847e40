package store

import (
	"database/sql"
	"errors"
	"fmt"
	"sync"

	"github.com/lede-news/lede/site"
)

// record is a profile in memory with its place in the file.
type record struct {
	mu sync.RWMutex
	state
}

type state struct {
	p       *site.Profile // nil when it must be loaded
	id      int64         // of the site; 0 when it is not in the file
	last    int64         // the last row of the log that is in p
	pending int           // rows in the log
	bytes   int64         // of snapshot and log
}

// forget makes the next user load the record.
func (r *record) forget() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.state = state{}
}

// damage is a row that cannot be read. Row 0 is the snapshot.
type damage struct {
	site, row int64
	data      []byte
	err       error
}

// line is what both queries give: the site, how far its snapshot goes, and a
// row of the log, if any.
type line struct {
	site, upto int64
	row        sql.NullInt64
	data       []byte
}

// refresh brings the record up to what the file has. Rows that cannot be read
// are left out and returned. After an error the record must be loaded anew.
func (s *state) refresh(q *queries, name string) (bad []damage, err error) {
	current := false
	if s.p != nil {
		current, bad, err = s.catchUp(q, name)
	}
	if !current && err == nil {
		bad, err = s.load(q, name)
	}
	if err != nil {
		*s = state{}
	}
	return bad, err
}

// catchUp adds what is new in the log. It answers false when that is not
// enough: the site has come, gone or been replaced, or another process has
// folded rows that are missing here.
func (s *state) catchUp(q *queries, name string) (current bool, bad []damage, err error) {
	lines, err := ask(q.since, name, s.last)
	if err != nil {
		return false, nil, err
	}
	if len(lines) == 0 {
		return s.id == 0, nil, nil
	}
	if lines[0].site != s.id || lines[0].upto > s.last {
		return false, nil, nil
	}
	bad, err = s.apply(lines)
	return true, bad, err
}

// load reads the snapshot and all of the log.
func (s *state) load(q *queries, name string) ([]damage, error) {
	*s = state{p: site.New(name)}
	lines, err := ask(q.load, name)
	if err != nil {
		return nil, err
	}
	return s.apply(lines)
}

// ask runs one of the queries.
func ask(q *sql.Stmt, args ...any) (lines []line, err error) {
	rows, err := q.Query(args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var l line
		if err := rows.Scan(&l.site, &l.upto, &l.row, &l.data); err != nil {
			return nil, err
		}
		lines = append(lines, l)
	}
	return lines, rows.Err()
}

// apply adds rows to the record, in their order.
func (s *state) apply(lines []line) (bad []damage, err error) {
	for _, l := range lines {
		s.id = l.site
		s.last = max(s.last, l.upto)
		switch {
		case !l.row.Valid: // nothing in the log
			continue
		case l.row.Int64 == 0:
			err = s.restore(l.data)
		default:
			s.last = l.row.Int64
			s.pending++
			o := new(site.Observation)
			if err = o.UnmarshalBinary(l.data); err == nil {
				s.p.Add(o)
			}
		}
		s.bytes += int64(len(l.data))
		if errors.Is(err, ErrCorrupt) {
			bad = append(bad, damage{l.site, l.row.Int64, l.data, err})
		} else if err != nil {
			return nil, err // of a newer lede, for one: not ours to throw away
		}
	}
	return bad, nil
}

// restore takes the snapshot.
func (s *state) restore(data []byte) error {
	if data == nil {
		return nil
	}
	p := new(site.Profile)
	if err := p.UnmarshalBinary(data); err != nil {
		return err
	}
	if p.Name() != s.p.Name() {
		return fmt.Errorf("%w: it is the profile of %q", ErrCorrupt, p.Name())
	}
	s.p = p
	return nil
}
