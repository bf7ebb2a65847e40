package store

import (
	"encoding/binary"
	"slices"
	"strings"

	"github.com/lede-news/lede/internal/placing"
)

// Buckets and postings map keys to lists of nodes. An article adds some forty keys that
// are scattered over the whole table, which is slow if each is written by itself. So
// entries are collected in memory, where they are also looked up, and written in order
// of their keys, a few with each article.

const (
	keyBits   = placing.KeyBits
	nodeBytes = 4
)

// keep is what is kept of a list that is full.
type keep bool

const (
	keepFirst keep = true
	keepLast  keep = false
)

// entry is a node in the list of a key.
type entry struct {
	key  uint64
	node uint32
}

const entryBytes = keyBits/8 + nodeBytes

func (e entry) append(b []byte) []byte {
	b = binary.LittleEndian.AppendUint64(b, e.key)
	return binary.LittleEndian.AppendUint32(b[:len(b)-2], e.node)
}

func readEntry(b []byte) entry {
	return entry{
		key:  uint64(binary.LittleEndian.Uint32(b)) | uint64(binary.LittleEndian.Uint16(b[4:]))<<32,
		node: binary.LittleEndian.Uint32(b[6:]),
	}
}

// lists are buckets or postings.
type lists struct {
	table  string
	max    int
	keep   keep
	active *placing.Chains
	frozen *placing.Chains // is being written; nil if none
	todo   []uint64        // keys of frozen that are not yet written
	insert string
	found  []uint32 // scratch memory
}

func newLists(table string, max int, keep keep) *lists {
	l := &lists{table: table, max: max, keep: keep, active: placing.NewChains()}
	// The operator || makes text of blobs.
	both, from := "CAST(nodes || excluded.nodes AS BLOB)", 1
	if keep == keepLast {
		from = -max * nodeBytes
	}
	l.insert = "INSERT INTO " + table + " (key, nodes) VALUES (?, ?)" + strings.Repeat(", (?, ?)", insertRows-1) +
		" ON CONFLICT (key) DO UPDATE SET nodes = substr(" + both + ", " + itoa(from) + ", " + itoa(max*nodeBytes) + ")"
	return l
}

// lookup calls visit with the list of each key, the last node first. The list is valid
// until visit returns.
func (l *lists) lookup(db *database, keys []uint64, visit func(i int, nodes []uint32)) error {
	stored := map[uint64][]byte{}
	for part := range slices.Chunk(keys, lookupKeys) {
		if err := l.read(db, part, stored); err != nil {
			return err
		}
	}
	for i, key := range keys {
		nodes := l.active.Append(l.found[:0], key, l.max)
		if len(l.todo) > 0 && key >= l.todo[0] {
			nodes = l.frozen.Append(nodes, key, l.max)
		}
		for b := stored[key]; len(b) >= nodeBytes && len(nodes) < l.max; b = b[:len(b)-nodeBytes] {
			nodes = append(nodes, binary.LittleEndian.Uint32(b[len(b)-nodeBytes:]))
		}
		l.found = nodes
		if len(nodes) > 0 {
			visit(i, nodes)
		}
	}
	return nil
}

// lookupKeys is how many keys are looked up with a statement. What is not needed of
// them is the last key again.
const lookupKeys = 48

func (l *lists) read(db *database, keys []uint64, stored map[uint64][]byte) error {
	size := len(keys)
	if size > 1 {
		size = (size + 7) &^ 7 // so that there are few statements
	}
	args := make([]any, size)
	for i := range args {
		args[i] = int64(keys[min(i, len(keys)-1)])
	}
	rows, err := db.Query("SELECT key, nodes FROM "+l.table+" WHERE key IN (?"+strings.Repeat(", ?", size-1)+")", args...)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var key int64
		var nodes []byte
		if err := rows.Scan(&key, &nodes); err != nil {
			return err
		}
		stored[uint64(key)] = nodes
	}
	return rows.Err()
}

// insertRows is how many rows are inserted with a statement.
const insertRows = 50

// freeze makes what was collected ready to be written.
func (l *lists) freeze() {
	l.frozen, l.active = l.active, placing.NewChains()
	l.todo = l.frozen.Sorted()
}

// write writes some lists of the frozen memory.
func (l *lists) write(db *database) error {
	args := make([]any, 0, 2*insertRows)
	for _, key := range l.todo[:min(insertRows, len(l.todo))] {
		nodes := l.frozen.Append(nil, key, l.max)
		b := make([]byte, 0, nodeBytes*len(nodes))
		for _, n := range slices.Backward(nodes) {
			b = binary.LittleEndian.AppendUint32(b, n)
		}
		args = append(args, int64(key), b)
	}
	l.todo = l.todo[len(args)/2:]
	query := l.insert
	if n := len(args) / 2; n < insertRows {
		query = strings.Replace(query, strings.Repeat(", (?, ?)", insertRows-n), "", 1)
	}
	if len(l.todo) == 0 {
		l.frozen, l.todo = nil, nil
	}
	return db.Exec(query, args...)
}

// Of both lists, entries are logged until they are written.

// flushAt is how many entries are collected before they are written.
const flushAt = 3 << 18

// flusher writes buckets and postings.
type flusher struct {
	generation int64 // of what is being collected
	log        []byte
	writing    bool
}

// kinds of logged entries.
const (
	inBuckets = iota
	inPostings
)

func (f *flusher) add(l *lists, kind byte, e entry) {
	l.active.Add(e.key, e.node)
	f.log = e.append(append(f.log, kind))
}
