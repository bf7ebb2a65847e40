package markup

import "golang.org/x/net/html/atom"

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
			p.imply(elementTr)
			return false
		case atom.Caption, atom.Col, atom.Colgroup, atom.Tbody, atom.Tfoot, atom.Thead:
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
		case atom.Body, atom.Caption, atom.Col, atom.Colgroup, atom.Html, atom.Td, atom.Th, atom.Tr:
			return true
		}
	case commentToken:
		p.place(p.commentNode())
		return true
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
		case atom.Caption, atom.Col, atom.Colgroup, atom.Tbody, atom.Tfoot, atom.Thead, atom.Tr:
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
		case atom.Body, atom.Caption, atom.Col, atom.Colgroup, atom.Html, atom.Td, atom.Th:
			return true
		}
	}
	return p.table()
}

func (p *parser) endRow() bool {
	if p.inScope(tableScope, elementTr) < 0 {
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
		switch p.tok.atom {
		case atom.Caption, atom.Col, atom.Colgroup, atom.Tbody, atom.Td, atom.Tfoot, atom.Th, atom.Thead, atom.Tr:
			if !p.close(p.kindInScope(tableScope, cell)) {
				return true
			}
			p.clearToMarker()
			p.mode = inRow
			return false
		}
	case endTagToken:
		switch p.tok.atom {
		case atom.Td, atom.Th:
			if p.close(p.inScope(tableScope, p.tok.element)) {
				p.clearToMarker()
				p.mode = inRow
			}
			return true
		case atom.Body, atom.Caption, atom.Col, atom.Colgroup, atom.Html:
			return true
		case atom.Table, atom.Tbody, atom.Tfoot, atom.Thead, atom.Tr:
			if p.inScope(tableScope, p.tok.element) < 0 {
				return true
			}
			if p.close(p.kindInScope(tableScope, cell)) {
				p.clearToMarker()
			}
			p.mode = inRow
			return false
		}
	}
	return p.body()
}
