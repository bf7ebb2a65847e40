package blend

import (
	"context"

	"github.com/lede-news/lede/method"
	"github.com/lede-news/lede/method/blend/blocks"
	"github.com/lede-news/lede/method/coreex"
	"github.com/lede-news/lede/method/nce"
)

// Ask has the published methods choose. One that finds nothing gives no signal.
// TWCEM is not asked: what it says is in the likeness to the title, and it would
// cost as much as all the trees (see MODEL.md).
func Ask(ctx context.Context, p *method.Page) blocks.Signals {
	brief := *p
	brief.Brief, brief.TextOnly = true, true
	ask := func(m method.Method) []bool {
		s, err := m.Select(ctx, &brief)
		if err != nil || s == nil {
			return nil
		}
		return s.Mask(p.Doc)
	}
	return blocks.Signals{NCE: ask(nce.New(nce.Default())), CoreEx: ask(coreex.New(coreex.Default()))}
}
