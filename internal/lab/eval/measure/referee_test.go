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

// goldLine and foundLine are the input of score.py for a page.
type (
	goldLine struct {
		ID          string   `json:"id"`
		Title       string   `json:"title,omitempty"`
		Text        string   `json:"text,omitempty"`
		TitleInText bool     `json:"title_in_text,omitempty"`
		Authors     []string `json:"authors,omitempty"`
		Date        string   `json:"date,omitempty"`
		With        []string `json:"with,omitempty"`
		Without     []string `json:"without,omitempty"`
	}
	foundLine struct {
		ID      string   `json:"id"`
		Title   string   `json:"title"`
		Text    string   `json:"text"`
		Authors []string `json:"authors"`
		Date    string   `json:"date"`
	}
)

// refereeFigures has the names of the figures in score.py by measure.
var refereeFigures = map[string][]string{
	"bag":     {"bag.0", "bag.1", "bag.2", "bag_ge90.0"},
	"shingle": {"shingle.0", "shingle.1", "shingle.2", "exact.0"},
	"snippet": {"snippet.0", "snippet.1", "snippet.2"},
	"title":   {"title.0", "titleF1.0"},
	"author":  {"author.0"},
	"date":    {"date.0"},
}

// referee scores lists of pages with score.py, which is independent of this
// package, without its rounding.
func referee(t *testing.T, gold [][]goldLine, found [][]foundLine) []map[string]float64 {
	t.Helper()
	script := testkit.Shared("tools", "score.py")
	if _, err := os.Stat(script); err != nil {
		t.Skip("no ../shared/tools/score.py beside the repository")
	}
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("no python3 to run score.py")
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
func checkFigures(t *testing.T, what string, gold []goldLine, found []foundLine, want map[string]float64) {
	t.Helper()
	pages := map[string][][]float64{}
	for i, g := range gold {
		page := &corpus.Gold{
			ID: g.ID, Title: g.Title, Text: g.Text, TitleInText: g.TitleInText,
			Authors: g.Authors, Date: g.Date, With: g.With, Without: g.Without,
		}
		f := found[i]
		for _, m := range All() {
			if v := m.Page(page, &Output{Title: f.Title, Text: f.Text, Authors: f.Authors, Date: f.Date}); v != nil {
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
var edgeCases = []struct {
	gold  goldLine
	found foundLine
}{
	{},
	{goldLine{Text: " "}, foundLine{}},
	{goldLine{Text: "…"}, foundLine{Text: "word"}},
	{goldLine{Text: "The ferry is late."}, foundLine{}},
	{goldLine{Text: " ", TitleInText: true}, foundLine{Title: "Ferry late"}},
	{goldLine{Text: "The ferry"}, foundLine{Text: "the ferry"}},
	{goldLine{Text: "The ferry"}, foundLine{Text: "The ferry!"}},
	{goldLine{Text: "The ferry is"}, foundLine{Text: "The ferry is late"}},
	{goldLine{Text: "The ferry is late"}, foundLine{Text: "The ferry is"}},
	{goldLine{Text: "a a a a a a a"}, foundLine{Text: "a a a a a"}},
	{goldLine{Text: "a b a b a b a b a"}, foundLine{Text: "b a b a b a x a b a b"}},
	{
		goldLine{Title: "Ferry late", Text: "The ferry is late, and it is the fog.", Authors: []string{"Ann Quay", "Bo Pier"}, Date: "2024-05-14"},
		foundLine{Title: "FERRY – late!", Text: "The ferry is late. It is the tide.", Authors: []string{"By Ann Quay, Harbour Post"}, Date: "2024-05-14T23:59:59+02:00"},
	},
	{
		goldLine{Title: "Ferry late", Text: "Ferry late\nThe ferry is late, and it is the fog.", TitleInText: true, Date: "14 May 2024"},
		foundLine{Title: "Ferry late", Text: "The ferry is late. It is the tide.", Date: "2024-05-14"},
	},
	{
		goldLine{Title: "Ferry late", Text: "Ferry late\nThe ferry is late.", TitleInText: true, Date: "on 2024-05-14 at noon"},
		foundLine{Title: "Late", Text: "FERRY LATE. The ferry is late.", Date: "2024-05-15"},
	},
	{goldLine{Text: "Ferry late\nThe ferry is late.", TitleInText: true}, foundLine{Text: "The ferry is late."}},
	{goldLine{Text: "The tide is low.", Title: "Low", Authors: []string{"Cy"}, Date: "2020-01-02"}, foundLine{Title: "Low", Text: "The tide is low."}},
	{
		goldLine{Text: "straße größer strasse", TitleInText: true, Title: "DAS MEER", Authors: []string{"Jörg Düne"}},
		foundLine{Title: "Das Meer", Text: "Straße, STRASSE, straße; größer Größer", Authors: []string{"JÖRG", "DÜNE"}},
	},
	{
		goldLine{Text: "Οδός των γλάρων. Ο ΓΛΆΡΟΣ σας κοιτά.", TitleInText: true, With: []string{"ΟΔΟΣ", "Ο γλάρος"}, Without: []string{"ΣΑΣ  κοιτά", "σας\u00a0κοιτά."}},
		foundLine{Title: "Ο ΓΛΑΡΟΣ", Text: "ΟΔΟΣ ΤΩΝ ΓΛΑΡΩΝ. Ο γλάρος ΣΑΣ κοιτά."},
	},
	{goldLine{Text: "渡轮今天因为大雾晚点。2024年", TitleInText: true, Title: "潮汐表"}, foundLine{Title: "潮汐", Text: "渡轮今天晚点，因为潮汐。２０２４年"}},
	{goldLine{Text: "カモメは港にいる"}, foundLine{Title: "カモメ", Text: "ｶﾓﾒは港にいる・たぶん"}},
	{goldLine{Text: "갈매기는 항구에 없다", TitleInText: true}, foundLine{Title: "갈매기", Text: "갈매기가 항구에 있다"}},
	{goldLine{Text: "чайки над Гаванью й ё"}, foundLine{Title: "Чайки", Text: "ЧАЙКИ над гаванью й ё"}},
	{goldLine{Text: "izmir ilik fine 1 x2 1⁄2 xii", With: []string{"ＦＩＮＥ", "İzmir"}}, foundLine{Title: "İzmir", Text: "İzmir ILIK ﬁne ① x² ½ Ⅻ"}},
	{goldLine{Text: "النوارس فوق الميناء 12", TitleInText: true, Date: "٢٠٢٤-٠٥-١٤"}, foundLine{Title: "نوارس", Text: "النَّوارس فوق الميناء ١٢", Date: "٢٠٢٤-٠٥-١٤"}},
	{goldLine{Text: "שלום מעל הנמל"}, foundLine{Title: "שחפים", Text: "שָׁלוֹם מעל הנמל"}},
	{goldLine{Text: "snake case dont reread été softhyphen"}, foundLine{Text: "snake_case don't re-read e\u0301t\u00e9 \u200b soft\u00adhyphen"}},
	{
		goldLine{With: []string{"the low  tide", "", "nowhere"}, Without: []string{"Cookies", "sign\x1cup"}},
		foundLine{Title: "Cookies", Text: "At\tthe\n LOW\u2003tide they\x85sign \x1d up."},
	},
	{goldLine{Without: []string{"cookies"}}, foundLine{Text: "None."}},
	{goldLine{Title: "…"}, foundLine{Title: "!"}},
	{goldLine{Title: "Re read"}, foundLine{Title: "Reread"}},
	{goldLine{Authors: []string{"…", "Dee"}}, foundLine{}},
}

// TestReferee compares the measures with score.py on edge cases, each by itself
// and all together.
func TestReferee(t *testing.T) {
	t.Parallel()
	var gold [][]goldLine
	var found [][]foundLine
	var allGold []goldLine
	var allFound []foundLine
	for i, c := range edgeCases {
		c.gold.ID, c.found.ID = fmt.Sprint(i), fmt.Sprint(i)
		gold, allGold = append(gold, []goldLine{c.gold}), append(allGold, c.gold)
		found, allFound = append(found, []foundLine{c.found}), append(allFound, c.found)
	}
	gold, found = append(gold, allGold), append(found, allFound)
	for i, want := range referee(t, gold, found) {
		checkFigures(t, fmt.Sprintf("list %d", i), gold[i], found[i], want) // the last has all pages
	}
}

// TestRefereeReal compares the measures with score.py on the gold of real pages.
// The output is the gold with some words removed and repeated.
func TestRefereeReal(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"fundus-publishers", "chinese", "trafilatura", "l3s-gn1", "cleanportaleval"} {
		t.Run(name, func(t *testing.T) {
			var gold []goldLine
			var found []foundLine
			for i, g := range readCorpus(t, name).Gold {
				if i%testkit.Step(4, 43) != 0 {
					continue
				}
				gold = append(gold, goldLine{
					ID: g.ID, Title: g.Title, Text: g.Text, TitleInText: g.TitleInText,
					Authors: g.Authors, Date: g.Date, With: g.With, Without: g.Without,
				})
				text := g.Text
				if text == "" { // some of the snippets that must and must not be there
					text = strings.Join(slices.Concat(g.With[len(g.With)/3:], g.Without[:len(g.Without)/2]), "\n")
				}
				f := foundLine{ID: g.ID, Title: g.Title, Text: damage(text, i), Authors: g.Authors[len(g.Authors)/2:], Date: g.Date}
				if i%3 == 0 {
					f.Title, f.Date = strings.ToUpper(f.Title), "2024-05-14"
				}
				if i%5 == 0 {
					f.Title = damage(f.Title, i)
				}
				found = append(found, f)
			}
			for _, want := range referee(t, [][]goldLine{gold}, [][]foundLine{found}) {
				checkFigures(t, name, gold, found, want)
			}
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
	c, err := corpus.Open(testkit.Corpus(t, name), corpus.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return c
}
