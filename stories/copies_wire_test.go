package stories

import (
	"cmp"
	"flag"
	"slices"
	"testing"
	"time"

	"github.com/lede-news/lede/internal/lab/newsroom"
)

// The thresholds were chosen on the seeds 1 to 6.
var copiesSeed = flag.Uint64("copies.seed", 21, "seed of the made-up articles that copies are judged by")

// TestWireCopies groups made-up wire copy by comparing all pairs of a
// language. The parent of a copy is, of the articles before it, the one that it shares
// most text with.
func TestWireCopies(t *testing.T) {
	n := 1500
	if testing.Short() {
		n = 500
	}
	list := slices.Collect(newsroom.NewWire(*copiesSeed, newsroom.WireOptions{Articles: n}).Articles())
	published := func(a newsroom.WireArticle) time.Time {
		day := a.Published.Truncate(24 * time.Hour)
		switch {
		case a.Published.IsZero():
			return time.Unix(1<<40, 0)
		case a.Published.Equal(day): // the time of day is not known
			return day.Add(24 * time.Hour)
		}
		return a.Published
	}
	slices.SortFunc(list, func(a, b newsroom.WireArticle) int {
		return cmp.Or(published(a).Compare(published(b)), a.Seen.Compare(b.Seen), cmp.Compare(len(b.Text), len(a.Text)), cmp.Compare(a.ID, b.ID))
	})
	shingles, keys := make([]*Shingles, n), make([][]uint64, n)
	root := make([]int, n)
	copies, missed := 0, 0
	for i, a := range list {
		shingles[i] = NewShingles(a.Text)
		keys[i] = shingles[i].Keys()
		root[i] = i
		most := 0
		for j, b := range list[:i] {
			if a.Lang != b.Lang {
				continue
			}
			o := Compare(shingles[i], shingles[j])
			if !o.IsCopy() {
				continue
			}
			copies++
			if sharedHashes(keys[i], keys[j]) == 0 {
				missed++
			}
			if o.Shared > most {
				most, root[i] = o.Shared, root[j]
			}
		}
	}
	var both, found, gold float64
	for i, a := range list {
		for j, b := range list[:i] {
			same, copied := a.Group == b.Group, root[i] == root[j]
			if same && copied {
				both++
			}
			if copied {
				found++
			}
			if same {
				gold++
			}
		}
	}
	precision, recall := both/found, both/gold
	t.Logf("%d articles, %.0f pairs of copies: precision %.4f, recall %.4f; %d of %d verified copies share no key", n, gold, precision, recall, missed, copies)
	if precision < .99 || recall < .98 {
		t.Errorf("precision %.4f, recall %.4f", precision, recall)
	}
	if float64(missed) > .001*float64(copies) {
		t.Errorf("%d of %d copies share no key", missed, copies)
	}
}
