package sink

import (
	"bufio"
	"bytes"
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"strings"

	"github.com/parquet-go/parquet-go"

	"github.com/lede-news/lede/batch"
	"github.com/lede-news/lede/internal/output/sqlite"
	"github.com/lede-news/lede/internal/page/lines"
)

// Record is what is read again of an output: what tells articles apart.
type Record struct {
	ID        Text   `json:"id" parquet:"id,optional"`
	URL       string `json:"url" parquet:"url,optional"`
	Site      string `json:"site" parquet:"site,optional"`
	Title     string `json:"title" parquet:"title,optional"`
	Text      string `json:"text" parquet:"text,optional"`
	Lang      string `json:"lang" parquet:"lang,optional"`
	Date      Text   `json:"date" parquet:"date,optional"`
	FirstSeen Text   `json:"first_seen" parquet:"first_seen,optional"`
	Type      string `json:"type" parquet:"type,optional"`
	Error     string `json:"error" parquet:"error,optional"`
	Kind      string `json:"kind" parquet:"kind,optional"`
}

// Text is a string that may be a number in JSON, as ids of others are.
type Text string

// UnmarshalJSON accepts a string, a number or null.
func (t *Text) UnmarshalJSON(b []byte) error {
	if string(b) == "null" {
		return nil
	}
	if len(b) > 0 && b[0] != '"' {
		var n json.Number
		err := json.Unmarshal(b, &n)
		*t = Text(n)
		return err
	}
	return json.Unmarshal(b, (*string)(t))
}

// LineError is the error of a record that cannot be read. Those after it can.
type LineError struct {
	Path   string
	Number int // of the line or record, from 1
	Err    error
}

func (e *LineError) Error() string { return fmt.Sprintf("%s, line %d: %v", e.Path, e.Number, e.Err) }

func (e *LineError) Unwrap() error { return e.Err }

// maxLine is the longest line that is read.
const maxLine = 128 << 20

// Readable returns an error if Read does not know the format of a path.
func Readable(path string) error {
	if path == "-" {
		return nil
	}
	f, err := formatOf(path)
	if err == nil && f.header != nil {
		err = fmt.Errorf("%s: CSV is only written; use JSON lines, Parquet or SQLite", path)
	}
	return err
}

// Read reads the records of an output that is complete, or that grows: JSON lines,
// Parquet or a database, by the ending of its name. "-" is JSON lines from stdin,
// which may be nil for other names. After a *LineError there may be more records, after
// another error there are none.
func Read(ctx context.Context, path string, stdin io.Reader) iter.Seq2[*Record, error] {
	return func(yield func(*Record, error) bool) {
		each := func(r *Record, err error) error {
			if ctx.Err() != nil {
				return context.Cause(ctx)
			}
			if !yield(r, err) {
				return errStopped
			}
			return nil
		}
		var err error
		switch f, _ := formatOf(path); {
		case path == "-":
			path = "standard input"
			err = readLines(path, stdin, each)
		case Readable(path) != nil:
			err = Readable(path)
		case f.isParquet:
			err = readParquet(path, each)
		case f.isDatabase:
			err = readDatabase(path, each)
		default:
			var f io.ReadCloser
			if f, err = (batch.Input{Path: path}).Open(); err == nil {
				defer f.Close()
				err = readLines(path, f, each)
			}
		}
		switch {
		case err == nil || errors.Is(err, errStopped):
		case strings.Contains(err.Error(), path), ctx.Err() != nil:
			yield(nil, err)
		default:
			yield(nil, fmt.Errorf("%s: %w", path, err))
		}
	}
}

// errStopped says that no more records are wanted.
var errStopped = errors.New("stopped")

func readLines(path string, in io.Reader, each func(*Record, error) error) error {
	r := bufio.NewReaderSize(in, 1<<16)
	for n := 1; ; n++ {
		line, _, err := lines.Read(r, maxLine)
		switch {
		case err == io.EOF:
			return nil
		case err != nil && !errors.Is(err, lines.ErrTooLong):
			return fmt.Errorf("line %d: %w", n, err)
		}
		if n == 1 {
			line = bytes.TrimPrefix(line, []byte("\ufeff"))
		}
		if len(bytes.TrimSpace(line)) == 0 && err == nil {
			continue
		}
		record := new(Record)
		if err == nil {
			err = json.Unmarshal(line, record)
		}
		if err != nil {
			record, err = nil, &LineError{path, n, err}
		}
		if err := each(record, err); err != nil {
			return err
		}
	}
}

func readParquet(path string, each func(*Record, error) error) (err error) {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	defer func() { // a damaged file makes the library panic
		if x := recover(); x != nil {
			err = fmt.Errorf("it is damaged: %v", x)
		}
	}()
	r := parquet.NewGenericReader[Record](f)
	defer r.Close()
	for {
		rows := make([]Record, 64)
		n, err := r.Read(rows)
		for i := range rows[:n] {
			if err := each(&rows[i], nil); err != nil {
				return err
			}
		}
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

func readDatabase(path string, each func(*Record, error) error) error {
	if _, err := os.Stat(path); err != nil {
		return err
	}
	name, err := sqlite.DSN(path, "mode=ro", "_pragma=busy_timeout(60000)")
	if err != nil {
		return err
	}
	db, err := sql.Open("sqlite", name)
	if err != nil {
		return err
	}
	defer db.Close()
	rows, err := db.Query("SELECT id, url, site, title, text, lang, date, first_seen, type, error, kind FROM articles ORDER BY record")
	if err != nil {
		return fmt.Errorf("it is not an output of lede batch: %w", err)
	}
	defer rows.Close()
	for rows.Next() {
		var r Record
		err := rows.Scan(&r.ID, &r.URL, &r.Site, &r.Title, &r.Text, &r.Lang, &r.Date, &r.FirstSeen, &r.Type, &r.Error, &r.Kind)
		if err != nil {
			return err
		}
		if err := each(&r, nil); err != nil {
			return err
		}
	}
	return rows.Err()
}
