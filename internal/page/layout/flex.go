package layout

import (
	"slices"

	"github.com/lede-news/lede/dom"
)

// flex lays out a flex container and returns the height of its content (CSS
// Flexbox 1 §9).
func (e *estimator) flex(n dom.Node, s *style, x, y, w float64) float64 {
	items := e.items(n, x, y, w, nil)
	dir := s.word(flexDirection)
	if dir == column || dir == columnReverse {
		return e.flexColumn(s, items, x, y, w)
	}
	gap := s.l[columnGap].of(w)
	for i := range items {
		e.flexBase(&items[i], w)
	}
	if (dir == rowReverse) != (s.word(direction) == rtl) {
		slices.Reverse(items)
	}
	top := y
	for len(items) > 0 {
		k := len(items)
		if s.word(flexWrap) == wrap {
			k = lineOf(items, w, gap)
		}
		if y > top {
			y += s.l[rowGap].of(w)
		}
		y += e.flexRow(s, items[:k], x, y, w, gap)
		items = items[k:]
	}
	return y - top
}

// flexBase computes the base width of an item (§9.2).
func (e *estimator) flexBase(it *item, w float64) {
	z := e.sizes[it.n]
	it.base, it.least, it.shrink = float64(z.max), float64(z.min), 1
	if e.doc.IsText(it.n) {
		return
	}
	it.grow, it.shrink = float64(it.s.grow), float64(it.s.shrink)
	it.least = float64(z.content)
	frame := it.s.frame(w).across()
	b := it.s.l[flexBasis]
	if b.isAuto() {
		b = it.s.l[width]
	}
	switch {
	case e.isReplaced(it.n) && !b.isSet():
		it.base = e.replacedWidth(it.n, it.s, w) + it.m.across()
	case b.isSet():
		it.base = it.s.borderBoxed(b.of(w), frame) + it.m.across()
	}
	it.base = it.s.limitWidth(it.base-it.m.across(), w, frame) + it.m.across()
	// Only items that scroll or hide their overflow may be narrower than their
	// content (§4.5).
	if it.s.word(overflow) != visible || it.s.l[minWidth].isSet() {
		it.least = it.s.limitWidth(0, w, frame) + it.m.across()
	}
	if it.s.l[width].isSet() {
		it.least = min(it.least, it.base)
	}
}

// lineOf returns the number of items in the first line of a wrapping container.
func lineOf(items []item, w, gap float64) int {
	sum := 0.0
	for i := range items {
		if sum += items[i].base; i > 0 && sum > w+0.5 {
			return i
		}
		sum += gap
	}
	return len(items)
}

// flexRow lays out one line of items and returns its height.
func (e *estimator) flexRow(s *style, items []item, x, y, w, gap float64) float64 {
	free := distribute(items, w-gap*float64(len(items)-1), w)
	at, between := e.justify(s, items, free)
	at += x
	high := 0.0
	for i := range items {
		it := &items[i]
		if it.s.l[marginLeft].isAuto() {
			at += between.auto
		}
		it.x = at
		it.h = e.layItem(it, at, y, it.w)
		high = max(high, it.h)
		at += it.w + gap + between.each
		if it.s.l[marginRight].isAuto() {
			at += between.auto
		}
	}
	for i := range items {
		e.alignItem(s, &items[i], high)
	}
	return high
}

// distribute grows or shrinks items to the available width (§9.7) and returns
// the rest.
func distribute(items []item, room, w float64) float64 {
	for i := range items {
		items[i].w, items[i].frozen = items[i].base, false
	}
	for range 4 { // each round freezes the items at a limit; more are rarely needed
		free, grow, shrink := room, 0.0, 0.0
		for i := range items {
			it := &items[i]
			free -= it.w
			if !it.frozen {
				grow += it.grow
				shrink += it.shrink * it.w
			}
		}
		if free > 0 && grow == 0 || free < 0 && shrink == 0 || free > -0.01 && free < 0.01 {
			return free
		}
		done := true
		for i := range items {
			it := &items[i]
			if it.frozen {
				continue
			}
			to := it.w
			if free > 0 {
				to += free * it.grow / max(grow, 1)
			} else {
				to += free * it.shrink * it.w / shrink
			}
			frame := it.s.frame(w).across()
			limited := max(it.s.limitWidth(to-it.m.across(), w, frame)+it.m.across(), min(it.least, it.base))
			if limited != to {
				it.frozen, done = true, false
			}
			it.w = limited
		}
		if done {
			break
		}
	}
	free := room
	for i := range items {
		free -= items[i].w
	}
	return free
}

// spacing is the free space after each item and at auto margins.
type spacing struct{ each, auto float64 }

// justify distributes free space (§9.5) to auto margins or by justify-content. It
// returns the position of the first item.
func (e *estimator) justify(s *style, items []item, free float64) (first float64, sp spacing) {
	if free <= 0 || len(items) == 0 {
		return 0, sp
	}
	autos, n := 0.0, float64(len(items))
	for i := range items {
		for _, p := range [...]property{marginLeft, marginRight} {
			if items[i].s.l[p].isAuto() && !e.doc.IsText(items[i].n) {
				autos++
			}
		}
	}
	if autos > 0 {
		return 0, spacing{auto: free / autos}
	}
	j := s.word(justifyContent)
	reverse := (s.word(flexDirection) == rowReverse) != (s.word(direction) == rtl)
	switch {
	case j == center:
		return free / 2, sp
	case j == spaceBetween && n > 1:
		return 0, spacing{each: free / (n - 1)}
	case j == spaceAround:
		return free / n / 2, spacing{each: free / n}
	case j == spaceEvenly:
		return free / (n + 1), spacing{each: free / (n + 1)}
	case (j == end || j == right) != reverse && j != left:
		return free, sp
	}
	return 0, sp
}

// alignItem aligns an item across the line (§9.6).
func (e *estimator) alignItem(s *style, it *item, high float64) {
	free := high - it.h
	if free <= 0 {
		return
	}
	a := it.s.word(alignSelf)
	if a == autoWord || e.doc.IsText(it.n) {
		a = s.word(alignItems)
	}
	switch a {
	case center:
		e.shift(it.n, 0, free/2)
	case end:
		e.shift(it.n, 0, free)
	case stretch, normal:
		if !e.doc.IsText(it.n) && !it.s.l[height].isSet() && !e.isReplaced(it.n) {
			e.boxes[it.n].H += free
		}
	}
}

// flexColumn lays out the items of a column.
func (e *estimator) flexColumn(s *style, items []item, x, y, w float64) float64 {
	top, gap := y, s.l[rowGap].of(w)
	for i := range items {
		it := &items[i]
		if i > 0 {
			y += gap
		}
		iw := w
		if !e.doc.IsText(it.n) {
			iw = e.fillWidth(it.n, it.s, w, w) + it.m.across()
		}
		a := it.s.word(alignSelf)
		if a == autoWord {
			a = s.word(alignItems)
		}
		dx := 0.0
		if a == center || a == start || a == end || a == baseline || it.s.l[marginLeft].isAuto() {
			if !e.doc.IsText(it.n) {
				iw = e.shrinkWidth(it.n, it.s, w, w) + it.m.across()
			}
			switch {
			case a == center || it.s.l[marginLeft].isAuto() && it.s.l[marginRight].isAuto():
				dx = max(0, w-iw) / 2
			case a == end || it.s.l[marginLeft].isAuto():
				dx = max(0, w-iw)
			}
		}
		y += e.layItem(it, x+dx, y, iw)
	}
	return y - top
}
