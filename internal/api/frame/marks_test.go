package frame

import (
	"strings"
	"testing"

	"github.com/PuerkitoBio/goquery"

	"github.com/lede-news/lede/dom"
)

// runs returns a mark for each block of text in an element with an id, with the id
// before the first hyphen as the role.
func runs(d *dom.Document) (list []Mark) {
	last := dom.None
	for n := dom.Node(1); int(n) < d.Len(); n++ {
		if !d.IsText(n) {
			continue
		}
		owner := d.Parent(n)
		for d.Attr(owner, "id") == "" && d.Parent(owner) != dom.None {
			owner = d.Parent(owner)
		}
		if owner != last {
			role, _, _ := strings.Cut(d.Attr(owner, "id"), "-")
			list = append(list, Mark{First: n, Role: role, Index: 10 + len(list)})
		}
		list[len(list)-1].Last, last = n, owner
	}
	return list
}

func markedPage(t *testing.T, page string, opts func(*dom.Document) Options) (string, *goquery.Document) {
	t.Helper()
	d := parse(t, page)
	b, err := Page(d, opts(d))
	if err != nil {
		t.Fatal(err)
	}
	doc, err := goquery.NewDocumentFromReader(strings.NewReader(string(b)))
	if err != nil {
		t.Fatal(err)
	}
	return string(b), doc
}

func TestMarks(t *testing.T) {
	const page = `<!doctype html><title id=dropped-title>A page</title><body><nav id=dropped-1>Home <a href=/>News</a></nav>
<h1 id=title-1>A <em>fine</em> headline</h1><p id=kept-0>By <span class=by>Jane Roe</span>, <time>5 May</time></p>
<div><p id=kept-1>The first <b>words</b> of a story, <a href=x>with a link</a>.</p>
<img id=pic src=a.jpg><figure><img src=b.jpg></figure><p id=kept-2>More.</p> and loose text</div>
<p id=hidden-1 hidden>Not shown</p>
<select id=dropped-2><option>One<option>Two</select><textarea id=dropped-3>Typed</textarea>
<svg><text id=dropped-4>Drawn</text><foreignObject><p id=dropped-5>Foreign</p></foreignObject></svg>
<table id=dropped-6><tr><td>Cell</td></tr></table><pre id=kept-3>
 code</pre>`
	out, doc := markedPage(t, page, func(d *dom.Document) Options {
		by, date := dom.None, d.First(dom.Time)
		for n := range d.All(d.Root(), dom.Span) {
			by = n
		}
		return Options{Marks: runs(d), Pictures: []dom.Node{d.First(dom.Img)}, Places: map[dom.Node]string{by: Byline, date: Date}}
	})
	for css, want := range map[string]string{
		`nav > span[data-b="10"][data-r=dropped]`:      "Home ",
		`nav > a > span[data-b="10"][data-r=dropped]`:  "News",
		`h1 [data-r=title]`:                            "A fine headline",
		`h1[data-block=title] > [data-label=Headline]`: "A ",
		`h1 [data-label]`:                              "A ",
		`p [data-r=byline][data-label=Byline]`:         "Jane Roe",
		`time > [data-r=date]`:                         "5 May",
		`#kept-0 > [data-r=kept]`:                      "By , ",
		`#kept-1[data-block=kept] [data-r=kept]`:       "The first words of a story, with a link.",
		`#hidden-1[hidden] > [data-r=hidden]`:          "Not shown",
		`option`:                                       "OneTwo",
		`textarea`:                                     "Typed",
		`title`:                                        "A page",
		`svg > text`:                                   "Drawn",
		`td > [data-r=dropped]`:                        "Cell",
		`pre [data-r=kept]`:                            " code",
		`div > [data-b]`:                               " and loose text",
	} {
		if got := doc.Find(css).Text(); got != want {
			t.Errorf("%s: %q, not %q", css, got, want)
		}
	}
	for css, want := range map[string]int{
		"title *": 0, "option *": 0, "select span": 0, "textarea *": 0, "svg [data-b]": 0, "tr > span": 0, "[data-r=picture]": 1, "figure [data-r]": 0,
		"div[data-block]": 0, "body[data-block]": 0, "[data-b] [data-b]": 0, "[data-label]": 3,
	} {
		if got := doc.Find(css).Length(); got != want {
			t.Errorf("%s: %d, not %d", css, got, want)
		}
	}
	if !strings.Contains(out, "span[data-b]{all:unset") {
		t.Error("no styles for marks")
	}
	if _, doc := markedPage(t, page, func(*dom.Document) Options { return Options{} }); doc.Find("[data-b],[data-r],[data-block],[data-label]").Length() > 0 {
		t.Error("marks without being asked for")
	}
}

// TestMarksOfPage checks that a page cannot have marks of its own.
func TestMarksOfPage(t *testing.T) {
	_, doc := markedPage(t, `<p id=kept data-b=7 DATA-R=kept data-block=kept data-label=Trusted>Text<span data-b=8>more</span><img data-r=picture data-blank>`, func(d *dom.Document) Options {
		return Options{Marks: runs(d)}
	})
	if s := doc.Find("p"); s.AttrOr("data-b", "") != "" || s.AttrOr("data-r", "") != "" || s.AttrOr("data-block", "") != "kept" || s.AttrOr("data-label", "") != "" {
		t.Error(goquery.OuterHtml(s))
	}
	if doc.Find(`[data-b="7"],[data-b="8"],[data-r=picture]`).Length() > 0 {
		t.Error("a mark of the page")
	}
}

// TestProperties checks that no element of the page hides a property of the document
// or of a form from the application.
func TestProperties(t *testing.T) {
	_, doc := markedPage(t, `<form name=body id=f><input name=parentElement id=closest><img name=querySelector id=children><button id=attributes></form>
<object id=defaultView></object><iframe name=forms></iframe><embed name=location><a name=here>x</a>`, func(*dom.Document) Options { return Options{} })
	if s := doc.Find("[name]:not(a), img[id], object[id], embed[id], iframe[id], input:not([form='']), button:not([form=''])"); s.Length() > 0 {
		t.Error(goquery.OuterHtml(s))
	}
	if doc.Find("a[name=here]").Length() != 1 {
		t.Error("no anchor")
	}
}
