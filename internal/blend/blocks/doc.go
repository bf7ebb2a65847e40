// Package blocks reads a page the way the default method sees it: as a row of
// blocks of text, each with some hundred numbers that tell what it looks like,
// where it stands and what stands around it. What those numbers mean is learned
// from pages with gold; see package learn/story.
package blocks
