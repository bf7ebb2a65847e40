package sink

import (
	"bytes"
	"encoding/csv"
	"io"
	"os"
	"strings"
	"testing"

	"github.com/lede-news/lede/batch"
)

// idsOfCSV reads a CSV file and compares its cells.
func idsOfCSV(t *testing.T, path string) (ids []string) {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	rows, err := csv.NewReader(bytes.NewReader(b)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	for n, row := range rows[1:] {
		want := result(t, n).Line
		for i, v := range values(&want) {
			if v, ok := v.(string); ok && strings.TrimPrefix(row[i], "'") != strings.TrimPrefix(v, "'") {
				t.Errorf("row %d, %s: %q, want %q", n, rows[0][i], row[i], v)
			}
		}
		ids = append(ids, row[0])
	}
	return ids
}

func TestCells(t *testing.T) {
	for in, want := range map[string]string{
		"":                                   "",
		"plain":                              "plain",
		"a, b":                               `"a, b"`,
		`the "end"`:                          `"the ""end"""`,
		"two\nlines":                         "\"two\nlines\"",
		"two\r\nlines":                       "\"two\r\nlines\"",
		"=1+1":                               "'=1+1",
		"+1":                                 "'+1",
		"-1":                                 "'-1",
		"@SUM(A1)":                           "'@SUM(A1)",
		"\t=1":                               "'\t=1",
		"\n=1":                               "\"'\n=1\"",
		"＝1":                                 "'＝1",
		"'=1":                                "''=1",
		"''=1":                               "'''=1",
		"'Quoted' headline":                  "'Quoted' headline",
		"'":                                  "'",
		"a=1":                                "a=1",
		`=HYPERLINK("http://x.example","y")`: `"'=HYPERLINK(""http://x.example"",""y"")"`,
	} {
		got := string(csvRecord(&batch.Result{Line: batch.Line{ID: "x", Title: in}}))
		if !strings.HasPrefix(got, "x,,"+want+",") {
			t.Errorf("%q: %s, want %s", in, got, want)
		}
	}
}

func TestEndings(t *testing.T) {
	for _, name := range []string{"a.jsonl", "A.JSONL.GZ", "a.ndjson.zst", "a.csv", "a.csv.gz", "a.parquet", "a.sqlite", "a.sqlite3", "a.db"} {
		if err := Check(name); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	for _, name := range []string{"a", "a.json", "a.txt", "a.gz", "a.tsv", "a.parquet.gz", "a.db.zst", "csv", ".xlsx"} {
		err := Check(name)
		if err == nil || !strings.Contains(err.Error(), ".jsonl") || !strings.Contains(err.Error(), ".csv") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestStream(t *testing.T) {
	for name, begin := range map[string]string{"-": `{"id":"id0"`, "/dev/null": `{"id":"id0"`, "fifo.jsonl": `{"id":"id0"`, "fifo.csv": "id,url,title,"} {
		var b bytes.Buffer
		write, err := Stream(&b, name)
		if err != nil {
			t.Fatal(err)
		}
		if err := write(result(t, 0)); err != nil || !strings.HasPrefix(b.String(), begin) {
			t.Errorf("%s: %.40q, %v", name, b.String(), err)
		}
	}
	for _, name := range []string{"fifo.parquet", "fifo.db", "fifo.csv.gz", "fifo.txt"} {
		if _, err := Stream(io.Discard, name); err == nil {
			t.Errorf("no error for %s", name)
		}
	}
}
