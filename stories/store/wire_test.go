package store

import (
	"cmp"
	"flag"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"text/tabwriter"
	"time"

	"github.com/lede-news/lede/internal/lab/newsroom"
	"github.com/lede-news/lede/internal/parallel"
	"github.com/lede-news/lede/stories"
)

// The thresholds of copies and stories were chosen on the seeds 1 to 6.
var (
	wireArticles = flag.Int("wire.articles", 2000, "number of made-up articles that copies and stories are judged by")
	wireSeeds    = flag.Uint64("wire.seeds", 1, "number of seeds, from 21")
	wireSeed     = flag.Uint64("wire.seed", 0, "judge by this seed only")
)

// placed is where the store put an article: the original that it is a copy of, or its
// own id, and its story.
type placed struct{ original, story string }

// toArticle returns an article of the wire as one for the store.
func toArticle(a *newsroom.WireArticle) stories.Article {
	return stories.Article{ID: a.ID, URL: a.URL, Site: a.Site, Title: a.Title, Text: a.Text, Lang: a.Lang, Published: a.Published, FirstSeen: a.Seen}
}

// wire returns articles in the order in which a batch adds them.
func wire(seed uint64, n int) []newsroom.WireArticle {
	list := slices.Collect(newsroom.NewWire(seed, newsroom.WireOptions{Articles: n}).Articles())
	for i := range list {
		// Midnight stands for the day, as lede stories reads it.
		if p := &list[i].Published; !p.IsZero() && p.Equal(p.Truncate(24*time.Hour)) {
			*p = p.Add(24*time.Hour - time.Second)
		}
	}
	at := func(a newsroom.WireArticle) int64 {
		if a.Published.IsZero() {
			return a.Seen.UnixMilli()
		}
		return a.Published.UnixMilli()
	}
	slices.SortStableFunc(list, func(a, b newsroom.WireArticle) int {
		return cmp.Or(cmp.Compare(at(a), at(b)), strings.Compare(a.ID, b.ID))
	})
	return list
}

// placeAll adds articles in the given order, prepared by some workers, and returns where each
// is in the end.
func placeAll(t *testing.T, list []newsroom.WireArticle, workers int) map[string]placed {
	t.Helper()
	s := newStore(t)
	const some = 256
	for len(list) > 0 {
		n := min(some, len(list))
		prepared := make([]*Prepared, n)
		parallel.For(n, workers, func(i int) {
			a := toArticle(&list[i])
			prepared[i] = s.Prepare(&a)
		})
		for _, p := range prepared {
			if _, err := s.Add(t.Context(), p); err != nil {
				t.Fatal(err)
			}
		}
		list = list[n:]
	}
	places := map[string]placed{}
	for story, err := range s.Stories(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range story.Members {
			places[m.ID] = placed{cmp.Or(m.CopyOf, m.ID), story.ID}
		}
	}
	return places
}

// A score counts pairs of articles that belong together.
type score struct{ both, found, gold float64 }

func (s score) precision() float64 { return ratio(s.both, s.found) }
func (s score) recall() float64    { return ratio(s.both, s.gold) }
func (s score) f1() float64 {
	return ratio(2*s.precision()*s.recall(), s.precision()+s.recall())
}

func (s *score) add(o score) { s.both, s.found, s.gold = s.both+o.both, s.found+o.found, s.gold+o.gold }

func ratio(a, b float64) float64 {
	if b == 0 {
		return 1
	}
	return a / b
}

// judged has the scores of all articles and of parts of them.
type judged struct {
	pairs, bcubed map[string]*score // by part; "" is all
}

// judge compares groups of articles with the gold. The score of a part is that of the pairs
// with an article of the part.
func judge(list []newsroom.WireArticle, found func(*newsroom.WireArticle) string, gold func(*newsroom.WireArticle) int, parts func(*newsroom.WireArticle) []string) judged {
	type cell struct {
		found string
		gold  int
	}
	inFound, inGold, inBoth := map[string]float64{}, map[int]float64{}, map[cell]float64{}
	for i := range list {
		f, g := found(&list[i]), gold(&list[i])
		inFound[f]++
		inGold[g]++
		inBoth[cell{f, g}]++
	}
	j := judged{map[string]*score{}, map[string]*score{}}
	for i := range list {
		f, g := found(&list[i]), gold(&list[i])
		both := inBoth[cell{f, g}]
		for _, part := range append(parts(&list[i]), "") {
			if j.pairs[part] == nil {
				j.pairs[part], j.bcubed[part] = new(score), new(score)
			}
			j.pairs[part].add(score{both - 1, inFound[f] - 1, inGold[g] - 1})
			// Of B-cubed, precision and recall are means over articles.
			j.bcubed[part].add(score{1, inFound[f] / both, inGold[g] / both})
		}
	}
	return j
}

func kindAndLang(a *newsroom.WireArticle) []string {
	return []string{"kind " + a.Kind, "lang " + a.Lang}
}
func groupOf(a *newsroom.WireArticle) int { return a.Group }
func eventOf(a *newsroom.WireArticle) int { return a.Event }

// TestWire judges copies and stories by made-up wire stories. make stories judges by
// many.
func TestWire(t *testing.T) {
	if testing.Short() {
		t.Skip("runs without -short")
	}
	t.Parallel()
	seeds := []uint64{}
	for i := range *wireSeeds {
		seeds = append(seeds, 21+i)
	}
	if *wireSeed > 0 {
		seeds = []uint64{*wireSeed}
	}
	for _, seed := range seeds {
		t.Run(fmt.Sprintf("seed=%d", seed), func(t *testing.T) {
			list := wire(seed, *wireArticles)
			places := placeAll(t, list, 0)
			if len(places) != len(list) {
				t.Fatalf("%d of %d articles are in stories", len(places), len(list))
			}
			copies := judge(list, func(a *newsroom.WireArticle) string { return places[a.ID].original }, groupOf, kindAndLang)
			told := judge(list, func(a *newsroom.WireArticle) string { return places[a.ID].story }, eventOf, kindAndLang)
			t.Logf("copies and stories of %d articles\n%s", len(list), table(copies, told))
			if p, r := copies.pairs[""].precision(), copies.pairs[""].recall(); p < .99 || r < .98 {
				t.Errorf("pairs of copies: precision %.4f, recall %.4f; floors .99 and .98", p, r)
			}
			// These are no aims; they tell when something breaks.
			if pairs, b3 := told.pairs[""].f1(), told.bcubed[""].f1(); pairs < .88 || b3 < .84 {
				t.Errorf("stories: F1 of pairs %.3f, of B-cubed %.3f; at least .88 and .84", pairs, b3)
			}
		})
	}
}

// table formats scores by part.
func table(copies, told judged) string {
	var b strings.Builder
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "\tcopies P\tR\tstories P\tR\tF1\tB-cubed P\tR\tF1\t")
	for _, part := range slices.Sorted(maps.Keys(copies.pairs)) {
		c, s, b3 := copies.pairs[part], told.pairs[part], told.bcubed[part]
		fmt.Fprintf(w, "%s\t%.4f\t%.4f\t%.3f\t%.3f\t%.3f\t%.3f\t%.3f\t%.3f\t\n", cmp.Or(part, "all"), c.precision(), c.recall(),
			s.precision(), s.recall(), s.f1(), b3.precision(), b3.recall(), b3.f1())
	}
	w.Flush()
	return b.String()
}
