package measure

import (
	"context"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/lede-news/lede/dom"
	"github.com/lede-news/lede/internal/lab/testkit"
)

func parse(t testing.TB, page string) *dom.Document {
	t.Helper()
	d, err := dom.Parse(context.Background(), []byte(page), dom.Options{Charset: "utf-8"})
	if err != nil {
		t.Fatal(err)
	}
	return d
}

const (
	lede  = "The ferry to the outer islands will not sail before Thursday, the harbour said."
	cause = "A storm broke two of its four moorings on Sunday night and drove it onto a bank of sand."
	end   = "Nobody was hurt, and the bakery sold all its bread to those who wait."
)

func TestAlign(t *testing.T) {
	t.Parallel()
	story := "<h1>Ferry held in harbour</h1><p>" + lede + "</p><p>" + cause + "</p><p>" + end + "</p>"
	whole := strings.Join([]string{lede, cause, end}, "\n")
	for _, c := range []struct {
		name, page, text string
		want             []string // nodes, each after the ID of its nearest ancestor with one
	}{
		{
			"body only",
			`<body id=b><ul><li>News<li>Sport</ul>` + story + `<footer>All rights are ours</footer>`, whole,
			[]string{"b " + lede, "b " + cause, "b " + end},
		},
		{
			"headline that is also a link elsewhere",
			`<ul id=top><li>Bread is dear<li>Ferry held in harbour<li>Gulls leave</ul><p>Weather, tides and traffic</p><div id=s>` + story +
				`</div><ul id=bottom><li>More on this<li>Ferry held in harbour</ul>`, "Ferry held in harbour\n" + whole,
			[]string{"s Ferry held in harbour", "s " + lede, "s " + cause, "s " + end},
		},
		{
			"teaser before the article",
			`<aside id=a><p>` + lede + `</p><a>Read on</a></aside><p>Menu and more</p><div id=s>` + story + `</div>`, whole,
			[]string{"s " + lede, "s " + cause, "s " + end},
		},
		{
			"teaser after the article",
			`<div id=s>` + story + `</div><p>Menu and more</p><aside id=a><p>` + end + `</p><a>Read on</a></aside>`, whole,
			[]string{"s " + lede, "s " + cause, "s " + end},
		},
		{
			"advertisement in the article",
			`<div id=s><p>` + lede + `</p><p>Buy our ropes, the best on the coast</p><p>` + cause + `</p><p>` + end + `</p></div>`, whole,
			[]string{"s " + lede, "s " + cause, "s " + end},
		},
		{
			"another order",
			`<div id=s><p>` + end + `</p><p>` + lede + `</p><p>` + cause + `</p></div>`, whole,
			[]string{"s " + end, "s " + lede, "s " + cause},
		},
		{
			"small differences",
			`<div id=s>` + story + `</div>`, strings.NewReplacer("Thursday", "Friday", "broke", "tore", "bakery", "baker").Replace(whole),
			[]string{"s " + lede, "s " + cause, "s " + end},
		},
		{
			"words across inline elements, nodes without words",
			`<p id=p><span>T</span>he ferry fl<b>ew</b>, <i>all</i> of them <a href=x>said</a>—so <em>!</em></p><p id=q>Not this one here</p>`,
			"The ferry flew, all of them said—so!",
			[]string{"p T", "p he ferry fl", "p ew", "p all", "p of them", "p said", "p —so"},
		},
		{
			"no spaces between words",
			`<p id=p>渡轮<a href=x>今天</a>因为大雾晚点。</p><p id=q>潮汐表</p>`, "渡轮今天因为大雾晚点。",
			[]string{"p 渡轮", "p 今天", "p 因为大雾晚点。"},
		},
		{
			"hidden text",
			`<div id=h hidden><p>` + lede + `</p></div><div id=s>` + story + `</div>`, whole,
			[]string{"s " + lede, "s " + cause, "s " + end},
		},
		{"one word", `<p id=p>Gulls</p><p id=q>Bread</p>`, "bread!", []string{"q Bread"}},
		{"two words", `<p id=p>Gulls and bread</p><p id=q>Bread rises</p>`, "Bread rises", []string{"q Bread rises"}},
		{"half of a node", `<p id=p>one two three four five six seven eight</p><p id=q>a b c d e f g h i</p>`, "one two three four. A B C " +
			"D", []string{"p one two three four five six seven eight"}},
		{"another article", `<div id=s>` + story + `</div>`, "Bread is dear this year, and so is butter.", nil},
		{"no text", `<div id=s>` + story + `</div>`, "", nil},
		{"empty page", `<div id=s></div>`, whole, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := parse(t, c.page)
			var got []string
			for n, kept := range Align(d, c.text) {
				if !kept {
					continue
				}
				id := ""
				for a := range d.Ancestors(dom.Node(n)) {
					if id = d.Attr(a, "id"); id != "" {
						break
					}
				}
				got = append(got, id+" "+d.Text(dom.Node(n)))
			}
			if !slices.Equal(got, c.want) {
				t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(c.want, "\n"))
			}
		})
	}
}

