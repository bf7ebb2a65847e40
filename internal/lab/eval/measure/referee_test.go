package measure

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/lede-news/lede/internal/lab/eval/corpus"
	"github.com/lede-news/lede/internal/lab/testkit"
)

// example is a page with the output of an extractor.
type example struct {
	gold corpus.Gold
	out  Output
}

// tool returns a script that is independent of this package, and Python.
func tool(t *testing.T, name string) (python, script string) {
	t.Helper()
	script = testkit.Shared("tools", name)
	if _, err := os.Stat(script); err != nil {
		t.Skipf("no ../shared/tools/%s beside the repository", name)
	}
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("no python3 to run " + name)
	}
	return python, script
}

// refereeFigures has the names of the figures in score.py by measure.
var refereeFigures = map[string][]string{
	"bag":     {"bag.0", "bag.1", "bag.2", "bag_ge90.0"},
	"shingle": {"shingle.0", "shingle.1", "shingle.2", "exact.0"},
	"snippet": {"snippet.0", "snippet.1", "snippet.2"},
	"title":   {"title.0", "titleF1.0"},
	"author":  {"author.0"},
	"date":    {"date.0"},
}

// referee scores lists of pages with score.py, without its rounding.
func referee(t *testing.T, lists [][]example) []map[string]float64 {
	t.Helper()
	python, script := tool(t, "score.py")
	var gold, found [][]map[string]any
	for _, list := range lists {
		gold, found = append(gold, nil), append(found, nil)
		last := len(gold) - 1
		for i, x := range list {
			g, id := &x.gold, fmt.Sprint(i)
			gold[last] = append(gold[last], map[string]any{
				"id": id, "title": g.Title, "text": g.Text, "title_in_text": g.TitleInText,
				"authors": g.Authors, "date": g.Date, "with": g.With, "without": g.Without,
			})
			found[last] = append(found[last], map[string]any{
				"id": id, "title": x.out.Title, "text": x.out.Text, "authors": x.out.Authors, "date": x.out.Date,
			})
		}
	}
	in, err := json.Marshal(map[string]any{"gold": gold, "found": found})
	if err != nil {
		t.Fatal(err)
	}
	const call = `
import json, sys
sys.path.insert(0, sys.argv[1])
sys.dont_write_bytecode = True
import score
score.round = lambda x, digits: x
lists = json.load(sys.stdin)
outs = []
for gold, found in zip(lists["gold"], lists["found"]):
    out, _ = score.score(gold, {p["id"]: p for p in found})
    outs.append({f"{k}.{i}": x for k, v in out.items() for i, x in enumerate(v if isinstance(v, list) else [v])})
json.dump(outs, sys.stdout)
`
	cmd := exec.Command(python, "-c", call, filepath.Dir(script))
	cmd.Stdin = bytes.NewReader(in)
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	var figures []map[string]float64
	if err := json.Unmarshal(out, &figures); err != nil {
		t.Fatal(err)
	}
	return figures
}

// checkFigures compares the figures of this package with those of score.py.
func checkFigures(t *testing.T, what string, list []example, want map[string]float64) {
	t.Helper()
	pages := map[string][][]float64{}
	for _, x := range list {
		for _, m := range All() {
			if v := m.Page(&x.gold, &x.out); v != nil {
				pages[m.Name] = append(pages[m.Name], v)
			}
		}
	}
	for _, m := range All() {
		names := refereeFigures[m.Name]
		figures := Figures(m, pages[m.Name])
		for i, name := range names {
			w, known := want[name]
			switch {
			case !known && (figures == nil || name == "snippet.0" || name == "snippet.1" || name == "snippet.2"):
				// score.py omits snippets if none is found and none is missed.
			case !known || figures == nil:
				t.Errorf("%s, %s %s: got %v, score.py has %v (%v)", what, m.Name, m.Figures[i], figures, w, known)
			case math.Abs(figures[i]-w) > 1e-9:
				t.Errorf("%s, %s %s: got %v, score.py has %v", what, m.Name, m.Figures[i], figures[i], w)
			}
		}
	}
}

