package batch

import (
	"context"
	"fmt"
	"io"

	"golang.org/x/sync/semaphore"

	"github.com/lede-news/lede/internal/page/limits"
)

// What the extraction of a page takes at worst, in bytes of memory: any page, and for
// each byte of it. Ordinary pages take less than half of it.
const (
	costPage = 2 << 20
	costByte = 100
)

// memory lets pages begin while there is room for what they can take, in the order in
// which they ask.
type memory struct {
	*semaphore.Weighted
	size int64
}

func newMemory(size int64) *memory { return &memory{semaphore.NewWeighted(size), size} }

// maxHung is the share of the memory that pages that hang may hold. The rest is enough
// for any other page.
const maxHung = 4

// cost returns what a page can take, at most what is left beside pages that hang.
func (m *memory) cost(page *Input) int64 {
	most := m.size - m.size/maxHung
	if page.Body == nil { // it is larger than limits.PageBytes
		return most
	}
	return min(costPage+costByte*int64(len(page.Body)), most)
}

// admit waits until there is room for a page. It returns the cost to release, or
// ErrMemory if there can never be enough.
func (m *memory) admit(ctx context.Context, page *Input) (cost int64, err error) {
	cost = m.cost(page)
	if likely := costByte / 2 * int64(len(page.Body)); likely > cost {
		return 0, fmt.Errorf("%w: it can take %d MB, and there are %d MB; allow more memory", ErrMemory, likely>>20, cost>>20)
	}
	if !m.TryAcquire(cost) {
		err = m.Acquire(ctx, cost)
	}
	return cost, err
}

// read loads a page and reads it if it is a file, so that its size is known. A page that
// is larger than limits.PageBytes is left to the extractor. It recovers from a panic of a
// decoder.
func (o *Options) read(page *Input) (err error) {
	defer func() {
		if x := recover(); x != nil {
			err = fmt.Errorf("%w: while it was read: %v", ErrCrash, x)
		}
	}()
	if page.Err != nil {
		return page.Err
	}
	if err := page.Load(); err != nil {
		return err
	}
	if page.Body != nil {
		return nil
	}
	r, err := page.Open()
	if err != nil {
		return err
	}
	defer r.Close()
	body, err := io.ReadAll(io.LimitReader(r, limits.PageBytes+1))
	if err != nil {
		return fmt.Errorf("reading the page: %w", err)
	}
	if len(body) <= limits.PageBytes {
		page.Body = body
	}
	return nil
}
