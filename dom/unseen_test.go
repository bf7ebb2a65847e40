package dom

import (
	"strings"
	"testing"
)

func TestUnseen(t *testing.T) {
	const clip = "position:absolute;width:1px;height:1px;overflow:hidden;clip:rect(0,0,0,0)"
	for _, c := range []struct{ name, page, want string }{
		{"sr-only", "<p>a <a href=/>b<span class=sr-only> (opens in a new window)</span></a> c", "a b c"},
		{"visually-hidden", `<p>yes <span class="x visually-hidden">no</span>too`, "yes too"},
		{"screen-reader-text", "<p>yes <span class=screen-reader-text>no</span>too", "yes too"},
		{"prefix", "<p>yes <span class=u-srOnly>no</span>too", "yes too"},
		{"camel case", "<p>yes <span class=visuallyHidden>no</span>too", "yes too"},
		{"until focused", "<p>yes <span class=visually-hidden-focusable>no</span>too", "yes too"},
		{"CSS module", "<p>yes <span class=Footer_visuallyHidden__vz2H2>no</span>too", "yes too"},
		{"offscreen", "<p>yes <span class=h-offscreen>no</span>too", "yes too"},
		{"BEM", "<p>yes <span class=c-card__link__sr-only>no</span>too", "yes too"},
		{"other words", "<p class=sr-only-story>yes <b class=asronly>and</b> <i class=hidden-visuals>too", "yes and too"},
		{"not", "<p class=not-sr-only>yes", "yes"},
		{"a part of the element", `<div class="field field--label-visually-hidden"><p>yes`, "yes"},
		{"shown on wide screens", `<p>a<span class="sr-only md:not-sr-only"> b</span>`, "a b"},
		{"hidden on wide screens", `<p>a<span class="md:sr-only"> b</span>`, "a b"},
		{"shown with the focus", `<p>a<span class="sr-only focus:not-sr-only"> b</span>`, "a"},
		{"a mark alone", "<h1>Harbour<span class=sr-only>:</span> Work begins", "Harbour: Work begins"},
		{"the story", "<div class=sr-only><p>" + story + "</div>", story},
		{"much prose", "<p>" + story + "<div class=sr-only><p>" + story + "<p>" + story + "<p>" + story + "</div>",
			story + "\n" + story + "\n" + story + "\n" + story},
		{"twin", "<p>in <span aria-hidden=true>5 min</span><span class=sr-only>5 minutes</span>", "in 5 minutes"},
		{"icon beside a label", "<p>a <i aria-hidden=true>open_in_new</i><span class=sr-only>new window</span>", "a"},
		{"clip", `<p>yes <span style="` + clip + `">no</span>too`, "yes too"},
		{"clip path", `<p>yes <span style="position: absolute; clip-path: inset(50%) !important">no</span>too`, "yes too"},
		{"off the screen", `<p>yes <span style="position:absolute;left:-9999px">no</span>too`, "yes too"},
		{"off the screen in em", `<p>yes <span style="position:absolute;left:-999em">no</span>too`, "yes too"},
		{"one pixel", `<p>yes <span style="position:absolute;width:1px;height:1px;overflow:hidden">no</span>too`, "yes too"},
		{"indented", `<p>yes <a style="text-indent:-9999px;overflow:hidden">no</a>too`, "yes too"},
		{"a little to the left", `<p style="position:absolute;left:-20px;clip:rect(0,90px,90px,0)">yes`, "yes"},
		{"no position", `<p style="left:-9999px;clip:auto">yes`, "yes"},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := mustParse(t, c.page)
			if got := strings.TrimSpace(d.Text(0)); got != c.want {
				t.Errorf("%q\n got %q\nwant %q", c.page, got, c.want)
			}
			if err := checkTree(d); err != nil {
				t.Error(err)
			}
		})
	}
}

// Text that is hidden only from screen readers is shown to everybody else.
func TestAriaHiddenProse(t *testing.T) {
	const lead = "<p>" + story + "</p>"
	for _, c := range []struct{ name, page, want string }{
		{"paragraph", lead + "<p aria-hidden=true>" + story + "</p>", story + "\n" + story},
		{"closed section", lead + "<h2>Why</h2><div aria-hidden=true><p>" + story + "</div>", story + "\nWhy\n" + story},
		{"short", lead + "<p aria-hidden=true>Share this", story},
		{"no paragraph", lead + "<div aria-hidden=true>" + story + "</div>", story},
		{"dialog", lead + "<div role=dialog aria-hidden=true><p>" + story + "</div>", story},
		{"with a button", lead + "<div aria-hidden=true><p>" + story + "</p><button>Accept</button></div>", story},
		{"menu", lead + "<nav aria-hidden=true><p>" + story + "</p></nav>", story},
		{"links", lead + "<ul aria-hidden=true><li><a href=/1>" + story + "</a></ul>", story},
		{"inline", lead + "<p>a <span aria-hidden=true>" + story + "</span>b", story + "\na b"},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := mustParse(t, c.page)
			if got := d.Text(0); got != c.want {
				t.Errorf("%q\n got %q\nwant %q", c.page, got, c.want)
			}
		})
	}
}

// Elements inside one another are not read ahead again and again.
func TestLookAheadIsBounded(t *testing.T) {
	const depth, each = 500, 1000
	page := strings.Repeat("<div aria-hidden=true class=sr-only>", depth) + strings.Repeat("<p>"+story, each)
	d := mustParse(t, page)
	if d.Len() < each {
		t.Errorf("%d nodes", d.Len())
	}
}