// edgeCases are made-up pages with their gold and an output.
var edgeCases = []example{
	{},
	{corpus.Gold{Text: " "}, Output{}},
	{corpus.Gold{Text: "…"}, Output{Text: "word"}},
	{corpus.Gold{Text: "The ferry is late."}, Output{}},
	{corpus.Gold{Text: " ", TitleInText: true}, Output{Title: "Ferry late"}},
	{corpus.Gold{Text: "The ferry"}, Output{Text: "the ferry"}},
	{corpus.Gold{Text: "The ferry"}, Output{Text: "The ferry!"}},
	{corpus.Gold{Text: "The ferry is"}, Output{Text: "The ferry is late"}},
	{corpus.Gold{Text: "The ferry is late"}, Output{Text: "The ferry is"}},
	{corpus.Gold{Text: "a a a a a a a"}, Output{Text: "a a a a a"}},
	{corpus.Gold{Text: "a b a b a b a b a"}, Output{Text: "b a b a b a x a b a b"}},
	{
		corpus.Gold{Title: "Ferry late", Text: "The ferry is late, and it is the fog.", Authors: []string{"Ann Quay", "Bo Pier"}, Date: "2024-05-14"},
		Output{Title: "FERRY – late!", Text: "The ferry is late. It is the tide.", Authors: []string{"By Ann Quay, Harbour Post"}, Date: "2024-05-14T23:59:59+02:00"},
	},
	{
		corpus.Gold{Title: "Ferry late", Text: "Ferry late\nThe ferry is late, and it is the fog.", TitleInText: true, Date: "14 May 2024"},
		Output{Title: "Ferry late", Text: "The ferry is late. It is the tide.", Date: "2024-05-14"},
	},
	{
		corpus.Gold{Title: "Ferry late", Text: "Ferry late\nThe ferry is late.", TitleInText: true, Date: "on 2024-05-14 at noon"},
		Output{Title: "Late", Text: "FERRY LATE. The ferry is late.", Date: "2024-05-15"},
	},
	{corpus.Gold{Text: "Ferry late\nThe ferry is late.", TitleInText: true}, Output{Text: "The ferry is late."}},
	{corpus.Gold{Text: "The tide is low.", Title: "Low", Authors: []string{"Cy"}, Date: "2020-01-02"}, Output{Title: "Low", Text: "The tide is low."}},
	{
		corpus.Gold{Text: "straße größer strasse", TitleInText: true, Title: "DAS MEER", Authors: []string{"Jörg Düne"}},
		Output{Title: "Das Meer", Text: "Straße, STRASSE, straße; größer Größer", Authors: []string{"JÖRG", "DÜNE"}},
	},
	{
		corpus.Gold{Text: "Οδός των γλάρων. Ο ΓΛΆΡΟΣ σας κοιτά.", TitleInText: true, With: []string{"ΟΔΟΣ", "Ο γλάρος"}, Without: []string{"ΣΑΣ  κοιτά", "σας\u00a0κοιτά."}},
		Output{Title: "Ο ΓΛΑΡΟΣ", Text: "ΟΔΟΣ ΤΩΝ ΓΛΑΡΩΝ. Ο γλάρος ΣΑΣ κοιτά."},
	},
	{corpus.Gold{Text: "渡轮今天因为大雾晚点。2024年", TitleInText: true, Title: "潮汐表"}, Output{Title: "潮汐", Text: "渡轮今天晚点，因为潮汐。２０２４年"}},
	{corpus.Gold{Text: "カモメは港にいる"}, Output{Title: "カモメ", Text: "ｶﾓﾒは港にいる・たぶん"}},
	{corpus.Gold{Text: "갈매기는 항구에 없다", TitleInText: true}, Output{Title: "갈매기", Text: "갈매기가 항구에 있다"}},
	{corpus.Gold{Text: "чайки над Гаванью й ё"}, Output{Title: "Чайки", Text: "ЧАЙКИ над гаванью й ё"}},
	{corpus.Gold{Text: "izmir ilik fine 1 x2 1⁄2 xii", With: []string{"ＦＩＮＥ", "İzmir"}}, Output{Title: "İzmir", Text: "İzmir ILIK ﬁne ① x² ½ Ⅻ"}},
	{corpus.Gold{Text: "النوارس فوق الميناء 12", TitleInText: true, Date: "٢٠٢٤-٠٥-١٤"}, Output{Title: "نوارس", Text: "النَّوارس فوق الميناء ١٢", Date: "٢٠٢٤-٠٥-١٤"}},
	{corpus.Gold{Text: "שלום מעל הנמל"}, Output{Title: "שחפים", Text: "שָׁלוֹם מעל הנמל"}},
	{corpus.Gold{Text: "snake case dont reread été softhyphen"}, Output{Text: "snake_case don't re-read e\u0301t\u00e9 \u200b soft\u00adhyphen"}},
	{
		corpus.Gold{With: []string{"the low  tide", "", "nowhere"}, Without: []string{"Cookies", "sign\x1cup"}},
		Output{Title: "Cookies", Text: "At\tthe\n LOW\u2003tide they\x85sign \x1d up."},
	},
	{corpus.Gold{Without: []string{"cookies"}}, Output{Text: "None."}},
	{corpus.Gold{Title: "…"}, Output{Title: "!"}},
	{corpus.Gold{Title: "Re read"}, Output{Title: "Reread"}},
	{corpus.Gold{Authors: []string{"…", "Dee"}}, Output{}},
}

