package trees

import (
	"cmp"
	"encoding/binary"
	"hash/crc32"
	"maps"
	"math"
	"slices"

	"github.com/lede-news/lede/internal/methods/trees"
)

// cutID is a feature and the number of a cut.
type cutID struct{ feature, cut int }

// column is a feature that a model uses, with the cuts of its nodes and their gain.
type column struct {
	feature int
	cuts    []float32
	gain    float32
	ids     []cutID
}

// split is a cut of a column.
type split struct {
	column int
	cut    uint8
}

// encode returns a model with only the cuts that trees use, in the format that
// internal/methods/trees reads.
func encode(b *Bins, grown []tree, bias []float64, unit float64, exit earlyExit) []byte {
	columns := findColumns(b, grown)
	where := map[cutID]split{}
	w := append([]byte(trees.FileMagic), trees.FileVersion, 1)
	w = binary.AppendUvarint(w, uint64(len(b.features)))
	for _, name := range b.features {
		w = binary.AppendUvarint(w, uint64(len(name)))
		w = append(w, name...)
	}
	w = append(w, uint8(len(bias)))
	for _, v := range append([]float64{unit}, bias...) {
		w = binary.LittleEndian.AppendUint64(w, math.Float64bits(v))
	}
	w = binary.AppendUvarint(w, uint64(exit.after))
	w = binary.AppendVarint(w, int64(exit.low))
	w = binary.AppendVarint(w, int64(exit.high))
	w = binary.AppendUvarint(w, uint64(len(columns)))
	for k, c := range columns {
		w = binary.AppendUvarint(w, uint64(c.feature))
		w = append(w, uint8(len(c.cuts)))
		for _, v := range append([]float32{c.gain}, c.cuts...) {
			w = binary.LittleEndian.AppendUint32(w, math.Float32bits(v))
		}
		for i, id := range c.ids {
			where[id] = split{k, uint8(i)}
		}
	}
	w = binary.AppendUvarint(w, uint64(len(grown)))
	for _, t := range grown {
		w = append(w, uint8(len(t.nodes)))
		for _, n := range t.nodes {
			s := where[cutID{n.feature, int(n.bin)}]
			w = binary.AppendUvarint(w, uint64(s.column))
			w = append(w, s.cut)
		}
		for _, v := range t.leaves {
			w = binary.LittleEndian.AppendUint16(w, uint16(v))
		}
		for i := 0; i < len(t.covers); i += 2 { // two in a byte
			w = append(w, t.covers[i]|t.covers[min(i+1, len(t.covers)-1)]<<4)
		}
	}
	return binary.LittleEndian.AppendUint32(w, crc32.ChecksumIEEE(w))
}

// findColumns makes columns of the cuts. Columns with few cuts come first, so that the
// steps of the binary search rarely change from one column to the next.
func findColumns(b *Bins, grown []tree) []column {
	gains := map[cutID]float64{}
	for _, t := range grown {
		for _, n := range t.nodes {
			gains[cutID{n.feature, int(n.bin)}] += n.gain
		}
	}
	ids := slices.SortedFunc(maps.Keys(gains), func(a, b cutID) int {
		return cmp.Or(cmp.Compare(a.feature, b.feature), cmp.Compare(a.cut, b.cut))
	})
	var columns []column
	for _, id := range ids {
		last := len(columns) - 1
		if last < 0 || columns[last].feature != id.feature || len(columns[last].cuts) == trees.ColumnCuts {
			columns = append(columns, column{feature: id.feature})
			last++
		}
		c := &columns[last]
		c.cuts = append(c.cuts, b.cuts[id.feature][id.cut])
		c.gain += float32(gains[id])
		c.ids = append(c.ids, id)
	}
	slices.SortStableFunc(columns, func(a, b column) int { return cmp.Compare(len(a.cuts), len(b.cuts)) })
	return columns
}
