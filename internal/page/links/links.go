// Package links reads the links of a page: where they lead, and what they say.
//
// [Read] lists the links of a page, [Key] compares addresses, and [Texts] finds the
// text of the link that leads to a story, from index pages and from files of
// addresses with texts.
package links

import (
	"strings"

	"github.com/lede-news/lede/dom"
	"github.com/lede-news/lede/internal/page/steps"
	"github.com/lede-news/lede/internal/words"
)

// Link is a link of a page.
type Link struct {
	// URL is the absolute address, without its fragment. Other than that it is as
	// the page has it, with all parameters.
	URL string
	// Text is what the link says, in one line: the heading inside it, or else its
	// visible text, or else the description of its picture, or else its label
	// (aria-label or title). It may be empty.
	Text string
	// Node is the element that has the text.
	Node dom.Node

	rank rank
}

// Read returns the links of a page at an address, which may be empty, in the order
// of the page: those that a reader sees and that lead to another page over HTTP.
//
// Links to the same page, by Key, are one: it has the place and the address of the
// first, and the text that says most about the page: that of a heading, or else the
// longest visible one that may be a headline, or else the longest description of a
// picture. Single words, and texts that lead to several addresses, such as "Read
// more", are used only if there is no other. If the URLs together are many times
// longer than the page, the rest is left out.
func Read(d *dom.Document, address string) []Link {
	base, room := Base(d, address), steps.Output(d.Size())
	self := Key(address)
	var found []Link
	var keys []string
	for n := range dom.Node(d.Len()) {
		if d.Tag(n) != dom.A || d.Hidden(n) {
			continue
		}
		to := ResolveWeb(base, d.Attr(n, "href"))
		key := Key(to)
		if key == "" || key == self {
			continue
		}
		if !room.Write(len(to)) {
			break
		}
		to, _, _ = strings.Cut(to, "#")
		text, r := textOf(d, n)
		found = append(found, Link{URL: to, Text: text, Node: n, rank: r})
		keys = append(keys, key)
	}
	demoteRepeated(found, keys)
	return merge(found, keys)
}

// merge unites the links with the same key.
func merge(found []Link, keys []string) []Link {
	first := make(map[string]int, len(found))
	merged := found[:0]
	for i, l := range found {
		at, ok := first[keys[i]]
		if !ok {
			first[keys[i]] = len(merged)
			merged = append(merged, l)
			continue
		}
		if m := &merged[at]; l.rank.better(l.Text, m.rank, m.Text) {
			m.Text, m.Node, m.rank = l.Text, l.Node, l.rank
		}
	}
	for i := range merged {
		merged[i].Text = strings.Clone(merged[i].Text) // so that it does not keep the page in memory
	}
	return merged
}

// demoteRepeated lowers the rank of texts that lead to several addresses, such as
// "Read more" and "12 comments" in any language. In short texts digits make no
// difference. A longer one may be the headline of two stories, but not of many.
func demoteRepeated(found []Link, keys []string) {
	const few = 3
	type pair struct{ text, key string }
	texts := make([]string, len(found))
	seen := make(map[pair]bool, len(found))
	addresses := make(map[string]int, len(found)) // of a text
	for i, l := range found {
		if texts[i] = words.Phrase(l.Text); width(texts[i]) > maxCount {
			texts[i] = l.Text
		}
		if p := (pair{texts[i], keys[i]}); !seen[p] {
			seen[p] = true
			addresses[p.text]++
		}
	}
	for i, text := range texts {
		if n := addresses[text]; n > few || n > 1 && width(text) <= maxCount {
			found[i].rank = stock
		}
	}
}

// textOf returns the text of a link and its rank.
func textOf(d *dom.Document, n dom.Node) (string, rank) {
	if h := headingIn(d, n); h != dom.None {
		text := oneLine(d.Text(h))
		return text, rankOf(text, heading)
	}
	if text := oneLine(d.Text(n)); hasWord(text) {
		if d.Closest(n, dom.H1, dom.H2, dom.H3, dom.H4, dom.H5, dom.H6) != dom.None {
			return text, rankOf(text, heading)
		}
		return text, rankOf(text, headline)
	}
	for in := n; in < d.End(n); in++ {
		if t := d.Tag(in); t == dom.Img || d.Name(in) == "amp-img" {
			if alt := oneLine(d.Attr(in, "alt")); hasWord(alt) {
				return alt, rankOf(alt, picture)
			}
		}
	}
	for _, key := range [...]string{"aria-label", "title"} {
		if label := oneLine(d.Attr(n, key)); hasWord(label) {
			return label, rankOf(label, picture)
		}
	}
	return "", stock
}

// headingIn returns the first visible heading inside a link, or None.
func headingIn(d *dom.Document, n dom.Node) dom.Node {
	for in := n + 1; in < d.End(n); in++ {
		if d.Tag(in).IsHeading() && hasWord(d.Text(in)) {
			return in
		}
	}
	return dom.None
}

func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }
