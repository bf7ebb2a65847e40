package measure

import (
	"bytes"
	"encoding/json"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/lede-news/lede/eval/corpus"
)

// made-up pages: the gold, and what an extractor might have found.
var rounds = []struct {
	Title       string `json:"title"`
	Text        string `json:"text"`
	Gold        string `json:"gold"`
	TitleInText bool   `json:"title_in_text"`
}{
	{"", "", "", false},
	{"", "", "The ferry is late.", false},
	{"Ferry late", "", "", true},
	{"Ferry late", "The ferry is late. It is the tide.", "The ferry is late, and it is the fog.", false},
	{"Ferry late", "The ferry is late. It is the tide.", "Ferry late\nThe ferry is late, and it is the fog.", true},
	{"Ferry late", "FERRY LATE. The ferry is late.", "Ferry late\nThe ferry is late.", true},
	{"", "The ferry is late.", "Ferry late\nThe ferry is late.", true},
	{"Das Meer", "Straße, STRASSE, straße; größer Größer", "straße größer strasse", true},
	{"Ο ΓΛΑΡΟΣ", "ΟΔΟΣ ΤΩΝ ΓΛΑΡΩΝ. Ο γλάρος ΣΑΣ κοιτά.", "Οδός των γλάρων. Ο ΓΛΆΡΟΣ σας κοιτά.", true},
	{"潮汐表", "渡轮今天晚点，因为潮汐。２０２４年", "渡轮今天因为大雾晚点。2024年", true},
	{"カモメ", "ｶﾓﾒは港にいる・たぶん", "カモメは港にいる", false},
	{"갈매기", "갈매기가 항구에 있다", "갈매기는 항구에 없다", true},
	{"Чайки", "ЧАЙКИ над гаванью й ё", "чайки над Гаванью й ё", false},
	{"İzmir", "İzmir ILIK ﬁne ① x² ½ Ⅻ", "izmir ilik fine 1 x2 1⁄2 xii", false},
	{"نوارس", "النَّوارس فوق الميناء ١٢", "النوارس فوق الميناء 12", true},
	{"שחפים", "שָׁלוֹם מעל הנמל", "שלום מעל הנמל", false},
	{"snake", "snake_case don't re-read e\u0301t\u00e9 \u200b soft\u00adhyphen", "snake case dont reread été softhyphen", false},
}

// TestReferee holds the arithmetic against score.py, which is independent of
// this package.
func TestReferee(t *testing.T) {
	script := filepath.Join("..", "..", "..", "shared", "tools", "score.py")
	if _, err := os.Stat(script); err != nil {
		t.Skip("no score.py beside the repository to agree with")
	}
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("no python3 to run score.py with")
	}
	in, err := json.Marshal(rounds)
	if err != nil {
		t.Fatal(err)
	}
	const call = `
import json, sys
sys.path.insert(0, sys.argv[1])
sys.dont_write_bytecode = True
import score
rows = []
for c in json.load(sys.stdin):
    gold = {"id": "x", "text": c["gold"] or " ", "title_in_text": c["title_in_text"]}
    _, got = score.score([gold], {"x": {"id": "x", "title": c["title"], "text": c["text"]}})
    rows.append([got[0]["p"], got[0]["r"], got[0]["f1"]])
json.dump(rows, sys.stdout)
`
	cmd := exec.Command(python, "-c", call, filepath.Dir(script))
	cmd.Stdin = bytes.NewReader(in)
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	var want [][3]float64
	if err := json.Unmarshal(out, &want); err != nil {
		t.Fatal(err)
	}
	for i, c := range rounds {
		g := corpus.Gold{Text: c.Gold, TitleInText: c.TitleInText}
		got := Score(&g, c.Title, c.Text)
		if math.Abs(got.P-want[i][0])+math.Abs(got.R-want[i][1])+math.Abs(got.F1-want[i][2]) > 1e-9 {
			t.Errorf("%q for %q: got %v, the referee says %v", c.Text, c.Gold, got, want[i])
		}
	}
}
