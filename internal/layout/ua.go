package layout

import (
	_ "embed"

	"github.com/lede-news/lede/dom"
	"github.com/lede-news/lede/method"
)

//go:embed ua.css
var uaSheet string

// ua is the browser's own style sheet by tag. It is read only.
var ua = readUA()

func readUA() (byTag [dom.Xmp + 1][]declaration) {
	s := newSheet(method.Screen{}, nil)
	s.add(uaSheet)
	for _, sel := range s.list {
		tag, r := s.tests[sel.from].name, s.rules[sel.rule]
		byTag[tag] = append(byTag[tag], s.decls[r.from:r.to]...)
	}
	return byTag
}
