package stadynot

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/lede-news/lede/article"
	"github.com/lede-news/lede/dom"
	"github.com/lede-news/lede/internal/lab/methodtest"
	"github.com/lede-news/lede/method"
)

var _ method.Method = (*StaDyNoT)(nil)

// choose runs the method with the other pages as neighbours.
func choose(t testing.TB, c Config, d *dom.Document, others ...*dom.Document) *method.Selection {
	t.Helper()
	m := New(c)
	p := &method.Page{Doc: d}
	if len(others) > 0 {
		support := NewSupport()
		for _, o := range others {
			support.Add(o)
		}
		p.Site = m.Site(support, d)
	}
	s, err := m.Select(context.Background(), p)
	if err != nil {
		t.Fatal(err)
	}
	check(t, d, s)
	return s
}

// check checks a selection, and that it has a reason for every root and no
// others.
func check(t testing.TB, d *dom.Document, s *method.Selection) {
	t.Helper()
	methodtest.Check(t, d, s)
	var keep, drop []dom.Node
	for _, r := range s.Reasons {
		if r.Kept {
			keep = append(keep, r.Node)
		} else {
			drop = append(drop, r.Node)
		}
	}
	if !slices.Equal(keep, s.Keep) || !slices.Equal(drop, s.Drop) {
		t.Error("the reasons are not those of the selection")
	}
}

func why(d *dom.Document, s *method.Selection, text string) string {
	for _, r := range s.Reasons {
		if !r.Kept && strings.Contains(d.Text(r.Node), text) {
			return r.Why
		}
	}
	return ""
}

// contains checks that a text contains some words and not others.
func contains(t *testing.T, text string, with, without []string) {
	t.Helper()
	for _, w := range with {
		if !strings.Contains(text, w) {
			t.Errorf("%q is missing in %q", w, text)
		}
	}
	for _, w := range without {
		if strings.Contains(text, w) {
			t.Errorf("%q is in %q", w, text)
		}
	}
}

const lorem = "The council met on Monday and agreed, after a long debate, to build the bridge over the river at last. "

// news is a page of a made-up site.
func news(headline, story string) string {
	return `<title>` + headline + ` | The Quay</title><body>
<ul class="menu"><li><a href="/">Home</a><li><a href="/sport">Sport</a></ul>
<div class="share">Tell a friend about this, it is simple and it helps us a lot, they say</div>
<div id="story"><h1>` + headline + `</h1><p>` + story + `</p></div>
<div class="foot">The Quay is published by Quay Papers, 1 Harbour Lane. All rights reserved in all lands.</div>`
}

// TestStatic is section 3.1: what all neighbours have is static noise, but not
// a box with other text in it.
func TestStatic(t *testing.T) {
	d := methodtest.Parse(t, news("Bridge", lorem+"One."))
	s := choose(t, Paper(), d, methodtest.Parse(t, news("Ferry", lorem+"Two.")), methodtest.Parse(t, news("Tunnel", "Another story. "+lorem)))
	contains(t, s.Text(d), []string{"Bridge", "The council", "One."}, []string{"Home", "Tell a friend", "published by"})
	if got := why(d, s, "published by"); got != "other pages of this site have it too" {
		t.Errorf("the imprint is out for %q", got)
	}
}

// TestNearest checks that of many neighbours those count that are of the page's category.
func TestNearest(t *testing.T) {
	const table = `<div class="table">Quay Rovers lead the league with nine points from three games.</div>`
	d := methodtest.Parse(t, news("Rovers win", lorem+"One.")+table)
	var others []*dom.Document
	for i := range maxPages {
		others = append(others, methodtest.Parse(t, news("S", fmt.Sprint("Politics. ", i))), methodtest.Parse(t, news("S", fmt.Sprint("Sport. ", i))+table))
	}
	contains(t, choose(t, Paper(), d, others...).Text(d), []string{"Rovers win", "One."}, []string{"published by", "the league"})
	contains(t, choose(t, Paper(), d, others[:maxPages]...).Text(d), []string{"the league"}, []string{"published by"})
}

// TestPages is the difference between the paper's count and the default's.
func TestPages(t *testing.T) {
	const box = `<div class="promo">Win a week on the lake with our big prize draw for readers of this paper.</div>`
	with := func(i int) *dom.Document { return methodtest.Parse(t, news("S", fmt.Sprint(lorem, i))+box) }
	without := func(i int) *dom.Document { return methodtest.Parse(t, news("S", fmt.Sprint(lorem, i))) }
	d := with(0)
	others := []*dom.Document{with(1), with(2), without(3), without(4)}
	contains(t, choose(t, Paper(), d, others...).Text(d), []string{"prize draw", "The council"}, nil)
	contains(t, choose(t, Default(), d, others...).Text(d), []string{"The council"}, []string{"prize draw"})
}

// figure3 is the paper's Figure 3 in small: a list of links in a footer.
const figure3 = `<html><head></head><body><div><p>` + lorem + lorem + `<a href="/a">see</a></p></div>
<div><div></div><footer><div><ul><li>Recent<ul>
<li><a href="/1">First story of the day</a></li><li><a href="/2">Second story of the day</a></li>
<li><a href="/3">Third story of the day</a></li></ul></li></ul></div></footer></div></body></html>`

// TestDynamic is section 3.2: the list of links is noise, a link in a <p> is not.
func TestDynamic(t *testing.T) {
	d := methodtest.Parse(t, figure3)
	s := choose(t, Paper(), d)
	contains(t, s.Text(d), []string{"The council", "see", "Recent"}, []string{"story of the day"})
	if got := why(d, s, "Second"); got != "hardly anything but links: 0 characters outside them" {
		t.Errorf("the list is out for %q", got)
	}
	// Beyond the paper, the word over the list goes with it.
	contains(t, choose(t, Default(), d).Text(d), []string{"The council"}, []string{"Recent"})
}

// TestThresholds is α and β of section 3.2.
func TestThresholds(t *testing.T) {
	links := `<a href="/1">` + strings.Repeat("x", 10) + `</a><a href="/2">` + strings.Repeat("y", 10) + `</a>`
	page := func(plain int) string {
		return `<p>` + lorem + `</p><div>` + strings.Repeat("z", plain) + links + `</div><p>` + lorem + `</p>`
	}
	for _, c := range []struct {
		plain       int
		alpha       int
		beta        float64
		kept        bool
		description string
	}{
		{49, 50, 1, false, "fewer characters than α"},
		{50, 50, 1, true, "as many as α"},
		{79, 50, 0.2, false, "more links than β"},
		{80, 50, 0.2, true, "as many links as β"},
	} {
		cfg := Paper()
		cfg.Alpha, cfg.Beta = c.alpha, c.beta
		d := methodtest.Parse(t, page(c.plain))
		if got := strings.Contains(choose(t, cfg, d).Text(d), "zzz"); got != c.kept {
			t.Errorf("%s: kept is %v", c.description, got)
		}
	}
}

// TestParagraph is filter 1 of section 3.2.
func TestParagraph(t *testing.T) {
	links := `<a href="/1">one of many links</a> <a href="/2">another of many links</a>`
	d := methodtest.Parse(t, `<p>`+links+`</p><div>`+links+`</div><p>`+lorem)
	if got := strings.Count(choose(t, Paper(), d).Text(d), "another"); got != 1 {
		t.Errorf("the links are kept %d times, want once, in <p>", got)
	}
}

// TestBody checks that an article among lists of links is kept.
func TestBody(t *testing.T) {
	list := `<ul>` + strings.Repeat(`<li><a href="/x">A headline of another story</a>`, 40) + `</ul>`
	d := methodtest.Parse(t, list+`<div><p>`+lorem+`<a href="/y">More</a></p>`+list+`</div>`)
	for _, c := range []Config{Paper(), Default()} {
		contains(t, choose(t, c, d).Text(d), []string{"The council"}, []string{"A headline"})
	}
}

// TestTags is the list of section 3.3, and what the default adds to it.
func TestTags(t *testing.T) {
	d := methodtest.Parse(t, `<p>`+lorem+`</p><form>Vote now</form><table><caption>Figures</caption><tr><td>Twelve</table>
<textarea>Your words</textarea><nav>Sections of the paper</nav><img src="a.png">`)
	s := choose(t, Paper(), d)
	contains(t, s.Text(d), []string{"The council", "Twelve", "Sections"}, []string{"Vote", "Figures", "Your words"})
	if img := d.First(dom.Img); !slices.Contains(s.Drop, img) {
		t.Error("the picture is kept")
	}
	s = choose(t, Default(), d)
	contains(t, s.Text(d), []string{"The council"}, []string{"Vote", "Figures", "Your words", "Sections"})
	if img := d.First(dom.Img); !s.Mask(d)[img] {
		t.Error("the picture is lost")
	}
	whole := methodtest.Parse(t, `<form><p>`+lorem+`</p></form>`)
	contains(t, choose(t, Default(), whole).Text(whole), []string{"The council"}, nil)
	if _, err := New(Paper()).Select(context.Background(), &method.Page{Doc: whole}); !errors.Is(err, method.ErrNoContent) {
		t.Errorf("the paper removes forms, but got %v", err)
	}
}

