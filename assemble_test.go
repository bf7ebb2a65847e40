package lede_test

import (
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/lede-news/lede"
)

// TestArticleMemory checks that articles do not keep their pages in memory. Here
// a page is a megabyte and its article less than a kilobyte.
func TestArticlesLetGoOfTheirPages(t *testing.T) {
	const pages, size = 16, 1 << 20
	var kept []*lede.Article
	before := heap()
	for i := range pages {
		a, err := lede.Extract(t.Context(), strings.NewReader(largePage(i, size)), lede.WithURL("https://www.quaycourier.example/cranes"), lede.WithCaptions(true))
		if err != nil {
			t.Fatal(err)
		}
		if len(a.Authors) != 1 || len(a.Tags) != 2 || a.Lead == nil || a.Standfirst == "" || len(a.Images()) != 2 {
			t.Fatalf("the page does not have all fields: %+v", a)
		}
		kept = append(kept, a)
	}
	if used := heap() - before; used > pages*size/4 {
		t.Errorf("%d articles keep %d KB", pages, used>>10)
	}
	runtime.KeepAlive(kept)
}

func heap() int {
	runtime.GC()
	runtime.GC() // what pools hold goes with the second
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int(m.HeapAlloc)
}

func largePage(i, size int) string {
	const body = "<p>The cranes of the harbour stood still on Monday while the crews waited for news of the talks.</p>"
	return fmt.Sprintf(`<html lang=en><head><title>Cranes stand still: day %d</title>
<meta name=author content="Ann Lee"><meta name=keywords content="harbour,strike"><meta name=description content="The crews wait.">
<meta property="og:site_name" content="Quay Courier"><meta property="article:section" content="News">
<meta property="og:image" content="https://www.quaycourier.example/lead.jpg"><meta property="og:image:alt" content="Cranes">
</head><body><h1>Cranes stand still: day %d</h1><p class=standfirst>The crews wait for an answer from the owners.</p>%s
<figure><img src="/quay.jpg" alt="Quay"><figcaption>Harbour</figcaption></figure>%s<pre><code class=language-go>if x { y() }</code></pre>
<!--%s--></body></html>`, i, i, strings.Repeat(body, 5), strings.Repeat(body, 5), strings.Repeat("x", size))
}

// TestVariants checks that a variant of a method has what it selects and no more: neither the
// picture that metadata declares nor, as a field, the standfirst. StaDyNoT removes pictures.
func TestVariants(t *testing.T) {
	t.Parallel()
	const story = "<p>The cranes of the harbour stood still on Monday while the crews waited for news of the talks, the port said.</p>"
	const page = `<html lang=en><title>Cranes stand still</title><meta property="og:image" content="https://quay.example/lead.jpg">
<h1>Cranes stand still</h1><p class=standfirst>The crews wait for an <a href="/a">answer</a> from the <a href="/o">owners</a> of the port.</p>` + story + `<img src="quay.jpg" width=600 height=400>` + story + story
	for _, m := range lede.Methods() {
		a, err := lede.Extract(t.Context(), strings.NewReader(page), lede.WithMethod(m.Name), lede.WithCleaned(true))
		if err != nil {
			t.Fatalf("%s: %v", m.Name, err)
		}
		variant := strings.Contains(m.Name, ":")
		if added := a.Lead != nil || a.Standfirst != ""; added == variant {
			t.Errorf("%s: lead %v, standfirst %q", m.Name, a.Lead, a.Standfirst)
		}
		if m.Name == "stadynot:paper" && (len(a.Images()) > 0 || strings.Contains(a.Cleaned, "<img")) {
			t.Errorf("%s: pictures %v", m.Name, a.Images())
		}
	}
}