// TestReferee compares the measures with score.py on edge cases, each by itself
// and all together.
func TestReferee(t *testing.T) {
	t.Parallel()
	var lists [][]example
	for _, x := range edgeCases {
		lists = append(lists, []example{x})
	}
	lists = append(lists, edgeCases)
	for i, want := range referee(t, lists) {
		checkFigures(t, fmt.Sprintf("list %d", i), lists[i], want)
	}
}

// TestRefereeReal compares the measures with score.py on the gold of real pages.
// The output is the gold with some words removed and repeated.
func TestRefereeReal(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"fundus-publishers", "chinese", "trafilatura", "l3s-gn1", "cleanportaleval"} {
		t.Run(name, func(t *testing.T) {
			var list []example
			for i, g := range readCorpus(t, name).Gold {
				if i%testkit.Step(4, 43) != 0 {
					continue
				}
				text := g.Text
				if text == "" { // some of the snippets that must and must not be there
					text = strings.Join(slices.Concat(g.With[len(g.With)/3:], g.Without[:len(g.Without)/2]), "\n")
				}
				out := Output{Title: g.Title, Text: damage(text, i), Authors: g.Authors[len(g.Authors)/2:], Date: g.Date}
				if i%3 == 0 {
					out.Title, out.Date = strings.ToUpper(out.Title), "2024-05-14"
				}
				if i%5 == 0 {
					out.Title = damage(out.Title, i)
				}
				list = append(list, example{g, out})
			}
			checkFigures(t, name, list, referee(t, [][]example{list})[0])
		})
	}
}

// damage removes and repeats words, depending on the seed.
func damage(text string, seed int) string {
	if seed%7 == 0 {
		return text
	}
	var words []string
	for i, w := range strings.SplitAfter(text, " ") {
		switch (i*31 + seed*17) % (5 + 8*(seed%11)) {
		case 0:
		case 1:
			words = append(words, w, w)
		case 2:
			words = append(words, strings.ToUpper(w))
		default:
			words = append(words, w)
		}
	}
	return strings.Join(words, "")
}

// readCorpus opens a corpus, or skips the test if it does not exist.
func readCorpus(t testing.TB, name string) *corpus.Corpus {
	t.Helper()
	c, err := corpus.Open(testkit.Corpus(t, name))
	if err != nil {
		t.Fatal(err)
	}
	return c
}
