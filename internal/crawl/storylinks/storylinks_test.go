package storylinks

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/lede-news/lede/dom"
)

func parse(t testing.TB, page string) *dom.Document {
	t.Helper()
	d, err := dom.Parse(context.Background(), []byte(page), dom.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return d
}

const home = `<nav><a href="/politics">Politics</a> <a href="/sport/">Sport</a> <a href="/login">Log in</a></nav>
<h2><a href="/2024/05/17/cranes-return-to-the-harbour-after-ten-years/">Cranes return to the harbour after ten years</a></h2>
<a href="/2024/05/17/ferry-runs-aground-off-the-northern-pier/">Ferry runs aground off the northern pier</a>
<a href="/2024/05/17/ferry-runs-aground-off-the-northern-pier/#comments">12 comments</a>
<a href="#top">To the top</a> <a href="mailto:desk@quay.example">Write to us</a>
<footer><a href="/privacy-policy">Privacy Policy</a> <a href="https://www.facebook.com/quay">Facebook</a></footer>`

func TestJudge(t *testing.T) {
	want := map[string]bool{
		"https://quay.example/2024/05/17/cranes-return-to-the-harbour-after-ten-years/": true,
		"https://quay.example/2024/05/17/ferry-runs-aground-off-the-northern-pier/":     true,
	}
	sections := map[string]bool{"https://quay.example/politics": true, "https://quay.example/sport/": true}
	got := Judge(parse(t, home), "https://quay.example/")
	if len(got) != 7 {
		t.Errorf("%d links", len(got))
	}
	for _, v := range got {
		if v.Story != want[v.URL] || v.Section != sections[v.URL] || v.Why == "" || v.Node == dom.None {
			t.Errorf("%+v", v)
		}
	}
}

func TestElements(t *testing.T) {
	got := Elements(parse(t, home), "https://quay.example/")
	want := []string{
		"https://quay.example/politics", "https://quay.example/sport/", "https://quay.example/login",
		"https://quay.example/2024/05/17/cranes-return-to-the-harbour-after-ten-years/",
		"https://quay.example/2024/05/17/ferry-runs-aground-off-the-northern-pier/",
		"https://quay.example/2024/05/17/ferry-runs-aground-off-the-northern-pier/#comments",
		"https://quay.example/#top", "mailto:desk@quay.example", "https://quay.example/privacy-policy", "https://www.facebook.com/quay",
	}
	if len(got) != len(want) {
		t.Fatalf("%d elements, not %d", len(got), len(want))
	}
	for i, v := range got {
		if v.URL != want[i] || v.Story != (i >= 3 && i <= 5) || v.Why == "" {
			t.Errorf("%+v, want %s", v, want[i])
		}
	}
	if got[4].Score != got[5].Score || got[5].Text != "12 comments" {
		t.Errorf("%+v and %+v", got[4], got[5])
	}
}

// TestLanguages judges links of papers in several languages and scripts, with
// addresses that name the story and with those that have only a number.
func TestLanguages(t *testing.T) {
	stories := []Address{
		{"https://quay.example/politik/hafen-von-marston-wird-nach-zehn-jahren-erweitert-a-1234567.html", "Hafen von Marston wird nach zehn Jahren erweitert"},
		{"https://quay.example/2024/05/17/el-puerto-de-marston-se-ampliara-tras-diez-anos/", "El puerto de Marston se ampliará tras diez años"},
		{"https://quay.example/news/2024/05/17/48151623.html", "Гавань Марстона будет расширена через десять лет"},
		{"https://quay.example/2024-05/17/content_2555338.htm", "马斯顿港口十年后将扩建的消息引发市民热议"},
		{"https://quay.example/wiadomosci/port-w-marston-zostanie-rozbudowany-po-dziesieciu-latach,58231.html", "Port w Marston zostanie rozbudowany po dziesięciu latach"},
		{"https://quay.example/article/politics/20240517/563214/to-limani-tou-marston-epekteinetai/", "Το λιμάνι του Μάρστον επεκτείνεται μετά από δέκα χρόνια"},
	}
	others := []Address{
		{"https://quay.example/politik/", "Politik"}, {"https://quay.example/impressum", "Impressum"}, {"https://quay.example/datenschutz.html", "Datenschutz"},
		{"https://quay.example/economia", "Economía"}, {"https://quay.example/suscripciones/", "Suscríbete"}, {"https://quay.example/rubric/sport/", "Спорт"},
		{"https://quay.example/contacts", "Контакты"}, {"https://quay.example/sports/", "体育"}, {"https://quay.example/about", "关于我们"},
		{"https://quay.example/autor/ann-reed", "Ann Reed"}, {"https://quay.example/tag/hafen", "Hafen"}, {"https://twitter.com/quay", "Twitter"},
		{"https://www.facebook.com/sharer/sharer.php?u=https%3A%2F%2Fquay.example%2F2024%2F05%2F17%2Fcranes", "Teilen"},
		{"https://quay.example/sponsored/a-bank-that-cares-for-you-and-your-family", "A bank that cares for you and your family"},
	}
	for i, v := range JudgeAddresses("https://quay.example/", append(stories, others...)) {
		if v.Story != (i < len(stories)) || v.Why == "" {
			t.Errorf("%+v", v)
		}
	}
	// A sitemap has no texts.
	for i := range stories {
		stories[i].Text = ""
	}
	for _, v := range JudgeAddresses("https://quay.example/", stories) {
		if !v.Story {
			t.Errorf("without text: %+v", v)
		}
	}
}

func TestSections(t *testing.T) {
	page := `<nav><ul><li><a href="/news/local">Local</a><li><a href="/category/arts-and-culture/">Arts and culture</a><li><a href="https://sport.quay.example/rowing">Rowing</a>
		<li><a href="/subscribe">Subscribe</a><li><a href="/tag/cranes">Cranes</a><li><a href="/author/ann-reed">Ann Reed</a><li><a href="/2024/05">May</a>
		<li><a href="/search?q=cranes">Search</a><li><a href="/archive/">Archive</a><li><a href="/calendar/2024-05-17">17</a><li><a href="https://pier.example/news">Pier news</a>
		<li><a href="/shop">Shop</a><li><a href="/terms-of-use">Terms of use</a></ul></nav>`
	want := map[string]bool{"Local": true, "Arts and culture": true, "Rowing": true}
	for _, v := range Judge(parse(t, page), "https://quay.example/") {
		if v.Section != want[v.Text] || v.Story {
			t.Errorf("%+v", v)
		}
	}
}

func TestHostile(t *testing.T) {
	long := strings.Repeat("a-", 1<<20)
	list := []Address{
		{}, {URL: "http://"}, {URL: "http://[::1]/a"}, {URL: "https://quay.example/%zz%"}, {URL: "https://quay.example/" + long, Text: long},
		{URL: "https://quay.example/" + strings.Repeat("/", 1<<20)}, {URL: "https://quay.example/?" + strings.Repeat("a=1&", 1<<18)},
		{URL: "https://quay.example/\xff\xfe\x00", Text: "\xff\x00"}, {URL: "javascript:alert(1)", Text: "Cranes return to the harbour after ten years"},
		{URL: "https://" + strings.Repeat("a.", 1<<10) + "example/x"}, {URL: "https://./"}, {URL: "//quay.example/a"}, {URL: "https://quay.example/..%2f..%2f", Text: strings.Repeat("馬", 1<<16)},
	}
	for _, site := range []string{"", "https://quay.example/", "::", "\xff"} {
		got := JudgeAddresses(site, list)
		if len(got) != len(list) {
			t.Fatalf("%d verdicts", len(got))
		}
		for i, v := range got {
			if v.Why == "" || !(v.Score >= 0 && v.Score <= 1) || v.Story != (v.Score > 0.5) && v.Score != 0.5 {
				t.Errorf("%d: %.200v", i, v)
			}
		}
	}
	if got := JudgeAddresses("", nil); len(got) != 0 {
		t.Errorf("%v", got)
	}
}

// TestManyLinks judges 100,000 links: nothing may be quadratic.
func TestManyLinks(t *testing.T) {
	var b strings.Builder
	b.WriteString("<ul>")
	for i := range 100_000 {
		fmt.Fprintf(&b, "<li><a href=/news/%d/a-story-about-cranes>Story %d about the cranes of the harbour</a>", i, i)
	}
	b.WriteString("<ul>")
	b.WriteString(strings.Repeat("<ul><li>", 200))
	b.WriteString("<a href=/deep>Deep</a>")
	got := Judge(parse(t, b.String()), "https://quay.example/")
	if len(got) != 100_001 || !got[0].Story || !got[99_999].Story {
		t.Errorf("%d links, %+v", len(got), got[0])
	}
}

func FuzzJudge(f *testing.F) {
	f.Add("https://quay.example/", "/2024/05/17/cranes-return/?a=1#b", "Cranes return")
	f.Add("", "http://a.b.co.uk//x..html", "読者")
	f.Fuzz(func(t *testing.T, site, address, text string) {
		v := JudgeAddresses(site, []Address{{address, text}, {"https://quay.example" + address, text}})
		for _, v := range v {
			if v.Why == "" || !(v.Score >= 0 && v.Score <= 1) {
				t.Errorf("%+v", v)
			}
		}
	})
}
