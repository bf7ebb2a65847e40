package markup

import "golang.org/x/net/html/atom"

// table is 13.2.6.4.9, "in table". As in x/net, every text token is processed by
// itself; 13.2.6.4.10 would collect them.
func (p *parser) table() bool {
	switch p.tok.kind {
	case textToken:
		p.replaceNULs("")
		k := len(p.stack) - 1
		if k >= 0 && p.stack[k].traits&foster != 0 && p.isBlank(p.tok.text) {
			p.addText(p.tok.text)
			return true
		}
	case startToken:
		if done, known := p.tableStart(); known {
			return done
		}
	case endTagToken:
		switch p.tok.atom {
		case atom.Table:
			if p.close(p.inScope(tableScope, p.elements.table)) {
				p.resetMode()
			}
			return true
		case atom.Template:
			return p.inHead()
		}
		if p.endsPart() {
			return true
		}
	case endToken:
		return p.body()
	}
	// Anything else is moved before the table.
	p.fostering = true
	done := p.body()
	p.fostering = false
	return done
}

// endsPart reports whether the current end tag is one of a part of a table, of the body or
// of the page. Where no rule says otherwise, tables ignore these.
func (p *parser) endsPart() bool {
	return p.tok.element.start == rulePart || p.tok.atom == atom.Body || p.tok.atom == atom.Html
}

// tableStart has the rules for start tags that may be in a table.
func (p *parser) tableStart() (done, known bool) {
	switch p.tok.atom {
	case atom.Caption:
		p.clearTo(tableContext)
		p.addMarker()
		p.addElement()
		p.mode = inCaption
		return true, true
	case atom.Colgroup:
		p.clearTo(tableContext)
		p.addElement()
		p.mode = inColumnGroup
		return true, true
	case atom.Col:
		p.imply(p.elements.colgroup)
		return false, true
	case atom.Tbody, atom.Tfoot, atom.Thead:
		p.clearTo(tableContext)
		p.addElement()
		p.mode = inTableBody
		return true, true
	case atom.Td, atom.Th, atom.Tr:
		p.imply(p.elements.tbody)
		return false, true
	case atom.Table:
		if p.close(p.inScope(tableScope, p.elements.table)) {
			p.resetMode()
			return false, true
		}
		return true, true
	case atom.Style, atom.Script, atom.Template:
		return p.inHead(), true
	case atom.Input:
		if p.isHidden() {
			p.addVoid()
			return true, true
		}
	case atom.Form:
		if !p.inTemplateElement() && p.form == None {
			p.form = p.addElement()
			p.pop()
		}
		return true, true
	}
	return false, false
}

// caption is 13.2.6.4.11, "in caption".
func (p *parser) caption() bool {
	switch p.tok.kind {
	case startToken:
		if p.tok.element.start == rulePart {
			return !p.endCaption()
		}
	case endTagToken:
		switch {
		case p.tok.atom == atom.Caption:
			p.endCaption()
			return true
		case p.tok.atom == atom.Table:
			return !p.endCaption()
		case p.endsPart():
			return true
		}
	}
	return p.body()
}

func (p *parser) endCaption() bool {
	if !p.close(p.inScope(tableScope, p.elements.caption)) {
		return false
	}
	p.clearToMarker()
	p.mode = inTable
	return true
}

// columnGroup is 13.2.6.4.12, "in column group".
func (p *parser) columnGroup() bool {
	switch p.tok.kind {
	case textToken:
		if p.addSpaces() {
			return true
		}
	case startToken:
		switch p.tok.atom {
		case atom.Html:
			return p.body()
		case atom.Col:
			p.addVoid()
			return true
		case atom.Template:
			return p.inHead()
		}
	case endTagToken:
		switch p.tok.atom {
		case atom.Colgroup:
			if p.topAtom() == atom.Colgroup {
				p.pop()
				p.mode = inTable
			}
			return true
		case atom.Col:
			return true
		case atom.Template:
			return p.inHead()
		}
	case endToken:
		return p.body()
	}
	if p.topAtom() != atom.Colgroup {
		return true
	}
	p.pop()
	p.mode = inTable
	return false
}

// tableBody is 13.2.6.4.13, "in table body".
func (p *parser) tableBody() bool {
	switch p.tok.kind {
	case startToken:
		switch p.tok.atom {
		case atom.Tr:
			p.clearTo(sectionContext)
			p.addElement()
			p.mode = inRow
			return true
		case atom.Td, atom.Th:
			p.imply(p.elements.tr)
			return false
		}
		if p.tok.element.start == rulePart {
			return !p.endSection()
		}
	case endTagToken:
		switch p.tok.atom {
		case atom.Tbody, atom.Tfoot, atom.Thead:
			if p.inScope(tableScope, p.tok.element) >= 0 {
				p.clearTo(sectionContext)
				p.pop()
				p.mode = inTable
			}
			return true
		case atom.Table:
			return !p.endSection()
		}
	}
	return p.table()
}

func (p *parser) endSection() bool {
	if !p.close(p.kindInScope(tableScope, section)) {
		return false
	}
	p.mode = inTable
	return true
}

// row is 13.2.6.4.14, "in row".
func (p *parser) row() bool {
	switch p.tok.kind {
	case startToken:
		switch p.tok.atom {
		case atom.Td, atom.Th:
			p.clearTo(rowContext)
			p.addElement()
			p.addMarker()
			p.mode = inCell
			return true
		}
		if p.tok.element.start == rulePart {
			return !p.endRow()
		}
	case endTagToken:
		switch p.tok.atom {
		case atom.Tr:
			p.endRow()
			return true
		case atom.Table:
			return !p.endRow()
		case atom.Tbody, atom.Tfoot, atom.Thead:
			return p.inScope(tableScope, p.tok.element) < 0 || !p.endRow()
		}
	}
	return p.table()
}

func (p *parser) endRow() bool {
	if p.inScope(tableScope, p.elements.tr) < 0 {
		return false
	}
	p.clearTo(rowContext)
	p.pop()
	p.mode = inTableBody
	return true
}

// cell is 13.2.6.4.15, "in cell".
func (p *parser) cell() bool {
	switch p.tok.kind {
	case startToken:
		if p.tok.element.start == rulePart {
			return !p.endCell(p.kindInScope(tableScope, cell))
		}
	case endTagToken:
		switch p.tok.atom {
		case atom.Td, atom.Th:
			p.endCell(p.inScope(tableScope, p.tok.element))
			return true
		case atom.Table, atom.Tbody, atom.Tfoot, atom.Thead, atom.Tr:
			if p.inScope(tableScope, p.tok.element) < 0 {
				return true
			}
			p.endCell(p.kindInScope(tableScope, cell))
			p.mode = inRow
			return false
		}
		if p.endsPart() {
			return true
		}
	}
	return p.body()
}

func (p *parser) endCell(i int) bool {
	if !p.close(i) {
		return false
	}
	p.clearToMarker()
	p.mode = inRow
	return true
}
