package twcem

import (
	"slices"
	"testing"

	"github.com/lede-news/lede/internal/lab/methodtest"
)

func TestRows(t *testing.T) {
	for _, c := range []struct {
		page string
		want []string
	}{
		{"<p>One</p>  <p>Two <b>and</b> a half</p>Three", []string{"One", "Two and a half", "Three"}},
		{"<div>One<br>Two<br><br>Three<div>Four</div>Five</div>", []string{"One", "Two", "Three", "Four", "Five"}},
		{"<table><tr><td>One<td>Two<tr><td>Three</table>", []string{"One", "Two", "Three"}},
		{"<p>One\nrow\nin the source</p>", []string{"One row in the source"}},
		{"<p>One<script>x</script><style>y</style><!-- z --></p><p hidden>No</p>", []string{"One"}},
		{"<p></p>", nil},
	} {
		d := methodtest.Parse(t, c.page)
		var got []string
		for _, r := range split(d, false) {
			got = append(got, d.AllText()[r.from:r.to])
			if !d.IsText(r.first) || !d.IsText(r.last) || r.first > r.last {
				t.Errorf("%s: row from node %d to %d", c.page, r.first, r.last)
			}
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: %q", c.page, got)
		}
	}
}

func TestMeasure(t *testing.T) {
	for _, c := range []struct {
		row                string
		length, marks, all int32
	}{
		{"", 0, 0, 0},
		{"a b", 2, 0, 0},
		{"Well, well; yes. No! No?", 20, 5, 5},
		{`"Well," he said (at once.)`, 22, 2, 2},
		{"“So.” «So!» 'So?'", 15, 3, 3},
		{"Font: 15.00, canada.com 3:05", 25, 1, 5},
		{"Home | News - \"Sport\" (more) / A&B", 27, 0, 0},
		{"你好，世界。", 6, 2, 2},
		{"来源：网", 4, 0, 1},
		{"ニュース、です！", 8, 2, 2},
		{"سؤال، وجواب؟", 11, 2, 2},
		{"שלום, עולם.", 10, 2, 2},
		{"Τι; Ναι.", 7, 2, 2},
		{"नमस्ते।", 7, 1, 1},
		{"Wait…", 5, 1, 1},
		{"Привет, мир.", 11, 2, 2},
	} {
		length, marks := measure(c.row, false)
		if _, all := measure(c.row, true); length != c.length || marks != c.marks || all != c.all {
			t.Errorf("%q: %d characters, %d marks, %d of all", c.row, length, marks, all)
		}
	}
}
