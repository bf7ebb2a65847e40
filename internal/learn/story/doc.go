// Package story trains the default method: it aligns the gold of corpora with
// the blocks of their pages, learns what words in names and openings tell, and
// grows the trees that weigh the blocks. Everything is split by site, so that
// no page is judged by what was learned from its own site.
package story
