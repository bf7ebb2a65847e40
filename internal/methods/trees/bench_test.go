package trees

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
)

// blocks returns rows like those of the blocks of pages: half of the features
// are counts with many zeros, some are flags, the others are shares.
func blocks(seed uint64, rows, features int) Data {
	rng := rand.New(rand.NewPCG(seed, 1))
	d := Data{X: make([]float32, rows*features), Y: make([]float32, rows)}
	for k := range features {
		d.Features = append(d.Features, fmt.Sprint("f", k))
	}
	for i := range rows {
		x := d.X[i*features : (i+1)*features]
		sum := 0.0
		for k := range x {
			v := rng.NormFloat64()
			switch k % 4 {
			case 0, 1:
				x[k] = float32(max(0, math.Floor(math.Exp(v*1.5))-1))
			case 2:
				x[k] = float32(math.Floor(1 / (1 + math.Exp(-v)) * 1.3))
			default:
				x[k] = float32(v)
			}
			if k < 40 {
				sum += v * math.Sin(float64(k))
			}
		}
		sum += float64(x[3%features]) * float64(x[7%features]) * 2
		if sum+rng.NormFloat64()*2 > 1 {
			d.Y[i] = 1
		}
	}
	return d
}

func BenchmarkBins(b *testing.B) {
	d := blocks(1, 200_000, 150)
	for b.Loop() {
		if _, err := NewBins(d, 0); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkTrain grows ten trees on 200,000 rows of 150 features.
func BenchmarkTrain(b *testing.B) {
	bins, err := NewBins(blocks(1, 200_000, 150), 0)
	if err != nil {
		b.Fatal(err)
	}
	for _, symmetric := range []bool{true, false} {
		b.Run(fmt.Sprintf("symmetric=%v", symmetric), func(b *testing.B) {
			for b.Loop() {
				if _, err := Train(context.Background(), bins, Options{Trees: 10, Symmetric: symmetric}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkScore scores a row with 300 trees of depth 6 on 180 features.
func BenchmarkScore(b *testing.B) {
	const features, rows = 180, 512
	for _, symmetric := range []bool{true, false} {
		m, x := randomModel(symmetric, features, 300), blocks(2, rows, features).X
		out, bins := make([]float32, rows), make([]uint8, len(m.columns)*rows)
		b.Run(fmt.Sprintf("symmetric=%v/bins", symmetric), func(b *testing.B) {
			for b.Loop() {
				m.bin(x, rows, bins, rows)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/rows, "ns/row")
		})
		b.Run(fmt.Sprintf("symmetric=%v/Scores", symmetric), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				m.Scores(x, rows, out)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/rows, "ns/row")
		})
	}
}

// BenchmarkEarlyExit scores a row with 300 trained trees, with and without an
// early exit.
func BenchmarkEarlyExit(b *testing.B) {
	const features, rows = 40, 8192
	d := blocks(1, rows, features)
	for _, exit := range []EarlyExit{{}, {After: 60, MaxChanged: 0.001}} {
		m := mustTrain(b, d, Options{Symmetric: true, EarlyExit: exit})
		out := make([]float32, rows)
		b.Run(fmt.Sprintf("after=%d", exit.After), func(b *testing.B) {
			for b.Loop() {
				m.Scores(d.X, rows, out)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/rows, "ns/row")
			exited := 0
			for i, v := range scores(withoutExit(m), d) {
				exited += toInt(v != out[i])
			}
			b.ReportMetric(float64(exited)/rows, "exited")
		})
	}
}

// randomModel returns a model that uses all features, with random cuts.
func randomModel(symmetric bool, features, trees int) *Model {
	rng := rand.New(rand.NewPCG(7, 7))
	bins, err := NewBins(blocks(1, 2000, features), 0)
	if err != nil {
		panic(err)
	}
	o := Options{Symmetric: symmetric}.withDefaults()
	var grown []tree
	for range trees {
		t := tree{depth: 6}
		nodes := 63
		if symmetric {
			nodes = 6
		}
		for range nodes {
			f := rng.IntN(features)
			t.nodes = append(t.nodes, node{feature: f, bin: uint8(rng.IntN(len(bins.cuts[f]))), gain: 1})
		}
		for range 64 {
			t.leaves = append(t.leaves, int16(rng.IntN(2000)-1000))
			t.covers = append(t.covers, 6)
		}
		grown = append(grown, t)
	}
	return compile(bins, grown, []float64{-1}, o)
}
