package markup

import "strings"

// rawToken reads the text of an element whose text is raw, and reports whether
// there was any (13.2.5.2 to 13.2.5.5).
func (p *parser) rawToken() bool {
	start, end := p.pos, len(p.page)
	e := p.raw
	p.raw = nil
	where := inRawtext
	switch {
	case e.traits&script != 0:
		end = p.scriptEnd(start)
	case e.traits&plaintext == 0:
		if e.traits&rcdata != 0 {
			where = inRcdata
		}
		for i := start; ; i++ {
			k := strings.Index(p.page[i:], "</")
			if k < 0 {
				break
			}
			i += k
			if p.endsRaw(i, e.name) {
				end = i
				break
			}
		}
	}
	p.checkTitle(e, end)
	if end == start {
		return false
	}
	p.found(textToken, start, end, end, where)
	return true
}

// endsRaw reports whether the end tag of an element with raw text stands at i.
func (p *parser) endsRaw(i int, name string) bool {
	end := i + len("</") + len(name)
	return end < len(p.page) && p.page[i+1] == '/' && classes[p.page[end]]&endsName != 0 && equalLower(p.page[end-len(name):end], name)
}

// equalLower reports whether s is a name of lower case letters, in any case.
func equalLower(s, name string) bool {
	for i := range len(s) {
		if s[i]|0x20 != name[i] || classes[s[i]]&letter == 0 {
			return false
		}
	}
	return true
}

// scriptEnd finds the end of a script that begins at i (13.2.5.4, 13.2.5.15 to
// 13.2.5.31). A script may hide its end tag in a comment with another script
// in it, for browsers that knew neither.
func (p *parser) scriptEnd(i int) int {
	const name = "script"
	page := p.page
	for {
		k := strings.IndexByte(page[i:], '<')
		if k < 0 {
			return len(page)
		}
		i += k
		switch {
		case p.endsRaw(i, name):
			return i
		case !strings.HasPrefix(page[i:], "<!--"):
			i++
			continue
		}
		var ended bool
		if i, ended = p.scriptComment(i + len("<!")); ended {
			return i
		}
	}
}

// scriptComment reads a comment in a script from its dashes on. It gives the
// end of the script, or the place where the script goes on after the comment.
func (p *parser) scriptComment(i int) (place int, ended bool) {
	const name = "script"
	page, dashes, double := p.page, 0, false
	for i < len(page) {
		c := page[i]
		i++
		switch {
		case c == '-':
			dashes++
			continue
		case c == '>' && dashes >= 2:
			return i, false
		case c == '<' && i < len(page):
			switch end := i + len(name); {
			case page[i] == '/' && p.endsRaw(i-1, name):
				if !double {
					return i - 1, true
				}
				double = false
				i += len("/script>")
			case page[i] == '/' || double:
			case classes[page[i]]&letter == 0:
				return i, false // as in x/net; the standard stays in the comment
			case end < len(page) && classes[page[end]]&endsName != 0 && equalLower(page[i:end], name):
				double = true
				i = end + 1
			}
		}
		dashes = 0
	}
	return len(page), true
}