// TestExplanationNodes checks that the nodes of an article are those of its body.
// TestTitleInSentence checks that words of a sentence stay in the body, though a
// method takes them for the title.
func TestTitleInSentence(t *testing.T) {
	t.Parallel()
	const page = `<title>Harbour pilot charges: what ships pay</title><div><a href="/">Home</a> <a href="/quay">The quay</a></div><div>
<p>Understanding <strong>harbour pilot charges</strong> is hard, even for those who have paid them for years and read every bill.</p>
<p>A ship pays by its length and by the tide, and twice at night, said the office of the port in its answer to our letter.</p>
<p>The harbour has had pilots since the first pier was built, and what they charge has been disputed for as long.</p></div>`
	for _, m := range []string{"nce", "coreex"} {
		a, err := lede.Extract(t.Context(), strings.NewReader(page), lede.WithMethod(m))
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(a.Text(), "Understanding harbour pilot charges is hard") {
			t.Errorf("%s: %s", m, a.Text())
		}
	}
}

func TestExplanationNodes(t *testing.T) {
	t.Parallel()
	e, err := lede.New()
	if err != nil {
		t.Fatal(err)
	}
	x, err := e.Explain(t.Context(), strings.NewReader(`<title>Ferry returns</title><nav><a href="/">Home</a></nav><article><h1>Ferry returns</h1><p>By Ann Quay</p>
<p>The ferry between the two towns is back, said the <b>harbour</b> master, who had not expected it this year.</p>
<figure><img src="/a.jpg" width="400"><figcaption>The ferry</figcaption></figure>
<p>It was repaired in the yard across the bay, where the work took three months longer than planned.</p></article>`), lede.WithURL("https://paper.example/1"))
	if err != nil {
		t.Fatal(err)
	}
	var text strings.Builder
	for _, n := range x.Nodes() {
		switch d := x.Document(); {
		case d.IsText(n):
			text.WriteString(d.Text(n) + " ")
		default:
			text.WriteString("<" + d.Name(n) + "> ")
		}
	}
	want := strings.Replace(x.Article.Text(), "\n", " <img> <figcaption> The ferry ", 1)
	if got := strings.TrimSpace(text.String()); strings.ReplaceAll(got, " ", "") != strings.ReplaceAll(strings.ReplaceAll(want, "\n", ""), " ", "") {
		t.Errorf("got %s\nwant %s", got, want)
	}
}

// The headline with its kicker, the heading of the section above it and a heading
// element around the standfirst are no sub-headings.
func TestHeadingsAtTheTop(t *testing.T) {
	t.Parallel()
	const page = `<title>Cranes stand still as crews vote on their pay</title><meta name=description content="Crews want more.">
<main><article><h3>Harbour strike</h3><h1><span>At the quay</span> <span>Cranes stand still as crews vote on their pay</span></h1>
<h2 class="deck">Crews at the east basin want more pay and fewer nights</h2>
<p>The cranes of the harbour stood still on Monday while the crews waited for news of the talks with the owners.</p>
<h2>The vote</h2>
<p>Nine in ten of them had voted for a day without work, said the union, and the others had stayed at home as well.</p>
<p>Ships waited outside the breakwater, twelve of them by the evening, and the pilots went home before the tide.</p></article></main>`
	a, err := lede.Extract(t.Context(), strings.NewReader(page))
	if err != nil {
		t.Fatal(err)
	}
	var kinds []string
	for _, b := range a.Body {
		kinds = append(kinds, b.Kind.String())
	}
	if got, want := strings.Join(kinds, " "), "paragraph heading paragraph paragraph"; got != want {
		t.Errorf("blocks: got %s, want %s; %s", got, want, a.Text())
	}
	if want := "Crews at the east basin want more pay and fewer nights"; a.Standfirst != want {
		t.Errorf("standfirst: got %q, want %q", a.Standfirst, want)
	}
	if text := a.Text(); !strings.HasPrefix(text, a.Standfirst+"\n") || strings.Count(text, a.Standfirst) != 1 {
		t.Errorf("the text does not begin with the standfirst, once: %s", text)
	}
	if want := "Cranes stand still as crews vote on their pay"; a.Title != want {
		t.Errorf("title: got %q, want %q", a.Title, want)
	}
}
