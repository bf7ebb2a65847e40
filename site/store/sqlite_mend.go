package store

import (
	"context"
	"fmt"
)

// maxAside is how many records that cannot be read are kept.
const maxAside = 100

// setAside takes rows that cannot be read out of the way, and keeps them in
// their own table.
func (db *statements) setAside(name string, bad []damage) error {
	for _, d := range bad {
		if _, err := db.keepAside.Exec(name, d.err.Error(), d.data); err != nil {
			return err
		}
		var err error
		if d.row == 0 {
			_, err = db.emptySnapshot.Exec(d.site)
		} else {
			_, err = db.dropLogLine.Exec(d.row)
		}
		if err != nil {
			return err
		}
	}
	if len(bad) == 0 {
		return nil
	}
	_, err := db.trim.Exec(maxAside)
	return err
}

// mend sets aside what a look-up could not read.
func (s *sqliteStore) mend(ctx context.Context, name string, r *record) error {
	r.forget() // so that the damage is found again, inside the transaction
	return s.update(ctx, name, func(*statements, *record) error { return nil })
}

func (s *sqliteStore) report(name string, bad []damage, kept string) {
	for _, d := range bad {
		what, then := "a page in the log", "that page is lost"
		if d.row == 0 {
			what, then = "the profile", "it is learned anew from the pages to come"
		}
		s.opts.Report(fmt.Errorf("store %s: %s of %s cannot be read and %s; %s: %w", s.path, what, name, kept, then, d.err))
	}
}
