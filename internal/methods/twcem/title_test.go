package twcem

import (
	"strings"
	"testing"

	"github.com/lede-news/lede/dom"
	"github.com/lede-news/lede/internal/lab/methodtest"
)

// TestTitle follows Algorithm 2.
func TestTitle(t *testing.T) {
	for _, c := range []struct {
		name, link, page string
		text, from       string
		tag              string // of the node, if any
	}{{
		name: "link", link: " Ferry  sinks\nin the harbour ",
		page: `<title>Daily Gull</title><h1>Something else</h1><p>Text.`,
		text: "Ferry sinks in the harbour", from: byLink,
	}, {
		name: "link that the page shows in a longer heading", link: "Ferry sinks in the harbour",
		page: `<title>Daily Gull</title><h1>Something else</h1><h2>Ferry sinks in the harbour, nobody hurt</h2>`,
		text: "Ferry sinks in the harbour", from: byLink, tag: "h2",
	}, {
		name: "link that the page shows without a heading", link: "Ferry sinks in the harbour",
		page: `<p>Ferries<p><b>Ferry sinks</b> in the <i>harbour</i><p>Ferry sinks in the harbour, and other news of the day.`,
		text: "Ferry sinks in the harbour", from: byLink, tag: "p",
	}, {
		name: "link of strange characters", link: "\uFFFD\uFFFDrry sinks",
		page: `<title>Ferry sinks in the harbour</title><h1>Ferry sinks in harbour</h1>`,
		text: "Ferry sinks in harbour", from: byHeading, tag: "h1",
	}, {
		name: "link that is a number", link: "12 >>",
		page: `<title>Ferry sinks</title><h1>Ferry sinks</h1>`,
		text: "Ferry sinks", from: byHeading, tag: "h1",
	}, {
		name: "heading nearest to <title>",
		page: `<title>Ferry sinks in the harbour | Daily Gull</title><h1>Daily Gull</h1><h4>Ferry sinks in<br>the harbour</h4><h2>Ferry ` +
			`sails again, harbour says</h2>`,
		text: "Ferry sinks in the harbour", from: byHeading, tag: "h4",
	}, {
		name: "heading nearest to <meta>, not to <title>",
		page: `<title>Daily Gull</title><meta property="og:title" content="Ferry sinks in the harbour"><h1>Daily Gull</h1><h3>Ferry sinks in harbour</h3>`,
		text: "Ferry sinks in harbour", from: byHeading, tag: "h3",
	}, {
		name: "heading nearest to <title>, since none is near to <meta>",
		page: `<title>Ferry sinks in harbour</title><meta property="og:title" content="What the captain saw on Monday"><h1>Ferry sinks in ` +
			`the harbour</h1><h2>Weather on Monday</h2>`,
		text: "Ferry sinks in the harbour", from: byHeading, tag: "h1",
	}, {
		name: "a heading of short words",
		page: `<title>EU at war - Daily Gull</title><h1>EU at war</h1><h2>On the web</h2>`,
		text: "EU at war", from: byHeading, tag: "h1",
	}, {
		name: "short words alone are not enough",
		page: `<title>The end of the pier - Daily Gull</title><h2>Out of the box</h2><p>Rain, again.`,
		text: "The end of the pier - Daily Gull", from: byMeta,
	}, {
		name: "the first of two that are as near",
		page: `<title>Ferry sinks</title><h2>FERRY SINKS</h2><h1>Ferry sinks</h1>`,
		text: "FERRY SINKS", from: byHeading, tag: "h2",
	}, {
		name: "no meta title: the highest heading",
		page: `<h3>Kicker</h3><h2>Ferry sinks</h2><h2>More</h2>`,
		text: "Ferry sinks", from: byHeading, tag: "h2",
	}, {
		name: "hidden headings and those without words do not count",
		page: `<title>Ferry sinks</title><h1 hidden>Ferry sinks</h1><h1>***</h1><h2>The ferry sinks</h2>`,
		text: "The ferry sinks", from: byHeading, tag: "h2",
	}, {
		name: "a heading that is never closed",
		page: `<title>Ferry sinks</title><h1>Ferry sinks` + strings.Repeat("<p>It sank, they say.", 40) + `</h1><h2>Ferry sinks today</h2>`,
		text: "Ferry sinks today", from: byHeading, tag: "h2",
	}, {
		name: "id begins with title",
		page: `<title>Ferry sinks - Gull</title><h3>Most popular</h3><div id="titleText">Ferry sinks</div>`,
		text: "Ferry sinks", from: byAttribute, tag: "div",
	}, {
		name: "id ends with title",
		page: `<span id="storyTitle">Ferry sinks</span><span class="title">Other</span>`,
		text: "Ferry sinks", from: byAttribute, tag: "span",
	}, {
		name: "class begins with title",
		page: `<em class="subtitle">Other</em><b class="title big">Ferry sinks</b>`,
		text: "Ferry sinks", from: byAttribute, tag: "b",
	}, {
		name: "pattern with nothing to read",
		page: `<b class="title">!!!</b><b class="titles">Ferry sinks</b>`,
		text: "Ferry sinks", from: byAttribute, tag: "b",
	}, {
		name: "pattern that has nothing to do with the meta title",
		page: `<title>Ferry sinks - Gull</title><b class="title">Weather</b><p>Ferry sinks<p>Ferry sinks, says paper.`,
		text: "Ferry sinks - Gull", from: byMeta, tag: "#text",
	}, {
		name: "nothing but the meta title",
		page: `<title>Ferry sinks in the harbour</title><p>It did.`,
		text: "Ferry sinks in the harbour", from: byMeta,
	}, {
		name: "nothing",
		page: `<p>It did.`,
	}, {
		name: "no title of the length of a book",
		page: `<title>` + strings.Repeat("Ferry sinks ", 100) + `</title><p>It did.`,
	}} {
		t.Run(c.name, func(t *testing.T) {
			d := methodtest.Parse(t, c.page)
			got := findTitle(d, c.link, split(d, false), true)
			if got.text != c.text || got.from != c.from {
				t.Errorf("got %q by %q, want %q by %q", got.text, got.from, c.text, c.from)
			}
			tag := ""
			if got.node != dom.None {
				tag = d.Name(got.node)
				if d.IsText(got.node) {
					tag = "#text"
				}
			}
			if tag != c.tag {
				t.Errorf("node is <%s>, want <%s>", tag, c.tag)
			}
		})
	}
}

