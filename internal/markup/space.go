package markup

// skipText takes the white space off the beginning of a text token, and reports
// whether nothing is left of it.
func (p *parser) skipText() bool {
	p.tok.data = p.tok.data[spaces(p.tok.data):]
	return p.tok.data == ""
}

// addSpaces adds the white space at the beginning of a text token, and reports
// whether nothing is left of it.
func (p *parser) addSpaces() bool {
	n := spaces(p.tok.data)
	if n == 0 {
		return false
	}
	p.addText(p.tok.data[:n])
	p.tok.data = p.tok.data[n:]
	return p.tok.data == ""
}

// spaces is how much white space a text begins with.
func spaces(s string) int {
	i := 0
	for i < len(s) && classes[s[i]]&space != 0 {
		i++
	}
	return i
}

// onlySpaces leaves out all that is no white space.
func (p *parser) onlySpaces() string {
	s := p.tok.data
	if spaces(s) == len(s) {
		return s
	}
	mark := p.slabs.beginText(len(s))
	for i := range len(s) {
		if classes[s[i]]&space != 0 {
			p.slabs.text.WriteByte(s[i])
		}
	}
	return p.slabs.endText(mark)
}
