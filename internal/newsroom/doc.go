// Package newsroom makes up news sites for tests, demos and load.
//
// A [Newsroom] holds a fixed set of sites, each with its own template, style
// sheet, language and bad habits: a table layout of 2008, a whole-page form,
// hashed class names, a live blog that never closes its paragraphs. Every page
// comes with its [Gold], what an extractor should find on it, in the form of
// the corpora: it is written down while the template runs, so that the gold
// holds what the page shows and nothing else.
//
// All is deterministic: the same seed gives the same bytes on any machine, and
// the clock is never read. A page is made on demand from seed, site and number,
// so that a site has as many pages as are asked for and none is kept in memory.
//
// People, places, papers and firms are invented; hosts end in .example.
package newsroom
