package layout

import (
	"cmp"
	"math/bits"
	"slices"
	"strings"

	"github.com/lede-news/lede/dom"
	"github.com/lede-news/lede/internal/page/css"
)

// grid lays out a grid container and returns the height of its content (CSS Grid
// 2): columns by their template, rows by their content.
func (e *estimator) grid(n dom.Node, s *style, x, y, w float64) float64 {
	gap := s.l[columnGap].of(w)
	tracks := e.tracks(s, w, gap)
	areas := s.areas()
	for _, a := range areas {
		for len(tracks) < min(a.col+a.cols, maxTracks) {
			tracks = append(tracks, track{fixed: auto})
		}
	}
	items := e.items(n, x, y, w, nil)
	if len(tracks) == 0 && s.word(gridAutoFlow) == column { // side by side
		for range min(len(items), maxTracks) {
			tracks = append(tracks, track{fixed: auto})
		}
	}
	if len(tracks) == 0 {
		tracks = []track{{fixed: auto, fr: 1}}
	}
	cells := place(items, areas, len(tracks))
	e.sizeTracks(tracks, items, cells, w, gap)
	return e.gridRows(s, tracks, items, cells, x, y, w, gap)
}

// occupied has the occupied cells of each row, one bit for each column.
type occupied []uint64

// maxRows limits the rows of a grid.
const maxRows = 20_000

func (o *occupied) at(row int) uint64 {
	if row < len(*o) {
		return (*o)[row]
	}
	return 0
}

func (o *occupied) take(a area) {
	for r := a.row; r < min(a.row+a.rows, maxRows); r++ {
		for len(*o) <= r {
			*o = append(*o, 0)
		}
		(*o)[r] |= mask(a)
	}
}

func mask(a area) uint64 { return (1<<min(a.cols, 63) - 1) << a.col }

// place assigns cells to items (§8.5): first to those with a row, then to the
// others in order.
func place(items []item, areas map[string]area, cols int) []area {
	var taken occupied
	cells := make([]area, len(items))
	named := make([]bool, len(items))
	for i := range items {
		if a, ok := explicit(items[i].s, areas, cols); ok && a.row >= 0 {
			if a.col < 0 {
				a.col = firstFree(taken.at(a.row), a.cols, cols)
			}
			cells[i], named[i] = a, true
			taken.take(a)
		}
	}
	row, col := 0, 0
	for i := range items {
		if named[i] {
			continue
		}
		a, _ := explicit(items[i].s, areas, cols)
		if a.col >= 0 {
			if a.col < col {
				row++
			}
			col = a.col
		}
		for ; row < maxRows; row++ {
			a.row = row
			if a.col >= 0 {
				if taken.at(row)&mask(a) == 0 {
					break
				}
				continue
			}
			for a.col = col; a.col+a.cols <= cols && taken.at(row)&mask(a) != 0; a.col++ {
			}
			if a.col+a.cols <= cols {
				break
			}
			a.col, col = -1, 0
		}
		a.col = max(0, min(a.col, cols-1))
		a.row = min(row, maxRows-1)
		cells[i] = a
		taken.take(a)
		col = a.col + a.cols
	}
	return cells
}

func firstFree(row uint64, span, cols int) int {
	for c := range cols {
		if row&mask(area{col: c, cols: span}) == 0 {
			return c
		}
	}
	return max(0, min(bits.Len64(row), cols-1))
}

// explicit reads the position of an item; -1 is automatic.
func explicit(s *style, areas map[string]area, cols int) (area, bool) {
	a := area{row: -1, col: -1, rows: 1, cols: 1}
	if s.grid == nil {
		return a, false
	}
	name := s.gridText(gridArea)
	if named, ok := areas[strings.TrimSpace(name)]; ok {
		return named, true
	}
	if lines := strings.Split(name, "/"); len(lines) == 4 {
		a.row, a.rows = lineRange(lines[0]+"/"+lines[2], maxTracks)
		a.col, a.cols = lineRange(lines[1]+"/"+lines[3], cols)
	}
	if column := s.gridText(gridColumn); column != "" {
		a.col, a.cols = lineRange(column, cols)
	}
	if row := s.gridText(gridRow); row != "" {
		a.row, a.rows = lineRange(row, maxTracks)
	}
	return a, true
}

