package measure

import (
	"slices"
)

// Structure is what an extractor returns besides a plain text.
type Structure struct {
	Blocks     []Block
	Lead       string // address of the lead picture
	Standfirst string
}

// Block is a part of a body.
type Block struct {
	Kind  string   `json:"kind"` // heading, paragraph, list, quote, picture, …
	Text  string   `json:"text,omitempty"`
	Items []string `json:"items,omitempty"` // of a list or table, instead of Text
	URL   string   `json:"url,omitempty"`   // of a picture
}

// The kinds of blocks that measures distinguish.
const (
	headingBlock = "heading"
	pictureBlock = "picture"
)

// structured is a page with a gold structure, its texts reduced to their letters.
type structured struct {
	headings, texts, summary []string
	pictures                 []picture
	cover                    picture // nil if there is none
}

// goldStructure returns the structure of the gold, or nil if it has none.
func (p *Page) goldStructure() *structured {
	if p.Gold.Sections == nil || p.structure != nil {
		return p.structure
	}
	s := &structured{summary: allLetters(p.Gold.Summary)}
	var paragraphs []string
	for _, section := range p.Gold.Sections {
		s.headings = append(s.headings, allLetters(section.Headline)...)
		paragraphs = append(paragraphs, allLetters(section.Paragraphs)...)
	}
	s.texts = slices.Concat(s.headings, paragraphs)
	for _, pic := range p.Gold.Pictures {
		names := picture{}
		for _, address := range pic.URLs {
			names.add(address)
		}
		s.pictures = append(s.pictures, names)
		if pic.Cover && s.cover == nil {
			s.cover = names
		}
	}
	p.structure = s
	return s
}

// allLetters returns the letters of texts, without empty ones.
func allLetters(texts []string) []string {
	var all []string
	for _, t := range texts {
		if l := Letters(t); l != "" {
			all = append(all, l)
		}
	}
	return all
}

// foundTexts returns the letters of all blocks of text.
func (c *Case) foundTexts() []string {
	var all []string
	for _, b := range c.Out.Structure.Blocks {
		if len(b.Items) > 0 {
			all = append(all, allLetters(b.Items)...)
		} else {
			all = append(all, allLetters([]string{b.Text})...)
		}
	}
	return all
}

// structures returns a measure of pages whose gold and output have a structure.
func structures(m Measure, page func(*Case, *structured) []float64) Measure {
	m.Page = func(c *Case) []float64 {
		gold := c.goldStructure()
		if gold == nil || c.Out.Structure == nil {
			return nil
		}
		return page(c, gold)
	}
	return m
}

// headings compares the sub-headings, over all pages.
func headings() Measure {
	return structures(Measure{
		Name: "headings", About: "sub-headings that are headings, over those of all pages",
		Figures: []string{"P", "R", "F1"}, Main: 2, Total: countsPRF,
	}, func(c *Case, gold *structured) []float64 {
		var found []string
		for _, b := range c.Out.Structure.Blocks {
			if b.Kind == headingBlock {
				found = append(found, allLetters([]string{b.Text})...)
			}
		}
		return same(found, gold.headings)
	})
}

// blocks compares paragraphs and sub-headings as a whole, so that boundaries
// count as well as purity. The summary may be in the body or apart.
func blocks() Measure {
	return structures(Measure{
		Name: "blocks", About: "blocks of text that equal a paragraph or sub-heading, over those of all pages",
		Figures: []string{"P", "R", "F1"}, Main: 2, Total: countsPRF,
	}, func(c *Case, gold *structured) []float64 {
		body := slices.DeleteFunc(c.foundTexts(), func(t string) bool { return slices.Contains(gold.summary, t) })
		return same(body, gold.texts)
	})
}

// standfirst is the share of summaries that are the standfirst or the first block.
func standfirst() Measure {
	return structures(Measure{
		Name: "standfirst", About: "share of the summaries that are the standfirst or the first block",
		Figures: []string{"found"}, Total: means,
	}, func(c *Case, gold *structured) []float64 {
		if len(gold.summary) == 0 {
			return nil
		}
		s, texts := Letters(c.Out.Structure.Standfirst), c.foundTexts()
		whole := ""
		for _, t := range gold.summary {
			whole += t
		}
		return []float64{indicator(s == gold.summary[0] || s == whole || len(texts) > 0 && texts[0] == gold.summary[0]), 1}
	})
}

