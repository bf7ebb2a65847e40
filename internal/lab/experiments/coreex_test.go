package experiments

import (
	"strings"
	"testing"

	"github.com/lede-news/lede/dom"
	"github.com/lede-news/lede/internal/lab/eval/corpus"
	"github.com/lede-news/lede/internal/lab/tune"
	"github.com/lede-news/lede/internal/methods/coreex"
)

// TestCoreEx runs the short form of the experiments on made-up pages.
func TestCoreEx(t *testing.T) {
	p := coreexPaper()
	var skipped []string
	tables, err := p.Run(t.Context(), &Input{Quick: true, Seed: 1}, nil, func(err error) { skipped = append(skipped, err.Error()) })
	if err != nil {
		t.Fatal(err)
	}
	if len(skipped) != 1 || !strings.Contains(skipped[0], "genres") {
		t.Errorf("skipped %q, want genres, which needs corpora", skipped)
	}
	figure := func(id, row string, column int) float64 {
		t.Helper()
		for _, tb := range tables {
			for _, r := range tb.Rows {
				if tb.ID == id && strings.HasPrefix(r.Name, row) && r.Cells[column].Ours != nil {
					return *r.Cells[column].Ours
				}
			}
		}
		t.Fatalf("no figure for %s in %s", row, id)
		return 0
	}
	const recall, f1 = 1, 2
	// Section 5.1: basic scoring finds next to nothing, and subset selection gains.
	if r1, r2, r3 := figure("1", "R1", recall), figure("1", "R2", recall), figure("1", "R3", recall); r1 > 0.1 || r2 < 0.5 || r3 <= r2 {
		t.Errorf("recall of R1 %.3f, R2 %.3f, R3 %.3f", r1, r2, r3)
	}
	if r5, r6 := figure("1", "R5", f1), figure("1", "R6", f1); r5 != r6 {
		t.Errorf("R5 %.4f, but R6 %.4f: these pages are well-formed", r5, r6)
	}
	if own, r5 := figure("1", "coreex", f1), figure("1", "R5", f1); own <= r5 {
		t.Errorf("our default %.3f, R5 %.3f", own, r5)
	}
	// Section 6.1: a site with every page in a form.
	if r := figure("figure10", "harrow-vale-herald", recall); r != 0 {
		t.Errorf("recall %.3f on pages in a form, want 0", r)
	}
	if title, body := figure("figure9", "title", 1), figure("figure9", "body", 1); title >= body {
		t.Errorf("recall of titles %.3f, of bodies %.3f", title, body)
	}
	if in, beside := figure("titles", "made-up", 2), figure("titles", "made-up", 3); beside <= in {
		t.Errorf("recall of titles %.3f, with the heading beside the text %.3f", in, beside)
	}
	if a, b := figure("figure8", "R5", 0), figure("figure8", "R6", 0); a <= 0 || b <= 0 {
		t.Errorf("R6 takes %.4f ms, R5 %.4f ms", b, a)
	}
	if a, b := figure("index", "articles of", 1), figure("index", "index pages", 1); a <= b {
		t.Errorf("article pages: %.3f of articles, %.3f of index pages", a, b)
	}
	if a, b := figure("constants", "0", 6), figure("constants", "0.01", 6); a >= b {
		t.Errorf("F1 %.3f without weight_text, %.3f with it", a, b)
	}
}

// TestCoreSums is section 3.3 on a page of which half is extracted.
func TestCoreSums(t *testing.T) {
	page := `<body><ul><li><a href=a>Home</a><li><a href=b>Sport</a></ul><h1>Mill opens</h1>
<div><p>The old mill opens its doors on Saturday.</p><p>Visitors can buy flour.</p></div><a href=c>More</a>`
	d, err := dom.Parse(t.Context(), []byte(page), dom.Options{})
	if err != nil {
		t.Fatal(err)
	}
	p := newCorePage(tune.NewExample(d, &corpus.Gold{Title: "Mill opens", Text: "The old mill opens its doors on Saturday."}))
	extracted := make([]bool, d.Len())
	for n := d.First(dom.Div); n < d.End(d.First(dom.Div)); n++ {
		extracted[n] = true
	}
	words, nodes := p.compare(extracted)
	if want := (coreSums{8, 12, 10}); words != want {
		t.Errorf("words %v, want %v", words, want)
	}
	if want := (coreSums{1, 2, 2}); nodes != want {
		t.Errorf("nodes %v, want %v", nodes, want)
	}
	if p.choose(coreex.New(corePreset("paper"))) == nil {
		t.Error("nothing extracted")
	}
}

// TestFinder finds the parts of Figure 9.
func TestFinder(t *testing.T) {
	page := `<body><h1><span>Mill</span> opens</h1><p>By <b>Ann Weir</b></p><p>14 May 2024</p><p>The old mill opens.</p><p>© Weir Gazette 2024</p>`
	d, err := dom.Parse(t.Context(), []byte(page), dom.Options{})
	if err != nil {
		t.Fatal(err)
	}
	f := newFinder(newCorePage(tune.NewExample(d, &corpus.Gold{
		Title: "Mill opens!", Text: "The old mill opens.", Authors: []string{"Ann Weir"}, Date: "2024-05-14T08:00:00Z", Extra: []string{"By Ann Weir\nnot on the page"},
	})))
	for _, x := range []struct {
		name, want string
		parts      [][]dom.Node
	}{
		{"title", "Mill opens", f.same(f.page.Gold.Title)},
		{"byline", "By Ann Weir", f.byline()},
		{"date", "14 May 2024", f.date()},
		{"lines", "By Ann Weir", f.lines()},
		{"copyright", "© Weir Gazette 2024", f.copyright()},
		{"absent", "", f.same("Gulls leave")},
	} {
		got := ""
		if len(x.parts) > 0 {
			got = d.Text(x.parts[0][0])
		}
		if got != x.want {
			t.Errorf("%s: got %q, want %q", x.name, got, x.want)
		}
	}
}
