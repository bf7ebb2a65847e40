package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"sync"

	"github.com/lede-news/lede/site"
)

// record is a profile in memory with its position in the file.
type record struct {
	mu sync.RWMutex
	state
}

type state struct {
	p       *site.Profile // nil if it must be loaded
	id      int64         // of the site; 0 if it is not in the file
	last    int64         // the last row of the log that is in p
	pending int           // rows in the log
	bytes   int64         // of snapshot and log
}

// forget makes the next use load the record.
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

// resultRow is a row of both queries: the site, the last log row in its snapshot,
// and a row of the log, if any.
type resultRow struct {
	site, upto int64
	row        sql.NullInt64
	data       []byte
}

// refresh brings the record up to date with the file. Rows that cannot be read are
// skipped and returned. After an error of the file the record is as it was.
func (s *state) refresh(ctx context.Context, q *queries, name string) (bad []damage, err error) {
	current := false
	if s.p != nil {
		current, bad, err = s.catchUp(ctx, q, name)
	}
	if !current && err == nil {
		bad, err = s.load(ctx, q, name)
	}
	return bad, err
}

// catchUp adds the new rows of the log. It returns false if that is not enough: the
// site was added, removed or replaced, or another process has folded rows that
// are missing here.
func (s *state) catchUp(ctx context.Context, q *queries, name string) (current bool, bad []damage, err error) {
	rows, err := query(ctx, q.since, name, s.last)
	if err != nil {
		return false, nil, err
	}
	if len(rows) == 0 {
		return s.id == 0, nil, nil
	}
	if rows[0].site != s.id || rows[0].upto > s.last {
		return false, nil, nil
	}
	bad, err = s.apply(rows)
	return true, bad, err
}

// load reads the snapshot and the whole log.
func (s *state) load(ctx context.Context, q *queries, name string) ([]damage, error) {
	rows, err := query(ctx, q.load, name)
	if err != nil {
		return nil, err
	}
	*s = state{p: site.New(name)}
	return s.apply(rows)
}

// query runs one of the queries.
func query(ctx context.Context, q *sql.Stmt, args ...any) (all []resultRow, err error) {
	rows, err := q.QueryContext(ctx, args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var r resultRow
		if err := rows.Scan(&r.site, &r.upto, &r.row, &r.data); err != nil {
			return nil, fmt.Errorf("%w: %w", errBrokenFile, err) // a column of another type
		}
		all = append(all, r)
	}
	return all, rows.Err()
}

// apply adds rows to the record in order.
func (s *state) apply(rows []resultRow) (bad []damage, err error) {
	for _, r := range rows {
		s.id = r.site
		s.last = max(s.last, r.upto)
		switch {
		case !r.row.Valid: // nothing in the log
			continue
		case r.row.Int64 == 0:
			err = s.restore(r.data)
		default:
			s.last = r.row.Int64
			s.pending++
			o := new(site.Observation)
			if err = o.UnmarshalBinary(r.data); err == nil {
				s.p.Add(o)
			}
		}
		s.bytes += int64(len(r.data))
		if errors.Is(err, site.ErrCorrupt) {
			bad = append(bad, damage{r.site, r.row.Int64, r.data, err})
		} else if err != nil {
			*s = state{}
			return nil, err // for example of a newer version: must not be removed
		}
	}
	return bad, nil
}

// restore loads the snapshot.
func (s *state) restore(data []byte) error {
	if data == nil {
		return nil
	}
	p := new(site.Profile)
	if err := p.UnmarshalBinary(data); err != nil {
		return err
	}
	if p.Name() != s.p.Name() {
		return fmt.Errorf("%w: this is the profile of %q", site.ErrCorrupt, p.Name())
	}
	s.p = p
	return nil
}
