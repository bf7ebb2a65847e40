package store

import (
	"database/sql"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// lists maps keys to lists of nodes: buckets or postings. An article adds some forty keys that
// are scattered over the whole table, so that they are collected in memory, where they are
// also looked up, and written in order when the store commits.
type lists struct {
	table   string
	max     int // length of a list
	pending map[uint64][]uint32
	upsert  string
}

const nodeBytes = 4

// newLists returns the lists of a table. Of a list that is full, the first nodes are kept, or
// the last.
func newLists(table string, max int, keepLast bool) *lists {
	from := 1
	if keepLast {
		from = -max * nodeBytes
	}
	// The operator || makes text of blobs.
	upsert := fmt.Sprintf(`INSERT INTO %s (key, nodes) VALUES (?, ?)%s ON CONFLICT (key) DO UPDATE
		SET nodes = substr(CAST(nodes || excluded.nodes AS BLOB), %d, %d)`, table, strings.Repeat(", (?, ?)", insertRows-1), from, max*nodeBytes)
	return &lists{table: table, max: max, pending: map[uint64][]uint32{}, upsert: upsert}
}

func (l *lists) add(key uint64, node uint32) { l.pending[key] = append(l.pending[key], node) }

// lookup calls visit with the list of each key that has one, the last node first.
func (l *lists) lookup(db *database, keys []uint64, visit func(i int, nodes []uint32)) error {
	numbers, err := json.Marshal(keys)
	if err != nil {
		return err
	}
	stored := map[uint64][]byte{}
	query := "SELECT key, nodes FROM " + l.table + " WHERE key IN (SELECT value FROM json_each(?))"
	err = db.All(query, []any{string(numbers)}, func(rows *sql.Rows) error {
		var key int64
		var nodes []byte
		err := rows.Scan(&key, &nodes)
		stored[uint64(key)] = nodes
		return err
	})
	if err != nil {
		return err
	}
	var nodes []uint32
	for i, key := range keys {
		nodes = append(nodes[:0], l.pending[key]...)
		slices.Reverse(nodes)
		for b := stored[key]; len(b) >= nodeBytes && len(nodes) < l.max; b = b[:len(b)-nodeBytes] {
			nodes = append(nodes, binary.LittleEndian.Uint32(b[len(b)-nodeBytes:]))
		}
		if len(nodes) > 0 {
			visit(i, nodes[:min(len(nodes), l.max)])
		}
	}
	return nil
}

// insertRows is how many rows are inserted with a statement.
const insertRows = 50

// write writes what was collected.
func (l *lists) write(db *database) error {
	for keys := range slices.Chunk(slices.Sorted(maps.Keys(l.pending)), insertRows) {
		var args []any
		for _, key := range keys {
			var b []byte
			nodes := l.pending[key]
			for _, n := range nodes[max(0, len(nodes)-l.max):] {
				b = binary.LittleEndian.AppendUint32(b, n)
			}
			args = append(args, int64(key), b)
		}
		query := strings.Replace(l.upsert, strings.Repeat(", (?, ?)", insertRows-len(keys)), "", 1)
		if err := db.Exec(query, args...); err != nil {
			return err
		}
	}
	clear(l.pending)
	return nil
}
