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
		for _, r := range split(d) {
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
		row           string
		length, marks int32
	}{
		{"", 0, 0},
		{"a b", 2, 0},
		{"Well, well: yes; no. No! No?", 23, 6},
		{"Home | News - \"Sport\" (more) / A&B", 27, 0},
		{"你好，世界。", 6, 2},
		{"ニュース、です！", 8, 2},
		{"سؤال، وجواب؟", 11, 2},
		{"שלום, עולם.", 10, 2},
		{"Τι; Ναι.", 7, 2},
		{"नमस्ते।", 7, 1},
		{"Wait…", 5, 1},
		{"Привет, мир.", 11, 2},
	} {
		if length, marks := measure(c.row); length != c.length || marks != c.marks {
			t.Errorf("%q: %d characters, %d marks", c.row, length, marks)
		}
	}
}
