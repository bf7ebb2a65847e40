package experiments

import (
	"strings"
	"testing"
)

func testTable() *Table {
	return &Table{
		Title: "Table 1: results", Corpus: "3 made-up articles",
		Columns: []Column{{"recall", Ratio}, {"correct", Percent}, {"pages", Count}, {"ms", Number}},
		Rows: []Row{
			{"R1", []Cell{Both(0.5, 0.947), Ours(0.25), Ours(3), Ours(12.5)}},
			{"R2|x", []Cell{Both(None, 0.9), Ours(None)}},
		},
		Notes: []string{"The judges were people."},
	}
}

func TestWriteText(t *testing.T) {
	var b strings.Builder
	if err := testTable().WriteText(&b); err != nil {
		t.Fatal(err)
	}
	want := `Table 1: results
        recall (paper)  correct  pages    ms
  R1     0.500 (0.947)   25.0 %      3  12.5
  R2|x       – (0.900)
Pages: 3 made-up articles.
The judges were people.
`
	if got := b.String(); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestWriteMarkdown(t *testing.T) {
	var b strings.Builder
	if err := testTable().WriteMarkdown(&b); err != nil {
		t.Fatal(err)
	}
	want := `**Table 1: results**

|  | recall (paper) | correct | pages | ms |
|---|---:|---:|---:|---:|
| R1 | 0.500 (0.947) | 25.0 % | 3 | 12.5 |
| R2\|x | – (0.900) |  |  |  |

Pages: 3 made-up articles. The judges were people.
`
	if got := b.String(); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}
