package dom

// actives follows the parser's list of active formatting elements (HTML5,
// 13.2.4.3) closely enough to tell how many elements it will open anew. Where
// it cannot know, it takes the larger number.
type actives struct {
	current  frame
	tables   [64]frame // what was open at the start of each open table
	depth    int
	over     int // tables deeper than that
	reopened int
}

// frame counts the open formatting elements by name.
type frame struct {
	open [16]uint16
	sum  int
}

// activeSlots is a place of its own for each element that is active.
var activeSlots = func() (slots [tagCount]uint8) {
	var n uint8
	for t := range slots {
		if Tag(t).is(active) {
			slots[t] = n
			n++
		}
	}
	return slots
}()

func (a *actives) start(t Tag) {
	switch {
	case t.is(active):
		open := &a.current.open[activeSlots[t]]
		if (t == A || t == Nobr) && *open > 0 {
			return // a second one closes the first
		}
		if *open < 1<<15 {
			*open++
			a.current.sum++
		}
		return
	case t == Table:
		if a.depth == len(a.tables) {
			a.over++
			break
		}
		a.tables[a.depth] = a.current
		a.depth++
	case isCell(t) && a.depth > 0 && a.over == 0:
		a.current = frame{}
	}
	a.reopened += a.current.sum
}

func (a *actives) end(t Tag) {
	switch {
	case t.is(active):
		if open := &a.current.open[activeSlots[t]]; *open > 0 {
			*open--
			a.current.sum--
		}
	case t == Table && a.over > 0:
		a.over--
	case t == Table && a.depth > 0:
		a.depth--
		a.current = a.tables[a.depth]
	case isCell(t) && a.depth > 0 && a.over == 0:
		a.current = a.tables[a.depth-1]
	}
}

// isCell reports whether nothing that is open outside t reaches into it.
func isCell(t Tag) bool { return t == Td || t == Th || t == Caption }