// TestPaperTitle follows Algorithm 2 to the letter.
func TestPaperTitle(t *testing.T) {
	for _, c := range []struct{ name, link, page, text, from string }{
		{"link", "Ferry sinks", `<h1>Other</h1>`, "Ferry sinks", byLink},
		{"nearest heading", "", `<title>Ferry sinks</title><h2>Fairy sings</h2><h1>Ferry</h1>`, "Fairy sings", byHeading},
		{"the nearest, whatever it says", "", `<title>Ferry sinks</title><h3>Most popular</h3>`, "Most popular", byHeading},
		{"nearest to <meta>", "", `<title>Weather</title><meta name=title content="Ferry sinks"><h1>Weather</h1><h2>Ferry sank</h2>`, "Ferry sank", byHeading},
		{"no meta title: the shortest", "", `<h1>Ferry sinks</h1><h3>More</h3>`, "More", byHeading},
		{"patterns only without headings", "", `<title>Ferry</title><b id=title>Weather</b>`, "Weather", byAttribute},
		{"the meta title is no title", "", `<title>Ferry sinks</title><p>It did.`, "", ""},
	} {
		d := methodtest.Parse(t, c.page)
		if got := findTitle(d, c.link, split(d, false), false); got.text != c.text || got.from != c.from {
			t.Errorf("%s: got %q by %q, want %q by %q", c.name, got.text, got.from, c.text, c.from)
		}
	}
}

func TestAbnormal(t *testing.T) {
	for s, want := range map[string]bool{
		"":                        true,
		"  ":                      true,
		"...":                     true,
		"2031":                    true,
		"3/5/2031 12:00":          true,
		"???? ??":                 true,
		"????? a":                 true,
		"a\uFFFDb":                true,
		"a\ue000b":                true,
		"a\x01b":                  true,
		strings.Repeat("a", 257):  true,
		strings.Repeat("а", 256):  false,
		"Ferry":                   false,
		"9/11":                    true,
		"9/11, ten years on":      false,
		"50 killed":               false,
		"大桥关闭":                    false,
		"جسر الميناء":             false,
		"हिन्दी समाचार":           false,
		"\"Ferry\" sinks!":        false,
		"C++ is 40":               false,
		"The $1,000,000 question": false,
	} {
		if got := abnormal(s); got != want {
			t.Errorf("%q: %v", s, got)
		}
	}
}
