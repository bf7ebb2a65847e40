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

// encode returns a model with only the cuts that trees use, in the format that
// internal/methods/trees reads.
func encode(s *scores, grown []tree) []byte {
	gains := map[cut]float64{}
	for _, t := range grown {
		for _, n := range t.nodes {
			gains[n.cut] += n.gain
		}
	}
	w := append([]byte(trees.FileMagic), trees.FileVersion, 1)
	w = binary.AppendUvarint(w, uint64(len(s.b.features)))
	for _, name := range s.b.features {
		w = binary.AppendUvarint(w, uint64(len(name)))
		w = append(w, name...)
	}
	w = append(w, uint8(len(s.bias)))
	for _, v := range append([]float64{s.unit}, s.bias...) {
		w = binary.LittleEndian.AppendUint64(w, math.Float64bits(v))
	}
	columns := columnsOf(gains)
	w = binary.AppendUvarint(w, uint64(len(columns)))
	type place struct{ column, cut int }
	where := map[cut]place{}
	for k, column := range columns {
		gain := float32(0)
		for i, c := range column {
			gain += float32(gains[c])
			where[c] = place{k, i}
		}
		w = binary.AppendUvarint(w, uint64(column[0].feature))
		w = append(w, uint8(len(column)))
		w = binary.LittleEndian.AppendUint32(w, math.Float32bits(gain))
		for _, c := range column {
			w = binary.LittleEndian.AppendUint32(w, math.Float32bits(s.b.cuts[c.feature][c.bin]))
		}
	}
	w = binary.AppendUvarint(w, uint64(len(grown)))
	for _, t := range grown {
		w = append(w, uint8(len(t.nodes)))
		for _, n := range t.nodes {
			at := where[n.cut]
			w = append(binary.AppendUvarint(w, uint64(at.column)), uint8(at.cut))
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

// columnsOf makes columns of the cuts. Columns with few cuts come first, so that the
// steps of the binary search rarely change from one column to the next.
func columnsOf(gains map[cut]float64) (columns [][]cut) {
	cuts := slices.SortedFunc(maps.Keys(gains), func(a, b cut) int {
		return cmp.Or(cmp.Compare(a.feature, b.feature), cmp.Compare(a.bin, b.bin))
	})
	for _, c := range cuts {
		last := len(columns) - 1
		if last < 0 || columns[last][0].feature != c.feature || len(columns[last]) == trees.ColumnCuts {
			columns = append(columns, nil)
			last++
		}
		columns[last] = append(columns[last], c)
	}
	slices.SortStableFunc(columns, func(a, b []cut) int { return cmp.Compare(len(a), len(b)) })
	return columns
}