// TestList goes beyond the paper: comments are longer than their links.
func TestList(t *testing.T) {
	item := `<div class="c"><a href="/u">Reader</a> writes: ` + lorem + lorem + `</div>`
	d := methodtest.Parse(t, `<div><p>`+strings.Repeat(lorem, 5)+`</p></div><div>`+strings.Repeat(item, 4)+`</div>`)
	contains(t, choose(t, Default(), d).Text(d), []string{"The council"}, []string{"writes:"})
	contains(t, choose(t, Paper(), d).Text(d), []string{"The council", "writes:"}, nil)
}

// TestMainShare goes beyond the paper: the box with most of the text is the
// article, however many links are in it.
func TestMainShare(t *testing.T) {
	d := methodtest.Parse(t, `<div>`+strings.Repeat(lorem+`<a href="/x">a link of quite some length, for it says a lot</a> `, 6)+`</div>`)
	contains(t, choose(t, Default(), d).Text(d), []string{"The council"}, nil)
	if _, err := New(Paper()).Select(context.Background(), &method.Page{Doc: d}); !errors.Is(err, method.ErrNoContent) {
		t.Errorf("by the paper's β it is noise, but got %v", err)
	}
}

func TestPageType(t *testing.T) {
	story := methodtest.Parse(t, news("Bridge", strings.Repeat(lorem, 4)))
	if s := choose(t, Default(), story); s.Type != article.TypeArticle || s.Confidence < 0.8 {
		t.Errorf("an article is %s, %.2f", s.Type, s.Confidence)
	}
	home := methodtest.Parse(t, strings.Repeat(`<div><h2><a href="/x">A headline</a></h2> in short <a href="/y">more</a></div>`, 30)+`<p>Good morning.</p>`)
	if s := choose(t, Default(), home); s.Type != article.TypeIndex {
		t.Errorf("a page of headlines is %s", s.Type)
	}
	short := methodtest.Parse(t, `<p>Not found.</p>`)
	if s := choose(t, Default(), short); s.Type != article.TypeOther {
		t.Errorf("a page of two words is %s", s.Type)
	}
}

func TestNames(t *testing.T) {
	if n := New(Default()).Name(); n != "stadynot" {
		t.Error(n)
	}
	if n := New(Paper()).Name(); n != "stadynot:paper" {
		t.Error(n)
	}
}

// FuzzSelect checks the selections of arbitrary pages with a neighbour.
func FuzzSelect(f *testing.F) {
	f.Add([]byte(figure3), []byte(news("A", lorem)))
	f.Add([]byte(news("A", lorem)), []byte(news("B", lorem)))
	f.Add([]byte(`<b>x<p>y<a href=a>z<table>w<form><td>v</b><i>u<a href=b>t`), []byte(`<p>x`))
	f.Add([]byte(`<a href=x>1<div><a href=y>2<pre>3
4<form>5<select><option>6<button>7<svg>8`), []byte(`<frameset><frame>`))
	f.Fuzz(func(t *testing.T, page, other []byte) {
		d, err := dom.Parse(context.Background(), page, dom.Options{})
		if err != nil {
			t.Skip("not a page: ", err)
		}
		support := NewSupport()
		if o, err := dom.Parse(context.Background(), other, dom.Options{}); err == nil {
			support.Add(o)
		}
		for _, c := range []Config{Default(), Paper(), {}} {
			m := New(c)
			s, err := m.Select(context.Background(), &method.Page{Doc: d, Site: m.Site(support, d)})
			if err != nil {
				if !errors.Is(err, method.ErrNoContent) {
					t.Fatal(err)
				}
				continue
			}
			check(t, d, s)
		}
	})
}

func TestContext(t *testing.T) {
	methodtest.TestContext(t, New(Default()), &method.Page{Doc: methodtest.Parse(t, "<p>x")})
}
