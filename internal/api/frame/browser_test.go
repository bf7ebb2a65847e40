package frame

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/lede-news/lede/dom"
	"github.com/lede-news/lede/internal/lab/testkit"
)

func TestMain(m *testing.M) { testkit.Main(m) }

// textMarks marks each text of a page, with all roles in turn.
func textMarks(d *dom.Document) (list []Mark) {
	roles := []string{Kept, Dropped, Title, Byline, Date, Standfirst, Hidden}
	for n := dom.Node(1); int(n) < d.Len(); n++ {
		if d.IsText(n) {
			list = append(list, Mark{First: n, Last: n, Role: roles[len(list)%len(roles)], Index: len(list)})
		}
	}
	return list
}

// TestMarksKeepLayout compares the place of each element on pages with and without
// marks, in Chromium.
func TestMarksKeepLayout(t *testing.T) {
	const styled = `<!doctype html><style>span{display:block;float:right;padding:20px;font-size:30px}p span{position:absolute}*{border:1px solid;margin:3px}nav{display:flex;gap:10px;justify-content:space-between}
.grid{display:grid;grid-template-columns:1fr 2fr;gap:5px}.dark{background:#111;color:#eee}</style><nav> <a href=1>One</a> two <a href=3>Three</a> </nav>
<div class=grid>left <p>right <b>bold</b> <i>text</i></p></div><div class=dark><h1>A headline in <em>white</em></h1><p>Some text<br>in lines.</p></div>
<ul><li>one<li>two <a href=x>link</a></ul><table><tr><th>head<td>cell</table><pre>
  code
    more</pre><ruby>A<rt>zi</rt></ruby><button>press</button><select><option>a<option>b</select><textarea>t</textarea><details open><summary>s</summary>d</details>`
	pages := map[string]string{"styled": styled}
	files, err := filepath.Glob("../../../testdata/pages/*/source.html")
	if err != nil || len(files) < 5 {
		t.Fatal(files, err)
	}
	for i := 0; i < len(files); i += testkit.Step(3, 3) {
		pages[files[i]] = readFile(t, files[i])
	}
	tab := testkit.NewTab(t, 900, 700)
	for name, page := range pages {
		d, err := dom.Parse(context.Background(), []byte(page), dom.Options{})
		if err != nil {
			t.Fatal(err)
		}
		places := make([][]string, 2)
		list := textMarks(d)
		for i, opts := range []Options{{Marks: list[:1]}, {Marks: list}} { // pictures that are not loaded are smaller on marked pages
			b, err := Page(d, opts)
			if err != nil {
				t.Fatal(err)
			}
			tab.NavigateFile(b)
			places[i] = testkit.Evaluate[[]string](tab, `[...document.querySelectorAll("body [data-n]:not(br, rt)")].map((e) => {
				const r = e.getBoundingClientRect();
				return [e.dataset.n, e.localName, ...[r.x, r.y, r.width, r.height].map(Math.round)].join(" ");
			})`)
			if marked := testkit.Evaluate[int](tab, `document.querySelectorAll("[data-b]").length`); marked < 1 || marked == 1 && i == 1 {
				t.Errorf("%s: %d marks", name, marked)
			}
		}
		if len(places[0]) < 5 || !slices.Equal(places[0], places[1]) {
			moved := slices.DeleteFunc(slices.Clone(places[1]), func(p string) bool { return slices.Contains(places[0], p) })
			t.Errorf("%s: %d of %d elements moved: %s", name, len(moved), len(places[0]), strings.Join(moved[:min(len(moved), 5)], "; "))
		}
	}
}

// TestMarksAreVisible checks that roles differ by a line, not only by their colours, on
// light and dark pages and against rules of the page.
func TestMarksAreVisible(t *testing.T) {
	const page = `<!doctype html><style>span{outline:none!important;display:none}*{background:%s;color:%s}</style><h1>Head</h1><p>Kept</p><p>Dropped</p><p>By</p><p>Day</p><p>Stand</p><p>Hidden</p>`
	tab := testkit.NewTab(t, 900, 700)
	for _, colours := range [][2]string{{"#fff", "#000"}, {"#111", "#eee"}} {
		d := parse(t, fmt.Sprintf(page, colours[0], colours[1]))
		list := textMarks(d)
		for i, role := range []string{Title, Kept, Dropped, Byline, Date, Standfirst, Hidden} {
			list[i].Role = role
		}
		b, err := Page(d, Options{Marks: list})
		if err != nil {
			t.Fatal(err)
		}
		tab.NavigateFile(b)
		looks := testkit.Evaluate[[]string](tab, `[...document.querySelectorAll("[data-b]")].map((e) => {
			const s = getComputedStyle(e), block = getComputedStyle(e.parentElement);
			return [s.display, s.outlineStyle, s.textDecorationLine, s.textDecorationStyle, s.opacity, block.boxShadow.replace(/^rgb\S* \S+ \S+/, "").slice(0, 30)].join(" ");
		})`)
		if len(looks) != 7 || len(slices.Compact(slices.Sorted(slices.Values(looks)))) != 7 {
			t.Errorf("%v: roles look alike: %s", colours, strings.Join(looks, "\n"))
		}
		for _, look := range looks {
			if !strings.HasPrefix(look, "inline ") {
				t.Errorf("a mark is not inline: %s", look)
			}
		}
	}
}
