package blocks

import (
	"strings"

	"github.com/lede-news/lede/dom"
)

// EachKind calls do with the place of every word by which a page tells what
// kind of page it is: the names of its body, the words of its address and title,
// the types of JSON-LD and OpenGraph.
func EachKind(d *dom.Document, url string, do func(place uint32)) {
	say := func(salt uint32) func(uint32) {
		return func(p uint32) { do(place(p*step + salt)) }
	}
	const ofBody, ofPath, ofType, ofMeta, ofTitle = 1, 2, 3, 4, 5
	for _, tag := range [...]dom.Tag{dom.HTML, dom.Body} {
		if n := d.First(tag); n != dom.None {
			eachName(d.AttrOr(n, "class"), say(ofBody))
			eachName(d.AttrOr(n, "id"), say(ofBody))
		}
	}
	eachName(pathOf(url), say(ofPath))
	if n := d.First(dom.Title); n != dom.None {
		w := words{text: d.Raw(n)}
		for range most {
			h, ok := w.next()
			if !ok {
				break
			}
			do(place(h*step + ofTitle))
		}
	}
	for n := range d.All(0, dom.Meta) {
		switch key := d.AttrOr(n, "property"); {
		case key == "":
			if name := d.AttrOr(n, "name"); len(name) < 40 {
				eachName(name, say(ofMeta))
			}
		case key == "og:type":
			eachName(d.AttrOr(n, "content"), say(ofType))
		case strings.HasPrefix(key, "article:"), strings.HasPrefix(key, "product:"):
			eachName(key, say(ofMeta))
		}
	}
	for n := range d.All(0, dom.Script) {
		if strings.EqualFold(d.AttrOr(n, "type"), "application/ld+json") {
			eachType(d.Raw(n), say(ofType))
		}
	}
}

// eachType goes through the types that stand in JSON-LD. It need not parse it:
// what is asked is whether the words are there.
func eachType(json string, do func(place uint32)) {
	const most = 24
	for range most {
		_, rest, ok := strings.Cut(json, `"@type"`)
		if !ok {
			return
		}
		json = rest
		_, rest, ok = strings.Cut(rest, `"`)
		if !ok {
			return
		}
		name, _, _ := strings.Cut(rest, `"`)
		h := uint32(seed)
		for i := range min(len(name), 40) {
			h = (h ^ uint32(name[i]|0x20)) * step
		}
		do(place(h))
	}
}
