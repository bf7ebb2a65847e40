package browser

import (
	"strings"

	"golang.org/x/net/html"
)

// rules say which attributes of a page Chromium gets to see: those that style
// sheets ask for and that give an element its size, but none that does
// something.
type rules struct{ network bool }

// longest is what a value may have in bytes. Longer ones are data for scripts;
// no style sheet asks for them.
const longest = 1 << 10

// attributes are the names and values of n that are handed over, in turn.
func (r rules) attributes(n *html.Node) []string {
	var list []string
	for i := range n.Attr {
		a := &n.Attr[i]
		key, val := a.Key, a.Val
		if a.Namespace != "" || r.acts(n.Data, key) {
			continue
		}
		if len(val) > longest && key != "style" && key != "class" && !r.loads(n.Data, key) {
			val = ""
		}
		list = append(list, key, strings.ToValidUTF8(val, "\uFFFD"))
	}
	if n.Data == "template" && shadow(n) {
		// Browsers put what is in it into the place where it stands.
		list = append(list, "style", "display:contents")
	}
	return list
}

// acts reports whether an attribute would do something: run a script, ask for a
// file, open a page, take the focus.
func (r rules) acts(element, key string) bool {
	switch key {
	case "src", "srcset", "href", "background", "sizes", "alt", "imagesrcset":
		return !r.keeps(element, key)
	case "srcdoc", "data", "poster", "codebase", "classid", "manifest", "ping", "autofocus", "autoplay", "http-equiv", "nonce", "integrity":
		return true
	}
	return strings.HasPrefix(key, "on")
}

// keeps decides over addresses.
func (r rules) keeps(element, key string) bool {
	switch {
	case key == "href":
		return element != "link" || r.network // of links, areas and <base>, which only name something
	case element == "img" || element == "source":
		// Without network there is no picture, and the words that stand for it
		// would take its room.
		return r.network
	case key == "src" || key == "srcset" || key == "imagesrcset":
		return false // frames, players and scripts do not load at all
	case key == "background":
		return r.network
	}
	return true
}

// loads reports whether a value is an address that will be loaded.
func (r rules) loads(element, key string) bool {
	return r.network && (key == "src" || key == "srcset" || key == "href")
}

func shadow(n *html.Node) bool {
	for i := range n.Attr {
		if k := n.Attr[i].Key; k == "shadowrootmode" || k == "shadowroot" {
			return true
		}
	}
	return false
}
