package sink

import (
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"math"
)

// SQLite does not notice that a text has changed. Until a database is complete it has
// a table with a checksum of each row, so that a run is not continued with damaged
// ones.
const (
	createChecks = "CREATE TABLE checks (record INTEGER PRIMARY KEY, sum INTEGER NOT NULL)"
	insertCheck  = "INSERT INTO checks VALUES (?, ?)"
	dropChecks   = "DROP TABLE IF EXISTS checks"
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// checksum returns the checksum of the values of a row, as they are written or as
// they are read.
func checksum(row []any) int64 {
	var sum uint32
	var b [9]byte
	add := func(kind byte, number uint64) {
		b[0] = kind
		binary.LittleEndian.PutUint64(b[1:], number)
		sum = crc32.Update(sum, castagnoli, b[:])
	}
	for _, v := range row {
		switch v := v.(type) {
		case nil:
			add('n', 0)
		case string:
			add('s', uint64(len(v)))
			sum = crc32.Update(sum, castagnoli, []byte(v))
		case float64:
			add('f', math.Float64bits(v))
		case int64:
			add('i', uint64(v))
		case bool:
			if v {
				add('i', 1)
			} else {
				add('i', 0)
			}
		}
	}
	return int64(sum)
}

// verify compares all rows with their checksums. There are none if Finish was
// interrupted, or in a file of an older version.
func (d *database) verify() error {
	var n int
	if err := d.db.QueryRow("SELECT count(*) FROM sqlite_schema WHERE name = 'checks'").Scan(&n); err != nil || n == 0 {
		return err
	}
	if _, err := d.db.Exec("DELETE FROM checks WHERE record >= ?", d.rows); err != nil {
		return err
	}
	rows, err := d.db.Query("SELECT coalesce(sum, -1), a.* FROM articles a LEFT JOIN checks c ON c.record = a.record")
	if err != nil {
		return err
	}
	defer rows.Close()
	names, err := rows.Columns()
	if err != nil {
		return err
	}
	values := make([]any, len(names))
	into := make([]any, len(names))
	for i := range values {
		into[i] = &values[i]
	}
	for rows.Next() {
		if err := rows.Scan(into...); err != nil {
			return err
		}
		if sum, ok := values[0].(int64); !ok || sum != checksum(values[1:]) {
			return fmt.Errorf("%w: row %v has changed", ErrDamaged, values[1])
		}
	}
	return rows.Err()
}
