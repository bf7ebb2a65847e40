package blend

import (
	"context"

	"github.com/lede-news/lede/internal/blend/blocks"
	"github.com/lede-news/lede/internal/coreex"
	"github.com/lede-news/lede/internal/nce"
	"github.com/lede-news/lede/method"
)

// published are the published methods that are asked. TWCEM is not: what it says is
// in the likeness to the title, and it would cost as much as all the trees (see
// MODEL.md).
type published struct {
	nce    *nce.NCE
	coreex *coreex.CoreEx
}

func publish() published {
	return published{nce.New(nce.Default()), coreex.New(coreex.Default())}
}

// Ask has the published methods choose. One that finds nothing gives no signal.
func Ask(ctx context.Context, p *method.Page) blocks.Signals { return publish().ask(ctx, p) }

func (a published) ask(ctx context.Context, p *method.Page) blocks.Signals {
	brief := *p
	brief.Brief, brief.TextOnly = true, true
	mask := func(m method.Method) []bool {
		s, err := m.Select(ctx, &brief)
		if err != nil || s == nil {
			return nil
		}
		return s.Mask(p.Doc)
	}
	return blocks.Signals{NCE: mask(a.nce), CoreEx: mask(a.coreex)}
}
