package blend

import "github.com/lede-news/lede/dom"

// headline finds the heading of the story: the one before its end that is most
// like the page's <title>, the higher rank first; without a <title> to compare,
// the first <h1>.
func (c *choice) headline() dom.Node {
	d := c.page
	const enough = 0.4
	body := c.begin()
	best, most := dom.None, float32(enough)
	first := dom.None // <h1> with something to say
	for i := range c.Blocks {
		b := &c.Blocks[i]
		if b.First >= d.End(c.home) {
			break
		}
		tag := d.Tag(b.Owner)
		if !tag.IsHeading() {
			continue
		}
		if tag == dom.H1 && first == dom.None && b.Words() > 2 {
			first = b.Owner
		}
		score := c.LikeTitle(i)
		if !c.Titled() {
			score = 0.5 - 0.1*float32(tag-dom.H1)
		} else {
			score -= 0.05 * float32(tag-dom.H1)
			if b.First > body {
				score -= 0.3
			}
		}
		if score > most || score == most && best == dom.None {
			best, most = b.Owner, score
		}
	}
	if best == dom.None {
		return first
	}
	return best
}

// begin is where the story does.
func (c *choice) begin() dom.Node {
	for i, kept := range c.kept {
		if kept {
			return c.Blocks[i].First
		}
	}
	return c.home
}
