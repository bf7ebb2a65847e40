package sink

import (
	"bytes"
	"encoding/csv"
	"io"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/lede-news/lede/batch"
)

// idsOfCSV reads a CSV file with the standard library and compares its cells.
func idsOfCSV(t *testing.T, file string, decompress func(io.Reader) (io.Reader, error)) (ids []string) {
	t.Helper()
	b, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	r, err := decompress(bytes.NewReader(b))
	if err != nil {
		t.Fatal(err)
	}
	rows, err := csv.NewReader(r).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	for n, row := range rows {
		if n == 0 {
			if got := strings.Join(row, ",") + "\r\n"; got != string(csvHeader()) {
				t.Errorf("header %q", got)
			}
			continue
		}
		want := result(t, n-1).Line
		for i, c := range columns {
			if v, ok := c.value(&want).(string); ok && undoCell(row[i]) != v {
				t.Errorf("row %d, %s: %q, want %q", n, c.name, row[i], v)
			}
		}
		ids = append(ids, row[0])
	}
	return ids
}

// undoCell removes the apostrophe before a formula, as documented.
func undoCell(s string) string {
	if rest := strings.TrimLeft(s, "'"); len(rest) < len(s) && strings.IndexAny(rest, formulaStart) == 0 {
		return s[1:]
	}
	return s
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
		got := string(appendCell(nil, in))
		if got != want {
			t.Errorf("%q: %s, want %s", in, got, want)
		}
		if in == "" {
			continue
		}
		row, err := csv.NewReader(strings.NewReader(got + "\r\n")).Read()
		if err != nil || undoCell(row[0]) != strings.ReplaceAll(in, "\r\n", "\n") { // encoding/csv drops the CR
			t.Errorf("%q is read as %q (%v)", in, row, err)
		}
	}
}

// TestColumns checks that every field of a line is a column of databases, CSV and
// Parquet.
func TestColumns(t *testing.T) {
	var fields, names []string
	for f := range reflect.TypeFor[batch.Line]().Fields() {
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		fields = append(fields, name)
		if inParquet, _, _ := strings.Cut(f.Tag.Get("parquet"), ","); inParquet != name && name != "body" {
			t.Errorf("%s is called %s in Parquet", name, inParquet)
		}
	}
	for _, c := range columns {
		names = append(names, c.name)
	}
	if !slices.Equal(names, fields) {
		t.Errorf("columns %v\nfields  %v", names, fields)
	}
}

func TestEndings(t *testing.T) {
	for _, name := range []string{"a.jsonl", "A.JSONL.GZ", "a.ndjson.zst", "a.csv", "a.csv.gz", "a.parquet", "a.sqlite", "a.sqlite3", "a.db"} {
		if err := Check(name, Shard{}); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	for _, name := range []string{"a", "a.json", "a.txt", "a.gz", "a.tsv", "a.parquet.gz", "a.db.zst", "csv", ".xlsx"} {
		err := Check(name, Shard{})
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
