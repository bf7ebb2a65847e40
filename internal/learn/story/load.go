package story

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"sync"

	"github.com/lede-news/lede/internal/blend/blocks"
	"github.com/lede-news/lede/internal/eval/corpus"
)

// LoadAll loads the pages of a corpus that have a gold text, on all cores, and
// beside each the part of it around its story.
func LoadAll(ctx context.Context, c *corpus.Corpus, progress func(what string, done, total int)) ([]*Example, error) {
	var gold []*corpus.Gold
	for i := range c.Gold {
		if strings.TrimSpace(c.Gold[i].Text) != "" {
			gold = append(gold, &c.Gold[i])
		}
	}
	out, parts := make([]*Example, len(gold)), make([]*Example, len(gold))
	errs := make([]error, len(gold))
	var wg sync.WaitGroup
	var mu sync.Mutex
	next, done := 0, 0
	for range runtime.GOMAXPROCS(0) {
		wg.Go(func() {
			for {
				mu.Lock()
				i := next
				next++
				mu.Unlock()
				if i >= len(gold) || ctx.Err() != nil {
					return
				}
				if out[i], errs[i] = Load(ctx, c, gold[i]); errs[i] == nil {
					parts[i] = out[i].fragment(ctx)
				}
				mu.Lock()
				done++
				progress("pages of "+c.Name, done, len(gold))
				mu.Unlock()
			}
		})
	}
	wg.Wait()
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	out = append(out, slices.DeleteFunc(parts, func(x *Example) bool { return x == nil })...)
	return out, errors.Join(errs...)
}

// CheckFeatures tells of names that no feature has.
func CheckFeatures(names []string) error {
	for _, name := range names {
		if !slices.Contains(blocks.Features, name) {
			return fmt.Errorf("no feature is called %q; there is %s", name, strings.Join(blocks.Features, ", "))
		}
	}
	return nil
}
