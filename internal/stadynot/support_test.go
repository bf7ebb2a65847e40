package stadynot

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/lede-news/lede/dom"
	"github.com/lede-news/lede/method"
)

func TestKeys(t *testing.T) {
	key := func(html string, tag dom.Tag) uint64 {
		d := parse(t, html)
		return Keys(d)[d.First(tag)]
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
	d := parse(t, `<p><b>One</b><b>Two</b><p><b>Two</b><b>One</b>`)
	if ps := slices.Collect(d.All(0, dom.P)); Keys(d)[ps[0]] == Keys(d)[ps[1]] {
		t.Error("the order of children does not change the key")
	}
}

// TestKeysStay: keys are stored, so that they must be the same tomorrow.
func TestKeysStay(t *testing.T) {
	d := parse(t, `<p class="x">The quay at night</p>`)
	const want = 0x3a61780e70836726
	if got := Keys(d)[d.First(dom.P)]; got != want {
		t.Errorf("%#x, want %#x: profiles on disk are worthless now", got, want)
	}
}

func TestSupportPages(t *testing.T) {
	s := NewSupport()
	a, b := parse(t, news("A", lorem)), parse(t, news("B", lorem))
	for _, d := range []*dom.Document{a, b, a, parse(t, news("A", lorem)), parse(t, `<div></div>`)} {
		s.Add(d)
	}
	if s.Pages() != 2 {
		t.Errorf("%d pages, want 2: the same page counts once, an empty one not at all", s.Pages())
	}
}

// TestBadNeighbours: whatever the neighbours are, the story stays.
func TestBadNeighbours(t *testing.T) {
	story := news("Bridge", strings.Repeat(lorem, 3)+"It will cost a lot of money.")
	foreign := `<title>Elsewhere</title><div class=top><a href="/z">Zeitung</a></div><p>Ganz andere Worte stehen hier.</p>`
	latin1, err := dom.Parse(context.Background(), []byte(strings.ReplaceAll(news("Caf\xe9", "Le caf\xe9 est ferm\xe9. "+lorem), "<title>", `<meta charset=iso-8859-1><title>`)), dom.Options{})
	if err != nil {
		t.Fatal(err)
	}
	updated := strings.Replace(story, "</h1>", "</h1><i>12:07</i>", 1)
	for name, others := range map[string][]*dom.Document{
		"none":                   {},
		"the page itself":        {parse(t, story)},
		"copies":                 {parse(t, story), parse(t, story), parse(t, story)},
		"a copy with other time": {parse(t, updated)},
		"copies of all times":    {parse(t, updated), parse(t, strings.Replace(updated, "12:07", "13:11", 1))},
		"one neighbour":          {parse(t, news("Ferry", "Ships sail. "+lorem))},
		"another site":           {parse(t, foreign)},
		"a site among others":    {parse(t, foreign), parse(t, news("Ferry", "Ships sail.")), parse(t, news("Port", "Cranes turn."))},
		"another encoding":       {latin1},
		"empty":                  {parse(t, `<div></div>`)},
	} {
		for _, c := range []Config{paper(), Default()} {
			d := parse(t, story)
			text := choose(t, c, d, others...).Text(d)
			if strings.Count(text, "The council met") != 3 || !strings.Contains(text, "a lot of money") {
				t.Errorf("%s, %q: the story is lost in %q", name, c.Preset, text)
			}
			if name == "another encoding" || name == "one neighbour" {
				contains(t, text, nil, []string{"published by"})
			}
			if name == "a site among others" && c.Preset == "" {
				contains(t, text, nil, []string{"published by"})
			}
		}
	}
}

// TestOddMarks: marks that are not of this page, or mark all of it, are no marks.
func TestOddMarks(t *testing.T) {
	d := parse(t, news("Bridge", lorem))
	everything := slices.Repeat([]bool{true}, d.Len())
	for _, static := range [][]bool{nil, {}, everything, everything[1:], append(everything, true)} {
		s, err := New(Default()).Select(context.Background(), &method.Page{Doc: d, Site: &method.Site{Static: static}})
		if err != nil {
			t.Fatal(err)
		}
		contains(t, s.Text(d), []string{"The council"}, nil)
	}
}

// TestCopies: stories that are on the site twice are not noise for that.
func TestCopies(t *testing.T) {
	d := parse(t, news("Bridge", "Once. "+strings.Repeat(lorem, 3)))
	others := []*dom.Document{
		parse(t, news("The bridge", "Once. "+strings.Repeat(lorem, 3))), parse(t, news("A bridge", "Once. "+strings.Repeat(lorem, 3))),
		parse(t, news("Ferry", "Ships sail. "+lorem)), parse(t, news("Port", "Cranes turn. "+lorem)), parse(t, news("Fish", "Nets are cast. "+lorem)),
		parse(t, news("Fog", "Horns are blown. "+lorem)), parse(t, news("Sand", "Dunes move. "+lorem)),
	}
	contains(t, choose(t, Default(), d, others...).Text(d), []string{"Once. The council"}, []string{"published by"})
}

// TestRow: a link that many stories have stays in its sentence.
func TestRow(t *testing.T) {
	const name = `<a href="/quay">The Quay Company</a> `
	d := parse(t, news("Bridge", name+lorem+"One."))
	others := []*dom.Document{
		parse(t, news("Ferry", name+"sails.")), parse(t, news("Port", name+"turns cranes.")), parse(t, news("Fish", "Nets are cast.")),
	}
	contains(t, choose(t, Default(), d, others...).Text(d), []string{"The Quay Company The council"}, []string{"published by"})
	c := Default()
	c.Row = 0
	contains(t, choose(t, c, d, others...).Text(d), []string{"The council"}, []string{"The Quay Company"})
}