// lineRange reads "2 / 4", "span 2", "1 / -1" (§8.3).
func lineRange(s string, count int) (first, span int) {
	from, to, _ := strings.Cut(s, "/")
	a, aSpan := gridLine(from, count)
	b, bSpan := gridLine(to, count)
	first, span = -1, 1
	switch {
	case aSpan:
		span = a
		if b != 0 && !bSpan {
			first = b - 1 - span
		}
	case a != 0:
		first = a - 1
		if bSpan {
			span = b
		} else if b > a {
			span = b - a
		}
	case bSpan:
		span = b
	}
	if first = min(first, count-1); first < -1 {
		first = 0
	}
	return first, max(1, min(span, count-max(first, 0)))
}

// gridLine reads one end of a range; 0 is auto.
func gridLine(s string, count int) (line int, span bool) {
	s = strings.ToLower(strings.TrimSpace(s))
	if rest, ok := strings.CutPrefix(s, "span"); ok {
		v, _ := css.ParseNumber(strings.TrimSpace(rest))
		return int(max(1, min(v, maxTracks))), true
	}
	v, n := css.ParseNumber(s)
	if n == 0 {
		return 0, false
	}
	if v < 0 {
		v += float64(count) + 2
	}
	return int(max(1, min(v, maxTracks))), false
}

// sizeTracks computes the widths of the columns, a simplified §12.
func (e *estimator) sizeTracks(tracks []track, items []item, cells []area, w, gap float64) {
	free := w - gap*float64(len(tracks)-1)
	for i := range items {
		c := cells[i]
		if t := &tracks[c.col]; c.cols == 1 && !t.fixed.isSet() && t.fr == 0 {
			t.w = max(t.w, float64(e.sizes[items[i].n].max))
		}
	}
	var shares, autos float64
	for i := range tracks {
		t := &tracks[i]
		if t.fixed.isSet() {
			t.w = max(0, t.fixed.of(w))
		} else if t.fr == 0 {
			autos++
		}
		shares += t.fr
		free -= t.w
	}
	for i := range tracks {
		switch t := &tracks[i]; {
		case t.fr > 0:
			t.w = max(0, free) * t.fr / max(shares, 1)
		case t.fixed.isSet() || shares > 0 && free >= 0:
		case free > 0: // auto tracks stretch
			t.w += free / autos
		default:
			t.w = max(0, t.w+free/autos)
		}
	}
}

// gridRows lays out the items row by row.
func (e *estimator) gridRows(s *style, tracks []track, items []item, cells []area, x, y, w, gap float64) float64 {
	rowGap := s.l[rowGap].of(w)
	at := make([]float64, len(tracks)+1)
	for i, t := range tracks {
		at[i+1] = at[i] + t.w + gap
	}
	order := make([]int, len(items))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(cells[i].row, cells[j].row) })
	top, bottom := y, y
	for k := 0; k < len(order); {
		row, high, from := cells[order[k]].row, 0.0, k
		for ; k < len(order) && cells[order[k]].row == row; k++ {
			it, c := &items[order[k]], cells[order[k]]
			cw := max(0, at[min(c.col+c.cols, len(tracks))]-at[c.col]-gap)
			ix := x + at[c.col]
			if s.word(direction) == rtl {
				ix = x + w - at[c.col] - cw
			}
			if !e.doc.IsText(it.n) {
				iw := e.fillWidth(it.n, it.s, cw, cw) + it.m.across()
				ix += e.indent(&flow{cur: container{style: s}}, it.s, iw-it.m.across(), cw, it.m) - it.m.left
				cw = iw
			}
			it.h = e.layItem(it, ix, y, cw)
			if c.rows > 1 {
				bottom = max(bottom, y+it.h)
			} else {
				high = max(high, it.h)
			}
		}
		for _, i := range order[from:k] {
			if cells[i].rows == 1 {
				e.alignItem(s, &items[i], high)
			}
		}
		y += high
		bottom = max(bottom, y)
		if k < len(order) {
			y += rowGap
		}
	}
	return bottom - top
}

// track is a column of a grid (CSS Grid 2 §7.2): a length, a share of the rest
// or, with neither, as wide as its content.
type track struct {
	fixed length
	fr    float64
	w     float64 // result
}

// maxTracks is the number of bits of a row of occupied.
const maxTracks = 64

