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
	table  string
	max    int // length of a list
	upsert string

	heads   map[uint64]uint32 // the last entry of a key, as the length of entries up to it
	entries []listEntry
}

// listEntry is a node that is not written yet. It has no pointers, which the garbage
// collector would follow.
type listEntry struct {
	node uint32
	prev uint32 // the entry of the same key before it, as in heads; 0 if there is none
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
	return &lists{table: table, max: max, heads: map[uint64]uint32{}, upsert: upsert}
}

func (l *lists) add(key uint64, node uint32) {
	l.entries = append(l.entries, listEntry{node, l.heads[key]})
	l.heads[key] = uint32(len(l.entries))
}

// pending appends the nodes of a key that are not written yet, the last one first.
func (l *lists) pending(key uint64, nodes []uint32) []uint32 {
	for at := l.heads[key]; at > 0 && len(nodes) < l.max; at = l.entries[at-1].prev {
		nodes = append(nodes, l.entries[at-1].node)
	}
	return nodes
}

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
		nodes = l.pending(key, nodes[:0])
		for b := stored[key]; len(b) >= nodeBytes && len(nodes) < l.max; b = b[:len(b)-nodeBytes] {
			nodes = append(nodes, binary.LittleEndian.Uint32(b[len(b)-nodeBytes:]))
		}
		if len(nodes) > 0 {
			visit(i, nodes)
		}
	}
	return nil
}

// insertRows is how many rows are inserted with a statement.
const insertRows = 50

// write writes what was collected.
func (l *lists) write(db *database) error {
	var nodes []uint32
	for keys := range slices.Chunk(slices.Sorted(maps.Keys(l.heads)), insertRows) {
		var args []any
		for _, key := range keys {
			var b []byte
			nodes = l.pending(key, nodes[:0])
			for _, n := range slices.Backward(nodes) {
				b = binary.LittleEndian.AppendUint32(b, n)
			}
			args = append(args, int64(key), b)
		}
		query := strings.Replace(l.upsert, strings.Repeat(", (?, ?)", insertRows-len(keys)), "", 1)
		if err := db.Exec(query, args...); err != nil {
			return err
		}
	}
	clear(l.heads)
	l.entries = l.entries[:0]
	return nil
}
