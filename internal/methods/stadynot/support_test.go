package stadynot

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/lede-news/lede/dom"
	"github.com/lede-news/lede/internal/lab/methodtest"
	"github.com/lede-news/lede/method"
)

func TestKeys(t *testing.T) {
	key := func(html string, tag dom.Tag) uint64 {
		d := methodtest.Parse(t, html)
		return nodeKeys(d)[d.First(tag)]
	}
	base := key(`<div class=a id=b>Some words</div>`, dom.Div)
	for what, same := range map[string]string{
		"order of attributes": `<div id=b class=a>Some words</div>`,
		"white space":         `<div class="a" id="b"> Some   words </div>`,
		"place":               `<p>x</p><section><div class=a id=b>Some words</div></section>`,
	} {
		if key(same, dom.Div) != base {
			t.Errorf("%s changes the key", what)
		}
	}
	for what, other := range map[string]string{
		"attribute": `<div class=a id=c>Some words</div>`,
		"data":      `<div class=a id=b>Some word</div>`,
		"more data": `<div class=a id=b>Some words<i>!</i></div>`,
		"order":     `<div class=a id=b>words Some</div>`,
	} {
		if key(other, dom.Div) == base {
			t.Errorf("%s does not change the key", what)
		}
	}
	if key(`<p class=a id=b>Some words`, dom.P) == base {
		t.Error("the tag does not change the key")
	}
	if key(`<div class=a></div>`, dom.Div) != 0 || key(`<div hidden>Words</div>`, dom.Div) != 0 {
		t.Error("what shows nothing has a key")
	}
	d := methodtest.Parse(t, `<p><b>One</b><b>Two</b><p><b>Two</b><b>One</b>`)
	if ps := slices.Collect(d.All(0, dom.P)); nodeKeys(d)[ps[0]] == nodeKeys(d)[ps[1]] {
		t.Error("the order of children does not change the key")
	}
}

func TestSupportPages(t *testing.T) {
	s := NewSupport()
	a, b := methodtest.Parse(t, news("A", lorem)), methodtest.Parse(t, news("B", lorem))
	for _, d := range []*dom.Document{a, b, a, methodtest.Parse(t, news("A", lorem)), methodtest.Parse(t, `<div></div>`)} {
		s.Add(d)
	}
	if s.Pages() != 2 {
		t.Errorf("%d pages, want 2: the same page counts once, an empty one not at all", s.Pages())
	}
}

// TestBadNeighbours checks that neighbours of any kind do not cost the article. The
// paper takes an article that all neighbours have for static noise, and has no rule
// for pages that differ only in the time.
func TestBadNeighbours(t *testing.T) {
	story := news("Bridge", strings.Repeat(lorem, 3)+"It will cost a lot of money.")
	foreign := `<title>Elsewhere</title><div class=top><a href="/z">Zeitung</a></div><p>Ganz andere Worte stehen hier.</p>`
	french := strings.ReplaceAll(news("Caf\xe9", "Le caf\xe9 est ferm\xe9. "+lorem), "<title>", `<meta charset=iso-8859-1><title>`)
	latin1, err := dom.Parse(context.Background(), []byte(french), dom.Options{})
	if err != nil {
		t.Fatal(err)
	}
	updated := strings.Replace(story, "</h1>", "</h1><i>12:07</i>", 1)
	for name, others := range map[string][]*dom.Document{
		"none":                   {},
		"the page itself":        {methodtest.Parse(t, story)},
		"copies":                 {methodtest.Parse(t, story), methodtest.Parse(t, story), methodtest.Parse(t, story)},
		"a copy with other time": {methodtest.Parse(t, updated)},
		"copies of all times":    {methodtest.Parse(t, updated), methodtest.Parse(t, strings.Replace(updated, "12:07", "13:11", 1))},
		"one neighbour":          {methodtest.Parse(t, news("Ferry", "Ships sail. "+lorem))},
		"another site":           {methodtest.Parse(t, foreign)},
		"a site among others": {
			methodtest.Parse(t, foreign), methodtest.Parse(t, news("Ferry", "Ships sail.")), methodtest.Parse(t, news("Port", "Cranes turn.")),
		},
		"another encoding": {latin1},
		"empty":            {methodtest.Parse(t, `<div></div>`)},
	} {
		for _, c := range []Config{Paper(), Default()} {
			if !c.own && strings.Contains(name, " time") {
				continue
			}
			d := methodtest.Parse(t, story)
			text := choose(t, c, d, others...).Text(d)
			if strings.Count(text, "The council met") != 3 || !strings.Contains(text, "a lot of money") {
				t.Errorf("%s, %s: the story is lost in %q", name, New(c).Name(), text)
			}
			if name == "another encoding" || name == "one neighbour" {
				contains(t, text, nil, []string{"published by"})
			}
			if name == "a site among others" && c.own {
				contains(t, text, nil, []string{"published by"})
			}
		}
	}
}

// TestInvalidStatic checks that marks of another page, or of all nodes, are
// ignored.
func TestInvalidStatic(t *testing.T) {
	d := methodtest.Parse(t, news("Bridge", lorem))
	everything := slices.Repeat([]bool{true}, d.Len())
	for _, static := range [][]bool{nil, {}, everything, everything[1:], append(everything, true)} {
		s, err := New(Default()).Select(context.Background(), &method.Page{Doc: d, Site: &method.Site{Static: static}})
		if err != nil {
			t.Fatal(err)
		}
		contains(t, s.Text(d), []string{"The council"}, nil)
	}
}

// TestCopies checks that an article that the site has twice is not noise.
func TestCopies(t *testing.T) {
	d := methodtest.Parse(t, news("Bridge", "Once. "+strings.Repeat(lorem, 3)))
	others := []*dom.Document{
		methodtest.Parse(t, news("The bridge", "Once. "+strings.Repeat(lorem, 3))), methodtest.Parse(t, news("A bridge", "Once. "+strings.Repeat(lorem, 3))),
		methodtest.Parse(t, news("Ferry", "Ships sail. "+lorem)), methodtest.Parse(t, news("Port", "Cranes turn. "+lorem)),
		methodtest.Parse(t, news("Fish", "Nets are cast. "+lorem)),
		methodtest.Parse(t, news("Fog", "Horns are blown. "+lorem)), methodtest.Parse(t, news("Sand", "Dunes move. "+lorem)),
	}
	contains(t, choose(t, Default(), d, others...).Text(d), []string{"Once. The council"}, nil)
	contains(t, choose(t, Paper(), d, others[:2]...).Text(d), []string{"Bridge"}, []string{"The council", "published by"})
}