// tracks reads grid-template-columns for a grid of width w.
func (e *estimator) tracks(s *style, w, gap float64) []track {
	return e.trackList(s, s.gridText(gridTemplateColumns), w, gap, nil, 2)
}

func (e *estimator) trackList(s *style, list string, w, gap float64, out []track, depth int) []track {
	for n := 0; n < 4*maxTracks && len(out) < maxTracks; n++ {
		if list = strings.TrimSpace(list); list == "" {
			return out
		}
		if list[0] == '[' { // names of lines
			i := strings.IndexByte(list, ']')
			if i < 0 {
				return out
			}
			list = list[i+1:]
			continue
		}
		v, rest, ok := e.component(list)
		if !ok || len(rest) >= len(list) {
			return out
		}
		list = rest
		if args, is := strings.CutPrefix(v.Text, "repeat("); is && v.Kind == css.Text {
			if depth > 0 {
				out = e.repeat(s, strings.TrimSuffix(args, ")"), w, gap, out, depth-1)
			}
			continue
		}
		out = append(out, e.track(s, v))
	}
	return out
}

func (e *estimator) track(s *style, v value) track {
	switch {
	case v.Kind == css.Size || v.Kind == css.Number:
		return track{fixed: resolve(v.Length, s.size, e.rem)}
	case v.Kind == css.Text && v.Text == "fr":
		return track{fixed: auto, fr: max(0, float64(v.Length.Px))}
	case v.Kind == css.Text && strings.HasPrefix(v.Text, "minmax("):
		args := strings.TrimSuffix(v.Text[len("minmax("):], ")")
		least, most, _ := strings.Cut(args, ",")
		if hi, _, ok := e.component(most); ok && (hi.Kind == css.Size || hi.Text == "fr") {
			return e.track(s, hi)
		}
		if lo, _, ok := e.component(least); ok && lo.Kind == css.Size {
			return track{fixed: auto, fr: 1}
		}
	}
	return track{fixed: auto}
}

// repeat reads repeat(3, 1fr), or as many tracks as fit (§7.2.3).
func (e *estimator) repeat(s *style, args string, w, gap float64, out []track, depth int) []track {
	count, list, ok := css.Cut(args, ',')
	if !ok {
		return out
	}
	times := e.autoRepeat(s, list, w, gap)
	if v, n := css.ParseNumber(count); n > 0 {
		times = int(max(1, min(v, maxTracks)))
	}
	one := e.trackList(s, list, w, gap, nil, depth)
	for range times {
		if len(one) == 0 || len(out)+len(one) > maxTracks {
			break
		}
		out = append(out, one...)
	}
	return out
}

func (e *estimator) autoRepeat(s *style, list string, w, gap float64) int {
	size := 0.0
	if v, _, ok := e.component(list); ok {
		if args, is := strings.CutPrefix(v.Text, "minmax("); is {
			v, _, _ = e.component(args)
		}
		if v.isLength() {
			size = resolve(v.Length, s.size, e.rem).of(w)
		}
	}
	if size+gap <= 0 {
		return 1
	}
	return int(max(1, min((w+gap)/(size+gap), maxTracks)))
}

// gridColumns returns the number of columns of a grid of width w.
func (s *style) gridColumns(w float64, e *estimator) int {
	return len(e.tracks(s, w, s.l[columnGap].of(w)))
}

// area is a rectangle of cells.
type area struct{ row, col, rows, cols int }

// areas reads grid-template-areas (§7.3), a string for each row.
func (s *style) areas() map[string]area {
	rest := s.gridText(gridTemplateAreas)
	if !strings.ContainsAny(rest, `"'`) {
		return nil
	}
	all := map[string]area{}
	row := 0
	for rest != "" && row < maxTracks {
		var line string
		if line, rest = css.CutComponent(rest); line[0] != '"' && line[0] != '\'' {
			continue
		}
		for col, name := range strings.Fields(css.Unquote(line)) {
			if name[0] == '.' || col >= maxTracks {
				continue
			}
			a, ok := all[name]
			if !ok {
				a = area{row: row, col: col}
			}
			a.rows, a.cols = max(a.rows, row-a.row+1), max(a.cols, col-a.col+1)
			all[name] = a
		}
		row++
	}
	return all
}
