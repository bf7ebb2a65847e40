// Package metadata finds the facts around a story: its headline, who wrote it
// and when, the language, the site, the picture that stands for it.
//
// Pages tell these facts several times over, and not always the same. One walk
// over the page gathers what every source claims: JSON-LD, the meta elements
// (OpenGraph and its many kin), microdata, and what a reader sees near the
// headline. Then each fact is chosen by rules of its own: a visible headline
// counts for more than the title that is made for search engines, while a
// machine-readable date counts for more than a printed one.
//
// The package is pure: it reads a [dom.Document] and nothing else, not even
// the clock.
package metadata
