package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"io"
	"io/fs"
	"os"
)

// Statements are the prepared statements of a connection, each prepared when it is
// first used. They run to their end whatever the context of the caller, so that a transaction is never
// left half done.
type Statements struct {
	conn *sql.Conn
	all  map[string]*sql.Stmt
}

// NewStatements returns the statements of a connection.
func NewStatements(conn *sql.Conn) *Statements {
	return &Statements{conn: conn, all: map[string]*sql.Stmt{}}
}

// prepare returns a prepared statement, which stays open until Close.
func (s *Statements) prepare(query string) (*sql.Stmt, error) {
	if st := s.all[query]; st != nil {
		return st, nil
	}
	st, err := s.conn.PrepareContext(context.Background(), query)
	if err == nil {
		s.all[query] = st
	}
	return st, err
}

// Exec runs a statement.
func (s *Statements) Exec(query string, args ...any) error {
	st, err := s.prepare(query)
	if err == nil {
		_, err = st.Exec(args...)
	}
	return err
}

// Get reads a row and reports whether there is one.
func (s *Statements) Get(query string, args []any, to ...any) (bool, error) {
	st, err := s.prepare(query)
	if err != nil {
		return false, err
	}
	switch err := st.QueryRow(args...).Scan(to...); {
	case errors.Is(err, sql.ErrNoRows):
		return false, nil
	case err != nil:
		return false, err
	}
	return true, nil
}

// All calls read for every row of a query.
func (s *Statements) All(query string, args []any, read func(*sql.Rows) error) error {
	st, err := s.prepare(query)
	if err != nil {
		return err
	}
	rows, err := st.Query(args...)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		if err := read(rows); err != nil {
			return err
		}
	}
	return rows.Err()
}

// Close closes the statements, but not the connection.
func (s *Statements) Close() (err error) {
	for _, st := range s.all {
		err = errors.Join(err, st.Close())
	}
	clear(s.all)
	return err
}

// IsFile reports whether a file is one of SQLite's by its first bytes, or will become
// one: it is empty or does not exist.
func IsFile(path string) (bool, error) {
	f, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return true, nil
	}
	if err != nil {
		return false, err
	}
	defer f.Close()
	const magic = "SQLite format 3\x00"
	head := make([]byte, len(magic))
	n, err := io.ReadFull(f, head)
	if err != nil && err != io.EOF && err != io.ErrUnexpectedEOF {
		return false, err
	}
	return n == 0 || string(head[:n]) == magic, nil
}
