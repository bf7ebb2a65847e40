package stories

import (
	"bufio"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/lede-news/lede"
	"github.com/lede-news/lede/internal/lab/testkit"
	"github.com/lede-news/lede/internal/parallel"
)

// judged is a pair of articles with people's judgement.
type judged struct {
	A, B, Lang string
	Overall    float64 // 1 for the same story, 4 for unrelated ones
}

// readPairs returns the judged pairs and their articles, as lede extracts them.
func readPairs(t *testing.T) ([]judged, map[string]*Article) {
	dir := testkit.Shared("pairs")
	file, err := os.Open(filepath.Join(dir, "pairs.jsonl"))
	if err != nil {
		t.Skipf("there are no judged pairs: %v", err)
	}
	defer file.Close()
	var pairs []judged
	var ids []string
	for lines := bufio.NewScanner(file); lines.Scan(); {
		var p judged
		if err := json.Unmarshal(lines.Bytes(), &p); err != nil {
			t.Fatal(err)
		}
		pairs, ids = append(pairs, p), append(ids, p.A, p.B)
	}
	slices.Sort(ids)
	ids = slices.Compact(ids)
	list := make([]*Article, len(ids))
	parallel.For(len(ids), 0, func(i int) { list[i] = readArticle(t, filepath.Join(dir, "pages", ids[i]+".html.gz")) })
	articles := map[string]*Article{}
	for i, id := range ids {
		articles[id] = list[i]
	}
	return pairs, articles
}

func readArticle(t *testing.T, path string) *Article {
	file, err := os.Open(path)
	if err != nil {
		t.Error(err)
		return &Article{}
	}
	defer file.Close()
	page, err := gzip.NewReader(file)
	if err != nil {
		t.Error(err)
		return &Article{}
	}
	a, err := lede.Extract(t.Context(), page)
	if err != nil {
		t.Logf("%s: %v", path, err)
		return &Article{}
	}
	return &Article{Title: a.Title, Text: a.Text(), Lang: a.Lang, Published: a.Published.Time}
}

// correlations returns Pearson's correlation of scores with minus the judgement,
// over all pairs and for each language.
func correlations(pairs []judged, scores []float64) map[string]float64 {
	type sums struct{ n, x, y, xx, yy, xy float64 }
	groups := map[string]*sums{}
	for i, p := range pairs {
		for _, name := range []string{"all", p.Lang} {
			s := groups[name]
			if s == nil {
				s = &sums{}
				groups[name] = s
			}
			x, y := scores[i], -p.Overall
			*s = sums{s.n + 1, s.x + x, s.y + y, s.xx + x*x, s.yy + y*y, s.xy + x*y}
		}
	}
	out := map[string]float64{}
	for name, s := range groups {
		out[name] = (s.xy - s.x*s.y/s.n) / math.Sqrt((s.xx-s.x*s.x/s.n)*(s.yy-s.y*s.y/s.n))
	}
	return out
}

func show(r map[string]float64) string {
	out := fmt.Sprintf("all %.3f", r["all"])
	for _, lang := range []string{"de", "en", "es", "pl", "tr"} {
		out += fmt.Sprintf(", %s %.3f", lang, r[lang])
	}
	return out
}

// TestPairs compares the likeness with the judgement of people, on real pages in five
// languages.
func TestPairs(t *testing.T) {
	pairs, articles := readPairs(t)
	checkCorrelations(t, "with the frequencies of these articles", correlations(pairs, judge(pairs, articles, true)), 0.86, 0.78)
	checkCorrelations(t, "without frequencies", correlations(pairs, judge(pairs, articles, false)), 0.83, 0.78)
}

func checkCorrelations(t *testing.T, what string, r map[string]float64, all, each float64) {
	t.Logf("%s: %s", what, show(r))
	for name, x := range r {
		if name == "all" && x < all || x < each {
			t.Errorf("%s: the correlation is %.3f for %s; it must be %.2f over all and %.2f in each language", what, x, name, all, each)
		}
	}
}

// judge returns the likeness of the articles of each pair.
func judge(pairs []judged, articles map[string]*Article, count bool) []float64 {
	var f Frequencies
	terms := map[string]*Terms{}
	for id, a := range articles {
		terms[id] = NewTerms(a)
		if count {
			f.Add(terms[id])
		}
	}
	scores := make([]float64, len(pairs))
	for i, p := range pairs {
		scores[i] = Likeness(f.Weigh(terms[p.A]), f.Weigh(terms[p.B]))
	}
	return scores
}

// TestOtherLanguages checks languages that the pairs do not have, on made-up articles: two
// reports on an event are more alike than reports on other events.
func TestOtherLanguages(t *testing.T) {
	for lang, text := range map[string][3]string{
		"zh": {"市长周一关闭了河上的旧桥\n工程师发现桥墩有裂缝", "河上旧桥因裂缝关闭\n市长说工程师正在检查桥墩", "农民今年提前两周开始收割小麦\n天气干燥炎热"},
		"ja": {"市長は月曜日、川にかかる古い橋を閉鎖した\n技術者が橋脚に亀裂を見つけた", "古い橋が亀裂のため閉鎖された\n技術者が橋脚を調べている", "農家は今年、二週間早く小麦の収穫を始めた\n天候は乾燥していた"},
		"ar": {"أغلق رئيس البلدية الجسر القديم يوم الاثنين\nوجد المهندسون شقا في الجسر", "إغلاق جسر قديم بعد العثور على شق\nقال المهندسون إن رئيس البلدية أغلقه", "بدأ المزارعون حصاد القمح قبل أسبوعين\nكان الطقس جافا"},
		"ru": {"Мэр закрыл старый мост в понедельник\nИнженеры нашли трещину в опоре", "Старый мост закрыт из-за трещины\nИнженеры проверяют опоры моста, сказал мэр", "Фермеры начали уборку пшеницы на две недели раньше\nПогода была сухой"},
		"ko": {"시장은 월요일 강의 낡은 다리를 폐쇄했다\n기술자들이 교각에서 균열을 발견했다", "낡은 다리가 균열 때문에 폐쇄됐다\n기술자들이 교각을 조사한다", "농부들은 올해 밀 수확을 두 주 일찍 시작했다\n날씨가 건조했다"},
		"th": {"นายกเทศมนตรีปิดสะพานเก่าเมื่อวันจันทร์\nวิศวกรพบรอยร้าวที่เสา", "สะพานเก่าถูกปิดเพราะรอยร้าว\nวิศวกรกำลังตรวจเสาสะพาน", "เกษตรกรเริ่มเก็บเกี่ยวข้าวเร็วกว่าปกติ\nอากาศแห้ง"},
	} {
		var f Frequencies
		var v [3]*Vector
		for i := range text {
			title, body, _ := strings.Cut(text[i], "\n")
			v[i] = f.Weigh(NewTerms(&Article{Title: title, Text: body, Lang: lang}))
		}
		same, other := Likeness(v[0], v[1]), max(Likeness(v[0], v[2]), Likeness(v[1], v[2]))
		if same < 0.25 || same < 2*other {
			t.Errorf("%s: likeness %.2f of the same event, %.2f of others", lang, same, other)
		}
	}
}