// pictures compares the pictures of the lead and the body, over all pages.
func pictures() Measure {
	return structures(Measure{
		Name: "pictures", About: "pictures of lead and body, each once, over those of all pages",
		Figures: []string{"P", "R", "F1"}, Main: 2, Total: countsPRF,
	}, func(c *Case, gold *structured) []float64 {
		if len(gold.pictures) == 0 {
			return nil
		}
		found := c.foundPictures()
		right, hit := countLike(found, gold.pictures), countLike(gold.pictures, found)
		return []float64{float64(min(right, hit)), float64(len(found)), float64(len(gold.pictures))}
	})
}

// countLike returns how many of the pictures are like one of the others.
func countLike(pictures, others []picture) (n int) {
	for _, p := range pictures {
		if slices.ContainsFunc(others, p.like) {
			n++
		}
	}
	return n
}

// foundPictures returns the pictures of an output, the lead first, each once.
func (c *Case) foundPictures() []picture {
	all := c.bodyPictures()
	if lead := c.Out.Structure.Lead; lead != "" {
		all = slices.Insert(all, 0, newPicture(lead))
	}
	var once []picture
	for _, p := range all {
		if !slices.ContainsFunc(once, p.like) {
			once = append(once, p)
		}
	}
	return once
}

func (c *Case) bodyPictures() []picture {
	var all []picture
	for _, b := range c.Out.Structure.Blocks {
		if b.Kind == pictureBlock && b.URL != "" {
			all = append(all, newPicture(b.URL))
		}
	}
	return all
}

// once is the share of pages on which no picture is in the body twice.
func once() Measure {
	return structures(Measure{
		Name: "once", About: "share of pages on which no picture is in the body twice",
		Figures: []string{"pages"}, Total: means,
	}, func(c *Case, gold *structured) []float64 {
		all := c.bodyPictures()
		twice := false
		for i, p := range all {
			twice = twice || slices.ContainsFunc(all[:i], p.like)
		}
		return []float64{indicator(!twice || len(gold.pictures) == 0), 1}
	})
}

// lead is the share of cover pictures that are the lead.
func lead() Measure {
	return structures(Measure{
		Name: "lead", About: "share of the cover pictures that are the lead",
		Figures: []string{"found"}, Total: means,
	}, func(c *Case, gold *structured) []float64 {
		if gold.cover == nil {
			return nil
		}
		l := c.Out.Structure.Lead
		return []float64{indicator(l != "" && newPicture(l).like(gold.cover)), 1}
	})
}

// authors compares the names of authors, over all pages. Unlike author it counts
// names that are no authors, and a name must be exact.
func authors() Measure {
	return Measure{
		Name: "authors", About: "exact names of authors, over those of all pages",
		Figures: []string{"P", "R", "F1"}, Main: 2, Total: countsPRF,
		Page: func(c *Case) []float64 {
			if len(c.Gold.Authors) == 0 {
				return nil
			}
			found, gold := make([]string, len(c.Out.Authors)), make([]string, len(c.Gold.Authors))
			for i, name := range c.Out.Authors {
				found[i] = Letters(name)
			}
			for i, name := range c.Gold.Authors {
				gold[i] = Letters(name)
			}
			return same(found, gold)
		},
	}
}

// same returns how many of the found texts are in the gold, each text of the gold
// counting once, and the numbers of texts.
func same(found, gold []string) []float64 {
	left := map[string]int{}
	for _, t := range gold {
		left[t]++
	}
	right := 0
	for _, t := range found {
		if left[t] > 0 {
			left[t]--
			right++
		}
	}
	return []float64{float64(right), float64(len(found)), float64(len(gold))}
}

// countsPRF returns precision, recall and F1 for the sums of what is right, of
// what was found and of what is in the gold. Precision is 1 if nothing was found,
// recall if there is nothing to find.
func countsPRF(s []float64) []float64 {
	p, r := 1.0, 1.0
	if s[1] > 0 {
		p = s[0] / s[1]
	}
	if s[2] > 0 {
		r = s[0] / s[2]
	}
	return []float64{p, r, harmonic(p, r)}
}
