package metadata

import (
	"slices"
	"strings"
	"testing"

	"github.com/lede-news/lede/dom"
)

func TestEastAsianNames(t *testing.T) {
	for _, test := range []struct {
		lang string
		line string
		want string
	}{
		{"zh", "本报记者 王小明 李红", "王小明 李红"},
		{"zh", "河湾晚报·潮汐记者王小明/文 受访者供图", "王小明"},
		{"zh", "市里将继续改善航道。（记者 欧阳听澜）", "欧阳听澜"},
		{"zh", "河湾网5月3日电 (记者 王小明 通讯员 李红)昨天上午，渡口重新开放。", "王小明 李红"},
		{"zh", "南岸日报讯 (记者/王小明 通讯员/李红)渡口重新开放。", "王小明 李红"},
		{"zh", "【河灣報╱記者王小明／港口報導】", "王小明"},
		{"zh", "【河灣社記者王小明港口5日電】", "王小明"},
		{"zh", "来源：河湾网 作者：王小明", "王小明"},
		{"zh", "文/王小明", "王小明"},
		{"zh", "文 | 王小明 编辑 | 李红", "王小明"},
		{"zh", "（王小明 南岸报道）", "王小明"},
		{"zh", "2024年7月16日08:19 [ 王小明 ] 来源：河湾网", "王小明"},
		{"zh", "新京湾报记者 王小明 南岸县报道", "王小明"},
		{"zh", "执笔人：王小明 李红", "王小明 李红"},
		{"zh", "记者从市规划局获悉", ""},
		{"zh", "记者 李明从市局了解到，大桥将于明年完工。", ""},
		{"zh", "责任编辑：王小明", ""},
		{"zh", "本报记者 王小明 摄", ""},
		{"zh", "港口的清晨。河湾社记者王小明摄", ""},
		{"zh", "来源：河湾日报", ""},
		{"zh", "中文/英文", ""},
		{"ja", "文・浜田太郎", "浜田太郎"},
		{"ja", "取材・文＝浜田太郎", "浜田太郎"},
		{"ja", "浜田太郎記者", "浜田太郎"},
		{"ja", "【浜田太郎、森花子】", "浜田太郎 森花子"},
		{"ja", "執筆：浜田太郎", "浜田太郎"},
		{"ja", "【写真特集】", ""},
		{"ja", "文化庁は新しい方針を決めた", ""},
		{"ja", "本紙記者", ""},
		{"ko", "김하늘 기자", "김하늘"},
		{"ko", "[나루=강변뉴스] 김하늘·이바다 기자 = 다리가 열렸다.", "김하늘 이바다"},
		{"ko", "(나루=강변) 김하늘 특파원 harbour@paper.example", "김하늘"},
		{"ko", "글 김하늘", "김하늘"},
		{"ko", "현장에 있던 한 기자 는 이렇게 말했다", ""},
		{"ko", "이날 기자 회견에서", ""},
		{"ko", "글로벌 시장이 흔들렸다", ""},
	} {
		read := eastAsianLanguages()[test.lang]
		if got := strings.Join(read.names(test.line), " "); got != test.want {
			t.Errorf("%q: got %q, want %q", test.line, got, test.want)
		}
	}
}

// A byline may be the last line of the story, below it, or below the headline.
func TestEastAsianBylines(t *testing.T) {
	const story = "<p>渡口昨天上午重新开放，两岸居民一早就排起了长队，第一班船在八点零五分离岸，船上坐满了人。</p>" +
		"<p>负责人说，今后每天往返二十班，周末另外加开四班，票价在年底之前不会变化，学生可以免费乘船。</p>"
	for _, test := range []struct{ page, want string }{
		{`<h1>渡口重新开放</h1>` + story + `<p>河湾日报记者 王小明 李红</p>`, "王小明 李红"},
		{`<ul><li><a href="/r">记者江湖</a></ul><h1>渡口重新开放</h1>` + story, ""},
		{`<h1>渡口重新开放</h1>` + story + `<p>编辑：<span>金山</span></p><p>作者：王小明</p>`, "王小明"},
	} {
		d := parse(t, `<html lang="zh"><body>`+test.page)
		opts := Options{}
		for n := range d.Len() {
			if text := d.Text(dom.Node(n)); d.IsText(dom.Node(n)) && strings.HasPrefix(text, "渡口昨天") {
				opts.Body = dom.Node(n)
			} else if d.IsText(dom.Node(n)) && strings.HasPrefix(text, "负责人说") {
				opts.End = dom.Node(n)
			}
		}
		var names []string
		for _, a := range Read(d, opts).Authors {
			names = append(names, a.Name)
		}
		if want := strings.Fields(test.want); !slices.Equal(names, want) {
			t.Errorf("%s: got %q, want %q", test.page, names, want)
		}
	}
}
