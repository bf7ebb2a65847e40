package stadynot

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/lede-news/lede/dom"
)

// dynamic marks the least common ancestors of links that hold hardly anything
// but links (section 3.2), the smallest first.
func (r *run) dynamic() {
	for _, c := range candidates(r.doc) {
		if !mayBeNoise(r.doc.Tag(c.node)) {
			continue
		}
		text, links := r.left(c.node)
		switch fraction := linkFraction(text, links); {
		case c.closest && text-links < r.cfg.Alpha:
			r.noise(c.node, fraction, fmt.Sprintf("dynamic noise: %d characters outside links", max(text-links, 0)))
		case c.closest && fraction > r.cfg.Beta && !r.holds(c.node, r.cfg.Home):
			r.noise(c.node, fraction, fmt.Sprintf("dynamic noise: %.0f %% links", math.Floor(100*fraction)))
		case r.cfg.List > 0 && r.isList(c.node, text):
			r.noise(c.node, fraction, "dynamic noise: a list with a link in every item")
		}
	}
}

func linkFraction(text, links int) float64 { return float64(links) / float64(max(text, 1)) }

// mayBeNoise leaves out <p>, as the paper does, and what the whole page stands in.
func mayBeNoise(t dom.Tag) bool {
	return t != dom.P && t != dom.Body && t != dom.HTML && t != dom.Root
}

// candidate is the least common ancestor of two links that follow each other.
type candidate struct {
	node    dom.Node
	closest bool // for one of the two there is no closer one
}

// candidates come in order of their text, an inner one before that around it.
func candidates(d *dom.Document) []candidate {
	var all []candidate
	link, before := dom.None, dom.None // the link before, and what it shares with the one before that
	for next := range d.All(d.Root(), dom.A) {
		if !d.InLink(next) || d.Hidden(next) {
			continue
		}
		if link != dom.None {
			shared := d.CommonAncestor(link, next)
			all = append(all, candidate{shared, false}, candidate{max(before, shared), true})
			before = shared
		}
		link = next
	}
	if before != dom.None {
		all = append(all, candidate{before, true})
	}
	slices.SortFunc(all, func(a, b candidate) int {
		return cmp.Or(d.Chars(a.node)-d.Chars(b.node), int(b.node-a.node), -compare(a.closest, b.closest))
	})
	return slices.CompactFunc(all, func(a, b candidate) bool { return a.node == b.node })
}

func compare(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return 1
	}
	return -1
}

// isList reports whether the text of n stands in items of one make, each with
// a link and none with more than half of it: teasers or readers' comments,
// whose text may be longer than their links.
func (r *run) isList(n dom.Node, all int) bool {
	const most, half = 0.8, 0.5
	d := r.doc
	items, inside, longest := 0, 0, 0
	first := dom.None
	for k := range d.Children(n) {
		text, links := r.left(k)
		if links == 0 || !mayBeNoise(d.Tag(k)) || isInline(d.Tag(k)) {
			continue
		}
		if first == dom.None {
			first = k
		}
		if d.Tag(k) == d.Tag(first) && d.AttrOr(k, "class") == d.AttrOr(first, "class") {
			items++
			inside += text
			longest = max(longest, text-links)
		}
	}
	return items >= r.cfg.List && float64(inside) >= most*float64(all) && float64(longest) <= half*float64(inside)
}
