package dom

// reach is how far the flattener looks down its stack for what a tag ends: a
// stray tag must not cost a walk through a million open elements.
const reach = 256

// closeTo ends the nearest open element that match takes, and all inside it,
// unless stop takes one of those that stand in between.
func (f *flattener) closeTo(match func(*opened) bool, stop func(Tag) bool) {
	for i := len(f.stack) - 1; i >= max(0, len(f.stack)-reach); i-- {
		o := &f.stack[i]
		if match(o) {
			for len(f.stack) > i {
				f.pop()
			}
			return
		}
		if stop(o.tag) {
			return
		}
	}
}

// closeImplied ends what the next tag ends without saying so.
func (f *flattener) closeImplied(tag Tag) {
	switch tag {
	case Li:
		f.closeAny(endsItem, Li)
	case Dt, Dd:
		f.closeAny(endsItem, Dt, Dd)
	case A, Nobr, Option:
		f.closeAny(isScope, tag)
	case Td, Th:
		f.closeAny(isTable, Td, Th, Caption)
	case Tr:
		f.closeAny(isTable, Tr, Caption)
	case Tbody, Thead, Tfoot:
		f.closeAny(isTable, Tbody, Thead, Tfoot, Caption)
	}
	if tag.is(block) && tag != Br {
		f.closeAny(isScope, P)
	}
	if top := len(f.stack) - 1; tag.IsHeading() && top >= 0 && f.stack[top].tag.IsHeading() {
		f.pop()
	}
}

func (f *flattener) closeAny(stop func(Tag) bool, ts ...Tag) {
	open := 0
	for _, t := range ts {
		open += f.open[t]
	}
	if open == 0 {
		return
	}
	f.closeTo(func(o *opened) bool {
		for _, t := range ts {
			if o.tag == t {
				return true
			}
		}
		return false
	}, stop)
}

// leaveDrawing ends the drawing or formula that something else begins in.
func (f *flattener) leaveDrawing() {
	for f.open[SVG]+f.open[Math] > 0 {
		f.pop()
	}
}

func (f *flattener) end() {
	rawTag := f.tok.Raw()
	name, _ := f.tok.TagName()
	tag, _ := tagAt(name)
	switch {
	case tag == HTML || tag == Body:
		// What comes after still belongs to the page.
	case tag == Unknown:
		s := string(name)
		f.closeTo(func(o *opened) bool { return o.tag == Unknown && o.name == s }, Tag.IsBlock)
	case f.skipped[tag] > 0:
		f.skipped[tag]--
	case f.open[tag] > 0:
		f.closeAny(f.stopFor(tag), tag)
	case tag.is(raw) || tag.is(void) || tag == Head:
		f.out.Write(rawTag)
	}
}

// stopFor is what an end tag does not reach beyond.
func (f *flattener) stopFor(tag Tag) func(Tag) bool {
	switch {
	case tag == Table:
		return func(Tag) bool { return false }
	case tag.is(scope) || tag == Tr || tag == Tbody || tag == Thead || tag == Tfoot:
		return isTable
	case tag.is(block) || tag.is(active):
		return isScope
	}
	return Tag.IsBlock
}

func isTable(t Tag) bool { return t == Table }

func isScope(t Tag) bool { return t.is(scope) || t == Table || t == Button }

// endsItem reports whether a list item inside t belongs to a list inside t.
func endsItem(t Tag) bool {
	return t.is(block) && t != Div && t != P && t != Address || isScope(t)
}
