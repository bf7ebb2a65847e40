package main

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const someFigures = `{"systems": ["lede blend", "slow & good", "unknown time", "lede-news"], "corpora": [
	{"pages": 10, "figures": {
		"lede blend": {"bag": {"pages": 10, "values": {"F1": 0.9}}, "time": {"pages": 10, "values": {"ms": 2}}},
		"slow & good": {"bag": {"pages": 10, "values": {"F1": 0.95}}, "time": {"pages": 10, "values": {"ms": 200}}},
		"unknown time": {"bag": {"pages": 10, "values": {"F1": 0.5}}},
		"lede-news": {"bag": {"pages": 10, "values": {"F1": 0.9}}, "time": {"pages": 10, "values": {"ms": 3}}}}},
	{"pages": 30, "figures": {
		"lede blend": {"bag": {"pages": 30, "values": {"F1": 0.7}}, "time": {"pages": 30, "values": {"ms": 6}}}}}]}`

func TestReadChart(t *testing.T) {
	c, err := readChart([]byte(someFigures), "lede blend")
	if err != nil {
		t.Fatal(err)
	}
	got := fmt.Sprintf("%d pages of %d corpora:", c.pages, c.corpora)
	for _, p := range c.points {
		got += fmt.Sprintf(" %s %v %.3f %.0f;", p.name, p.own, p.f1, p.speed)
	}
	if want := "40 pages of 2 corpora: slow & good false 0.950 5; lede from Python true 0.900 333; lede true 0.750 200;"; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	for _, bad := range []string{"", "{}", `{"systems": ["a"], "corpora": []}`} {
		if _, err := readChart([]byte(bad), "lede"); err == nil {
			t.Errorf("no error for %q", bad)
		}
	}
}

// TestChart draws the figures of a real run.
func TestChart(t *testing.T) {
	figures, out := filepath.Join(t.TempDir(), "figures.json"), filepath.Join(t.TempDir(), "speed.svg")
	if _, _, err := peers(t, makeCorpus(t), "--home", t.TempDir(), "--rivals", "go", "--json", figures); err != nil {
		t.Fatal(err)
	}
	if _, _, err := peers(t, "chart", figures, "--out", out); err != nil {
		t.Fatal(err)
	}
	svg, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	checkSVG(t, string(svg), "lede", "go-trafilatura", "go-readability", "go-domdistiller")
	printed, _, err := peers(t, "chart", figures)
	if err != nil || printed != string(svg) {
		t.Errorf("standard output differs from the file: %v", err)
	}
}

// checkSVG checks that a chart is well-formed, can be read aloud and in both colour
// schemes, refers to nothing outside and has labels.
func checkSVG(t *testing.T, svg string, labels ...string) {
	t.Helper()
	for d := xml.NewDecoder(strings.NewReader(svg)); ; {
		if _, err := d.Token(); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
	}
	for _, want := range append([]string{`role="img"`, `aria-labelledby="title desc"`, "<title id=", "<desc id=", "prefers-color-scheme: dark"}, labels...) {
		if !strings.Contains(svg, want) {
			t.Errorf("%s is missing", want)
		}
	}
	for _, bad := range []string{"NaN", "Inf", "href", "url(", "<script"} {
		if strings.Contains(svg, bad) {
			t.Errorf("%s is in the chart", bad)
		}
	}
}

func TestSVGEscapes(t *testing.T) {
	c, err := readChart([]byte(someFigures), "lede blend")
	if err != nil {
		t.Fatal(err)
	}
	checkSVG(t, string(c.svg()), "slow &amp; good: 0.950, 5.0.", "lede: 0.750, 200.")
	one := &chart{points: []point{{name: "alone", f1: 1, speed: 100}}}
	checkSVG(t, string(one.svg()), "alone")
}

// TestLabels checks that labels cover neither one another nor points, however close these are.
func TestLabels(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for range 300 {
		var points []point
		spread := r.Float64()
		for i := range 17 {
			points = append(points, point{name: strings.Repeat("n", 4+r.IntN(20)), f1: .9 - .4*spread*r.Float64(), speed: 1 + 1000*spread*r.Float64()*r.Float64(), own: i == 0})
		}
		s := newScale(points)
		labels := place(points, s)
		for i, l := range labels {
			if l.box.left < 0 || l.box.right > chartWidth || l.box.top < 30 || l.box.bottom > plot.bottom {
				t.Fatalf("a label is outside of the chart: %+v", l.box)
			}
			if l.cx < plot.left || l.cx > plot.right || l.cy < plot.top || l.cy > plot.bottom {
				t.Fatalf("a point is outside of the plot: %+v", l)
			}
			for j, o := range labels {
				if i != j && l.box.overlaps(o.box) {
					t.Fatalf("labels overlap: %+v and %+v", l.box, o.box)
				}
				if l.box.overlaps(box{o.cx - radius, o.cy - radius, o.cx + radius, o.cy + radius}) {
					t.Fatalf("a label covers a point: %+v", l.box)
				}
			}
		}
	}
}

func TestNice(t *testing.T) {
	for _, c := range []struct{ x, below, above float64 }{{1, .5, 2}, {3, 2, 5}, {9.9, 5, 20}, {100, 50, 200}, {640, 500, 1000}, {.3, .2, .5}} {
		if b, a := niceBelow(c.x), niceAbove(c.x); b < c.below*.999 || b > c.below*1.001 || a < c.above*.999 || a > c.above*1.001 {
			t.Errorf("%g: below %g and above %g, want %g and %g", c.x, b, a, c.below, c.above)
		}
	}
}
