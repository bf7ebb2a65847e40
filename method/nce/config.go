package nce

import "strconv"

// Config holds the paper's two families of parameters, α and β, as far as the
// three phases use them. Sizes are in characters where the paper measures text
// and in words where it measures bags.
type Config struct {
	Alpha1 int     `param:"a1" about:"Phase 1: least characters of the separator node"`
	Alpha2 int     `param:"a2" about:"Phase 1: least characters of a sibling that speaks against a separator node"`
	Alpha3 int     `param:"a3" about:"Phase 1: least characters of the leaf that the search begins at"`
	Alpha5 int     `param:"a5" about:"Phase 2: least words of a comment marker"`
	Alpha6 int     `param:"a6" about:"Phase 2: most words of a comment marker"`
	Alpha7 int     `param:"a7" about:"Phase 2: most nodes from one comment marker to the next"`
	Alpha8 int     `param:"a8" about:"Phase 3: least words of a title"`
	Alpha9 int     `param:"a9" about:"Phase 3: most words of a title"`
	Beta1  float64 `param:"b1" about:"Phase 1: link density from which on a sibling does not count"`
	Beta2  float64 `param:"b2" about:"Phase 2: least likeness of two comment markers, 0 to 1"`
	Beta3  float64 `param:"b3" about:"Phase 3: least share of a title's words that are in the body"`
	Beta4  float64 `param:"b4" about:"Phase 1: highest link density of a child of the separator node that is kept"`
}

// Default is what the search found.
func Default() Config {
	return Config{
		Alpha1: 400, Alpha2: 100, Alpha3: 80,
		Alpha5: 3, Alpha6: 15, Alpha7: 60,
		Alpha8: 3, Alpha9: 25,
		Beta1: 0.4, Beta2: 0.8, Beta3: 0.5, Beta4: 0.4,
	}
}

// phrases are the reasons, spelled once.
type phrases struct{ few, many, title string }

func (c Config) phrases() phrases {
	num := func(x float64) string { return strconv.FormatFloat(x, 'g', 3, 64) }
	return phrases{
		few:   "child of the separator node, link density at most " + num(c.Beta4),
		many:  "child of the separator node, link density above " + num(c.Beta4),
		title: "title: a share of at least " + num(c.Beta3) + " of its words is in the body",
	}
}
