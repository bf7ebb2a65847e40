package links

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/lede-news/lede/dom"
)

func parse(t testing.TB, page string) *dom.Document {
	t.Helper()
	d, err := dom.Parse(context.Background(), []byte(page), dom.Options{Charset: "utf-8"})
	if err != nil {
		t.Fatal(err)
	}
	return d
}

const home = "https://quay.example/news/"

// read returns the links of a page as "address text".
func read(t testing.TB, page, address string) []string {
	t.Helper()
	var got []string
	for _, l := range Read(parse(t, page), address) {
		got = append(got, strings.TrimSpace(strings.TrimPrefix(l.URL, "https://quay.example")+" "+l.Text))
	}
	return got
}

func TestRead(t *testing.T) {
	for name, test := range map[string]struct {
		page string
		want []string
	}{
		"order and addresses": {
			`<a href="one.html">The cranes are back</a><a href="/two">Ferry runs aground</a><a href="//pier.example/three?utm_source=quay">Three boats sink</a>`,
			[]string{"/news/one.html The cranes are back", "/two Ferry runs aground", "https://pier.example/three?utm_source=quay Three boats sink"},
		},
		"base": {
			`<base href="/archive/"><a href="one.html">The cranes are back</a>`,
			[]string{"/archive/one.html The cranes are back"},
		},
		"other schemes": {
			`<a href="mailto:desk@quay.example">Write to us</a><a href="java
script:go()">Go back</a><a href="ftp://quay.example/a">File</a><a href="data:text/html,a">Data</a><a>No address</a><a href="">Here</a>`,
			nil,
		},
		"the page itself": {
			`<a href="#top">Back to top</a><a href="/news/#latest">Latest news</a><a href="http://www.quay.example/news?utm_medium=logo">Home</a>`,
			nil,
		},
		"fragment": {
			`<a href="/one#comments">The cranes are back</a>`,
			[]string{"/one The cranes are back"},
		},
		"hidden": {
			`<a href="/trap" style="display:none">Do not follow</a><div hidden><a href="/menu">Menu of the day</a></div><p>Text <a href="/one">The cranes are back</a>`,
			[]string{"/one The cranes are back"},
		},
		"picture": {
			`<a href="/one"><img alt="Two cranes at dusk"></a><a href="/two" aria-label="Ferry runs aground"><img></a><a href="/three" title="Three boats sink"><img alt=""></a><a href="/four"><img></a>`,
			[]string{"/one Two cranes at dusk", "/two Ferry runs aground", "/three Three boats sink", "/four"},
		},
		"a card is its heading": {
			`<a href="/one"><span>Harbour</span><h3>The cranes
			are back</h3><p>They rust no more, says the harbour master.</p><span>Read more</span></a>`,
			[]string{"/one The cranes are back"},
		},
		"picture, headline, summary and comments": {
			`<a href="/one"><img alt="Two rusty cranes stand at the old quay at dusk, seen from the ferry"></a>
			<h2><a href="/one">The cranes are back</a></h2>
			<a href="/one">They rust no more, says the harbour master. ` + strings.Repeat("And so on, and so on. ", 10) + `</a>
			<a href="/one?utm_content=more">Continue reading</a> <a href="/one#comments">112 comments</a>`,
			[]string{"/one The cranes are back"},
		},
		"the longest": {
			`<a href="/one">Cranes back</a><a href="/one">The cranes are back at the quay</a><a href="/one">Harbour news</a>`,
			[]string{"/one The cranes are back at the quay"},
		},
		"texts that lead anywhere": {
			`<a href="/one">Rain ends</a> <a href="/one">Kommentoi tätä juttua (12)</a>
			<a href="/two">Cats win</a> <a href="/two">Kommentoi tätä juttua (3)</a>`,
			[]string{"/one Rain ends", "/two Cats win"},
		},
		"headlines that differ in a number": {
			`<a href="/one">Cost of the new ferry climbs by 12 per cent</a><a href="/one">Harbour news today</a><a href="/two">Cost of the new ferry climbs by 14 per cent</a>
			<a href="/three">村小学造价上涨百分之30</a><a href="/four">村小学造价上涨百分之58</a><a href="/three">查看全部12条评论</a><a href="/four">查看全部3条评论</a>`,
			[]string{"/one Cost of the new ferry climbs by 12 per cent", "/two Cost of the new ferry climbs by 14 per cent", "/three 村小学造价上涨百分之30", "/four 村小学造价上涨百分之58"},
		},
		"a headline of two stories, a phrase of four": {
			`<a href="/one">The ferry runs aground in the harbour</a><a href="/one">Dip nach Süden: den ganzen Beitrag lesen</a><a href="/two">The ferry runs aground in the harbour</a><a href="/two">Dip nach Süden: den ganzen Beitrag lesen</a>
			<a href="/three">Cats win</a><a href="/three">Dip nach Süden: den ganzen Beitrag lesen</a><a href="/four">Dip nach Süden: den ganzen Beitrag lesen</a>`,
			[]string{"/one The ferry runs aground in the harbour", "/two The ferry runs aground in the harbour", "/three Cats win", "/four Dip nach Süden: den ganzen Beitrag lesen"},
		},
		"only a phrase": {
			`<a href="/one">Read more</a>`,
			[]string{"/one Read more"},
		},
		"Chinese": {
			`<a href="/one">阅读全文</a><a href="/one">起重机回来了</a><a href="/two">渡轮搁浅</a><a href="/two">评论</a>`,
			[]string{"/one 起重机回来了", "/two 渡轮搁浅"},
		},
		"a percent sign": {
			`<a href="/100%-sure">One hundred percent</a>`,
			[]string{"/100%25-sure One hundred percent"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			if got := read(t, test.page, home); !slices.Equal(got, test.want) {
				t.Errorf("got %q\nwant %q", got, test.want)
			}
		})
	}
}

