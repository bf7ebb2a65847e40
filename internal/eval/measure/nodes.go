package measure

// node and nodeText are the measures of CoreEx (section 3.3): precision and
// recall over the text nodes of a page that were extracted and that should have
// been; the second weighs each node by its words, since a node with most of the
// story matters more than two with little text.
//
// The formulas are sums over sets of nodes, and the paper has one set for the
// whole experiment: the nodes "marked as the correct answer in the gold set".
// So the sums run over the nodes of all pages, long pages weigh more than short
// ones, and F1 is that of the two sums, as in the paper's table 1.
//
// Extractors give text, and so does the gold. Which nodes the text is made of is
// found by Align, for all in the same way. Pages that do not show the gold's
// story, and those that cannot be parsed, do not count.
func node() Measure {
	return Measure{
		Name: "node", About: "text nodes, over the nodes of all pages (CoreEx)",
		Figures: []string{"P", "R", "F1"}, Main: 2,
		Page:  func(c *Case) []float64 { return c.nodeSums(func(int32) float64 { return 1 }) },
		Total: totals,
	}
}

// nodeText weighs by words; see node.
func nodeText() Measure {
	return Measure{
		Name: "nodetext", About: "text nodes weighed by their words, over the nodes of all pages (CoreEx)",
		Figures: []string{"P", "R", "F1"}, Main: 2,
		Page:  func(c *Case) []float64 { return c.nodeSums(func(words int32) float64 { return float64(words) }) },
		Total: totals,
	}
}

// nodeSums are the weights of the nodes that were extracted rightly, of all that
// were extracted, and of all that should have been.
func (c *Case) nodeSums(weight func(words int32) float64) []float64 {
	if c.Gold.Text == "" || c.Doc == nil {
		return nil
	}
	gold, out, at := c.goldNodes(), c.outNodes(), c.pageWords().at
	sums := make([]float64, 3)
	for n := range gold {
		if !gold[n] && !out[n] {
			continue
		}
		w := weight(at[n+1] - at[n])
		if gold[n] {
			sums[2] += w
		}
		if out[n] {
			sums[1] += w
		}
		if gold[n] && out[n] {
			sums[0] += w
		}
	}
	if sums[2] == 0 {
		return nil
	}
	return sums
}
