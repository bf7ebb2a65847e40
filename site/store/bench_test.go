package store

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/lede-news/lede/site"
)

// fill puts n sites with three pages each into a store and returns the size of a
// profile.
func fill(tb testing.TB, s Store, n int) (bytes int) {
	tb.Helper()
	var obs []*site.Observation
	for i := range 3 {
		obs = append(obs, observe(tb, "a.example", i))
	}
	var ps []*site.Profile
	for i := range n {
		p := site.New(siteNumber(i))
		for _, o := range obs {
			p.Add(o)
		}
		if i == 0 {
			b, err := p.MarshalBinary()
			if err != nil {
				tb.Fatal(err)
			}
			bytes = len(b)
		}
		if ps = append(ps, p); len(ps) == 5000 || i == n-1 {
			if err := s.Put(tb.Context(), ps...); err != nil {
				tb.Fatal(err)
			}
			ps = ps[:0]
		}
	}
	return bytes
}

func siteNumber(i int) string { return fmt.Sprintf("site%06d.example", i) }

// BenchmarkLookup looks up sites in a store of 100,000: at random, when hardly any
// is in memory, and always the same hundred.
func BenchmarkLookup(b *testing.B) {
	sites := 100_000
	if flag.Lookup("test.benchtime").Value.String() == "1x" {
		sites = 1000 // only to check that it runs
	}
	path := filepath.Join(b.TempDir(), "sites.db")
	s := open(b, path)
	start := time.Now()
	bytes := fill(b, s, sites)
	filled := time.Since(start)
	s.Close()
	info, err := os.Stat(path)
	if err != nil {
		b.Fatal(err)
	}
	b.Logf("%d sites of %d bytes in %v, %d MB", sites, bytes, filled.Round(time.Millisecond), info.Size()>>20)
	for _, bench := range []struct {
		name string
		of   int
	}{{"any", sites}, {"hot", 100}} {
		b.Run(bench.name, func(b *testing.B) {
			s, err := Open(path, Options{CacheBytes: 4 << 20})
			if err != nil {
				b.Fatal(err)
			}
			defer s.Close()
			var took []time.Duration
			for b.Loop() {
				start := time.Now()
				n := pages(b, s, siteNumber(rand.IntN(bench.of)))
				took = append(took, time.Since(start))
				if n != 3 {
					b.Fatal(n)
				}
			}
			slices.Sort(took)
			median := took[len(took)/2]
			b.ReportMetric(float64(median.Microseconds()), "µs/p50")
			b.ReportMetric(float64(took[len(took)*99/100].Microseconds()), "µs/p99")
			if median > time.Millisecond {
				b.Errorf("a look-up takes %v, and may take a millisecond", median)
			}
		})
	}
}

// BenchmarkAdd adds pages to one site, and to many in turn.
func BenchmarkAdd(b *testing.B) {
	obs := make([]*site.Observation, 2000)
	for i := range obs {
		obs[i] = observe(b, "a.example", i)
	}
	paths := map[string]func(string) string{"memory": func(string) string { return "" }}
	for _, kind := range kinds {
		paths[kind.name] = kind.path
	}
	for _, kind := range []string{"memory", "sqlite", "folder"} {
		for _, sites := range []int{1, 1000} {
			b.Run(fmt.Sprintf("%s/%d", kind, sites), func(b *testing.B) {
				s := open(b, paths[kind](b.TempDir()))
				i := 0
				for b.Loop() {
					if _, err := s.Add(b.Context(), siteNumber(i%sites), obs[i/sites%len(obs)]); err != nil {
						b.Fatal(err)
					}
					i++
				}
				b.StopTimer() // Close folds the logs of a folder
			})
		}
	}
}