func TestReadWithoutAddress(t *testing.T) {
	got := read(t, `<a href="/one">The cranes are back</a><a href="https://quay.example/two">Ferry runs aground</a>`, "")
	if want := []string{"/two Ferry runs aground"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	got = read(t, `<base href="https://quay.example/"><a href="/one">The cranes are back</a>`, "")
	if want := []string{"/one The cranes are back"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestReadNode(t *testing.T) {
	d := parse(t, `<a href="/one"><img></a><a id="best" href="/one">The cranes are back</a>`)
	all := Read(d, home)
	if len(all) != 1 || d.Attr(all[0].Node, "id") != "best" {
		t.Errorf("got %+v", all)
	}
}

func TestTexts(t *testing.T) {
	var texts Texts
	if texts.Find(home) != "" || (*Texts)(nil).Find(home) != "" {
		t.Error("a text from nowhere")
	}
	texts.AddPage(parse(t, `<a href="/one">Cranes</a><a href="/two">Ferry runs aground</a><a href="/three"><img></a>`), home)
	texts.AddPage(parse(t, `<h2><a href="http://quay.example/one/">The cranes are back</a></h2><a href="http://quay.example/two">Ferry</a>`), "https://pier.example/")
	for address, want := range map[string]string{
		"https://www.quay.example/one?fbclid=1": "The cranes are back",
		"https://quay.example/two#comments":     "Ferry runs aground",
		"https://quay.example/three":            "",
		"":                                      "",
	} {
		if got := texts.Find(address); got != want {
			t.Errorf("%s: got %q, want %q", address, got, want)
		}
	}
	texts.AddPage(parse(t, `<a href="/five">Read more</a><a href="/six">Watch this now</a><a href="/seven">Watch this now</a>`), home)
	for _, path := range []string{"five", "six", "seven"} {
		if got := texts.Find("https://quay.example/" + path); got != "" {
			t.Errorf("%s has the title %q", path, got)
		}
	}
}

func FuzzRead(f *testing.F) {
	f.Add(`<base href="/a/"><a href="b#c">The cranes are back</a><a href="?q=%"><h2>x y</h2></a>`, home)
	f.Add(`<a href="//[::1]:80/%zz"><img alt="a b">`, "")
	f.Fuzz(func(t *testing.T, page, address string) {
		d, err := dom.Parse(context.Background(), []byte(page), dom.Options{})
		if err != nil {
			return
		}
		last := dom.Node(-1)
		seen := map[string]bool{}
		for _, l := range Read(d, address) {
			key := Key(l.URL)
			if key == "" || seen[key] || key == Key(address) {
				t.Errorf("%q: key %q is empty or repeated", l.URL, key)
			}
			seen[key] = true
			if !strings.HasPrefix(l.URL, "http") || strings.Contains(l.URL, "#") {
				t.Errorf("address %q", l.URL)
			}
			if strings.ContainsAny(l.Text, "\n\t") || d.Hidden(l.Node) {
				t.Errorf("text %q", l.Text)
			}
			last = max(last, l.Node)
		}
		if int(last) >= d.Len() {
			t.Error("a node of another page")
		}
	})
}

func BenchmarkRead(b *testing.B) {
	var page strings.Builder
	for i := range 300 {
		n := strings.Repeat("x", i)
		page.WriteString(`<div><a href="/story/` + n + `"><img alt="Picture"></a><h2><a href="/story/` + n + `">The cranes are back ` + n + `</a></h2><a href="/story/` + n + `#c">3 comments</a></div>`)
	}
	d := parse(b, page.String())
	b.ReportAllocs()
	for b.Loop() {
		Read(d, home)
	}
}
