package reasons

import (
	"testing"

	"github.com/lede-news/lede/dom"
	"github.com/lede-news/lede/internal/lab/methodtest"
)

func TestPercent(t *testing.T) {
	for p, want := range map[float64]string{
		0: "under 1 %", 0.0099: "under 1 %", 0.01: "1 %", 0.53: "53 %", 0.5299: "52 %", 0.989: "98 %", 0.99: "over 99 %", 1: "over 99 %",
	} {
		if got := Percent(p); got != want {
			t.Errorf("Percent(%g) = %q, want %q", p, got, want)
		}
	}
}

func TestCount(t *testing.T) {
	for n, want := range map[int]string{0: "0 links", 1: "1 link", 2: "2 links"} {
		if got := Count(n, "link"); got != want {
			t.Errorf("Count(%d) = %q, want %q", n, got, want)
		}
	}
}

func TestElement(t *testing.T) {
	found := 0
	for tag := range dom.Tag(255) {
		if text := Element(tag); text != "" {
			methodtest.CheckWords(t, text)
			found++
		}
	}
	if found == 0 || Element(dom.P) != "" || Element(dom.Nav) != "a menu" {
		t.Errorf("%d elements have names; <p> is %q, <nav> is %q", found, Element(dom.P), Element(dom.Nav))
	}
}

func TestQuote(t *testing.T) {
	for in, want := range map[string]string{
		"related":       "related",
		" More\n news ": "More news",
		"12 | 3":        "",
		"a\u202eb":      "",
		"so “called”":   "",
		"A heading of more than fifty characters, as some pages have them": "A heading of more than fifty characters, as some …",
	} {
		if got := Quote(in); got != want {
			t.Errorf("Quote(%q) = %q, want %q", in, got, want)
		}
	}
}