// TestPageWords checks that eachWord and Words agree.
func TestPageWords(t *testing.T) {
	t.Parallel()
	for _, s := range []string{
		"", "Gulls, and gulls.", "don't re-read", "潮汐表 2024", "港口news站", "カモメ ｶﾓﾒ ｶﾞ", "갈매기", "ﬁsh ＴＥＡ ①", "cafe\u0301",
		"ΓΛΑΡΟΣ ΟΔΟΣ ΣΑΣ", "النَّوارس فوق", "İstanbul", "½ liter", "Straße GROSS x² Ⅻ", "\xff\xfebroken", "々 〇 𠀀",
	} {
		var got []string
		eachWord(s, func(w string, start, end int) {
			if start >= end || end > len(s) {
				t.Errorf("%q: %q is at %d to %d", s, w, start, end)
			}
			got = append(got, w)
		})
		if want := Words(s); !slices.Equal(got, want) {
			t.Errorf("%q: got %q, want %q", s, got, want)
		}
	}
}

// textOf returns the text of the marked nodes.
func textOf(d *dom.Document, marks []bool) string {
	var text strings.Builder
	end, running := 0, false
	for n, kept := range marks {
		from, to := d.Span(dom.Node(n))
		if !d.IsText(dom.Node(n)) || from == to {
			continue
		}
		switch {
		case kept && running:
			from = end // includes the space between the two
		case kept:
			text.WriteByte('\n')
		}
		if running = kept; kept {
			text.WriteString(d.AllText()[from:to])
			end = to
		}
	}
	return text.String()
}

// TestAlignReal aligns the gold of corpora with their pages and compares the text
// of the nodes with the gold. Most of what is missing is not on the pages. It looks
// at every eighth page, and in the long form at all.
func TestAlignReal(t *testing.T) {
	if testing.Short() {
		t.Skip("reads hundreds of pages; run without -short")
	}
	step := testkit.Step(8, 8)
	for name, want := range map[string]struct{ sample, all float64 }{
		"wcxb": {0.9974, 0.9964}, "daniel": {0.9843, 0.9903}, "dragnet": {0.9915, 0.9934},
		"fundus-publishers": {0.9990, 0.9988}, "l3s-gn1": {1, 0.9972},
	} {
		want := map[bool]float64{true: want.all, false: want.sample}[step == 1]
		t.Run(name, func(t *testing.T) {
			c := readCorpus(t, name)
			var all []PRF
			for i := 0; i < len(c.Gold); i += step {
				g := &c.Gold[i]
				if g.Text == "" || g.Type != "article" && g.Type != "" {
					continue
				}
				html, err := c.Page(g)
				if err != nil {
					t.Fatal(err)
				}
				d := parse(t, string(html))
				all = append(all, compare(Words(textOf(d, Align(d, g.Text))), Words(g.Text)))
			}
			m := Mean(all)
			t.Logf("%d pages: P %.4f, R %.4f, F1 %.4f", len(all), m.P, m.R, m.F1)
			if math.Round(m.F1*1e4)/1e4 != want {
				t.Errorf("F1 is %.4f, want %.4f", m.F1, want)
			}
		})
	}
}
