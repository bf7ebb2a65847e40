package layout

import "strings"

// track is a column of a grid (CSS Grid 2 §7.2): a length, a share of what is
// left, or, with neither, as wide as its content.
type track struct {
	fixed length
	fr    float64
	w     float64 // once it is known
}

// maxTracks is also how many bits a row of the occupied cells has.
const maxTracks = 64

// tracks reads grid-template-columns for a grid that is w wide.
func (e *estimator) tracks(s *style, w, gap float64) []track {
	if s.grid == nil || s.grid.columns == "" {
		return nil
	}
	return e.trackList(s, s.grid.columns, w, gap, nil, 2)
}

func (e *estimator) trackList(s *style, list string, w, gap float64, out []track, depth int) []track {
	for n := 0; n < 4*maxTracks && len(out) < maxTracks; n++ {
		if list = trim(list); list == "" {
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
		if args, is := strings.CutPrefix(v.text, "repeat("); is && v.kind == isText {
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
	case v.kind == isLength || v.kind == isNumber:
		return track{fixed: v.rel.resolve(s.size, e.rem)}
	case v.kind == isText && v.text == "fr":
		return track{fixed: auto, fr: max(0, float64(v.rel.px))}
	case v.kind == isText && strings.HasPrefix(v.text, "minmax("):
		args := strings.TrimSuffix(v.text[len("minmax("):], ")")
		least, most, _ := strings.Cut(args, ",")
		if hi, _, ok := e.component(most); ok && (hi.kind == isLength || hi.text == "fr") {
			return e.track(s, hi)
		}
		if lo, _, ok := e.component(least); ok && lo.kind == isLength {
			return track{fixed: auto, fr: 1}
		}
	}
	return track{fixed: auto}
}

// repeat is repeat(3, 1fr), or as many as there is room for (§7.2.3).
func (e *estimator) repeat(s *style, args string, w, gap float64, out []track, depth int) []track {
	i := topLevel(args, ',')
	if i == len(args) {
		return out
	}
	count, list := trim(args[:i]), args[i+1:]
	times := 1
	if v, n := number(count); n > 0 {
		times = int(max(1, min(v, maxTracks)))
	} else {
		times = e.autoRepeat(s, list, w, gap)
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
		if args, is := strings.CutPrefix(v.text, "minmax("); is {
			v, _, _ = e.component(args)
		}
		if r, is := v.asLength(); is {
			size = r.resolve(s.size, e.rem).of(w)
		}
	}
	if size+gap <= 0 {
		return 1
	}
	return int(max(1, min((w+gap)/(size+gap), maxTracks)))
}

// gridColumns is how many columns a grid has that is w wide.
func (s *style) gridColumns(w float64, e *estimator) int {
	return len(e.tracks(s, w, s.l[columnGap].of(w)))
}

// area is a rectangle of a grid: rows and columns from 0, and how many.
type area struct{ row, col, rows, cols int }

// areas reads grid-template-areas (§7.3): a string for each row.
func (s *style) areas() map[string]area {
	if s.grid == nil || !strings.ContainsAny(s.grid.areas, `"'`) {
		return nil
	}
	all := map[string]area{}
	rest := s.grid.areas
	for row := 0; row < maxTracks; row++ {
		i := strings.IndexAny(rest, `"'`)
		if i < 0 {
			break
		}
		end := stringEnd(rest, i)
		for col, name := range strings.Fields(strings.Trim(rest[i:end], `"'`)) {
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
		rest = rest[end:]
	}
	return all
}
