package lede

import (
	"fmt"
	"strings"

	"github.com/lede-news/lede/dom"
)

// ErrScripts is returned for a page that shows nothing before its scripts have
// run. It is an ErrNoContent.
var ErrScripts = fmt.Errorf("%w: it is empty without its scripts", ErrNoContent)

// needsScripts reports whether a page that shows few words needs its scripts to
// show more: it asks for JavaScript, or the element for its content is empty. For a
// page without an article it is enough that it shows nothing, or asks for
// JavaScript in a <noscript>.
func needsScripts(d *dom.Document, hasArticle bool) bool {
	const (
		few     = 60 // a menu and a footer
		nothing = 10
	)
	words := d.Words(d.Root())
	switch {
	case words >= few, !hasScripts(d):
		return false
	case words < nothing && !hasArticle, asksForScripts(d.AllText()):
		return true
	}
	for n := range dom.Node(d.Len()) {
		if id := d.Attr(n, "id"); id != "" && d.Words(n) <= 3 && isContentID(id) {
			return true
		}
		if d.Tag(n) == dom.Noscript && !hasArticle && asksForScripts(d.Raw(n)) {
			return true
		}
	}
	return false
}

// hasScripts reports whether a page runs code.
func hasScripts(d *dom.Document) bool {
	for n := range d.All(d.Root(), dom.Script) {
		switch strings.ToLower(strings.TrimSpace(d.Attr(n, "type"))) {
		case "", "module", "text/javascript", "application/javascript", "application/x-javascript":
			if d.Attr(n, "src") != "" || strings.TrimSpace(d.Raw(n)) != "" {
				return true
			}
		}
	}
	return false
}

// asksForScripts reports whether a text mentions JavaScript, which has the same
// name in every language.
func asksForScripts(text string) bool {
	return strings.Contains(strings.ToLower(text), "javascript")
}

// isContentID reports whether frameworks give the id to the element that their
// scripts fill.
func isContentID(id string) bool {
	switch strings.ToLower(id) {
	case "root", "app", "main-app", "app-root", "react-root", "react-app", "__next", "__nuxt", "___gatsby", "svelte", "ember-app":
		return true
	}
	return false
}
