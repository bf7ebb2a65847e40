package corpus

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
)

// folder writes files to a new folder.
func folder(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "harbour")
	for name, data := range files {
		name = filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(data), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func gzipped(s string) string {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	_, _ = z.Write([]byte(s))
	_ = z.Close()
	return b.String()
}

func TestOpen(t *testing.T) {
	t.Parallel()
	c, err := Open(folder(t, map[string]string{
		"gold.jsonl": "\ufeff" + `{"id":"a","url":"https://www.quay.example/a","lang":"en","type":"article","title":"Gulls","text":"They flew.","title_in_text":true,"authors":["Ann"],"author":"Eve"}` +
			"\n\n" + `{"id":"b.c","site":"pier.example","title":null,"with":["Ice"],"author":"Bob","comments":"Good riddance","other":1,` +
			`"sections":[{"headline":["Fog"],"paragraphs":["One."]}],"pictures":[{"urls":["a.jpg"],"cover":true,"caption":null}]}`,
		"pages/a.html.gz": gzipped("<p>They flew."), "pages/a.html": "<p>An older one.",
		"pages/b.c.html": "<p>Ice.",
	}))
	if err != nil {
		t.Fatal(err)
	}
	for i, page := range []string{"<p>They flew.", "<p>Ice."} {
		got, err := c.Page(&c.Gold[i])
		if err != nil || string(got) != page {
			t.Errorf("page %q, %v, want %q", got, err, page)
		}
		c.Gold[i].page, c.Gold[i].where = "", ""
	}
	want := &Corpus{Name: "harbour", Gold: []Gold{
		{ID: "a", URL: "https://www.quay.example/a", Lang: "en", Type: "article", Title: "Gulls", Text: "They flew.", TitleInText: true, Authors: Texts{"Ann"}},
		{
			ID: "b.c", Site: "pier.example", With: Texts{"Ice"}, Authors: Texts{"Bob"}, Comments: Texts{"Good riddance"},
			Sections: []Section{{Texts{"Fog"}, Texts{"One."}}}, Pictures: []Picture{{Texts{"a.jpg"}, true}},
		},
	}}
	if !reflect.DeepEqual(c, want) {
		t.Errorf("got %+v", c)
	}
	for want, g := range map[string]*Gold{"www.quay.example": &c.Gold[0], "pier.example": &c.Gold[1], "x": {ID: "x"}} {
		if g.SiteName() != want {
			t.Errorf("site %q, want %q", g.SiteName(), want)
		}
	}
}

// TestProblems has lines with each kind of problem beside a good one.
func TestProblems(t *testing.T) {
	t.Parallel()
	lines := []string{
		`{"id":"good","text":"They flew."}`,
		`{"id":"b",`,
		`["c"]`,
		`{"text":"x"}`,
		`{"id":7,"text":"x"}`,
		`{"id":"../../etc/passwd","text":"x"}`,
		`{"id":"good","text":"They sank."}`,
		`{"id":"gone","text":"x"}`,
		`{"id":"good2","authors":[true]}`,
		`{"id":"empty","text":" "}`,
		`{"id":"product","type":"product"}`,
	}
	dir := folder(t, map[string]string{
		"gold.jsonl": strings.Join(lines, "\n"), "pages/good.html": "x", "pages/empty.html": "x", "pages/product.html": "x",
	})
	c, err := Open(dir)
	if err != nil || len(c.Gold) != 3 || c.Gold[0].Text != "They flew." || c.Gold[1].ID != "empty" {
		t.Fatalf("got %+v, %v", c, err)
	}
	var got []string
	for _, p := range c.Problems {
		got = append(got, strings.ReplaceAll(p.Error(), dir+string(filepath.Separator), ""))
	}
	want := []string{
		"gold.jsonl:2: unexpected end", "gold.jsonl:3: json: cannot unmarshal", "gold.jsonl:4: page without id", "gold.jsonl:5: json: cannot unmarshal",
		`gold.jsonl:6: id "../../etc/passwd" is not a file name`, `gold.jsonl:7: second page "good"`,
		"gold.jsonl:8: no page gone.html or gone.html.gz in pages", "gold.jsonl:9: want a string or a list of strings",
		"gold.jsonl:10: the gold has neither a text nor snippets",
	}
	if !slices.EqualFunc(got, want, strings.Contains) {
		t.Errorf("problems\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

func TestErrors(t *testing.T) {
	t.Parallel()
	for want, dir := range map[string]string{
		"gone: not a corpus: want gold.jsonl":    filepath.Join(t.TempDir(), "gone"),
		"harbour: no pages":                      folder(t, map[string]string{"gold.jsonl": "\n\n"}),
		"no usable page, and 2 problems (the fi": folder(t, map[string]string{"gold.jsonl": `{"id":"a","text":"x"}` + "\n{"}),
	} {
		if _, err := Open(dir); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %s", err, want)
		}
	}
	c, err := Open(folder(t, map[string]string{
		"gold.jsonl":        `{"id":"bad","text":"x"}` + "\n" + `{"id":"cut","text":"x"}`,
		"pages/bad.html.gz": "this is not gzip",
		"pages/cut.html.gz": gzipped(strings.Repeat("They flew. ", 1000))[:40],
	}))
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []string{"gold.jsonl:1: page bad: ", "gold.jsonl:2: page cut: "} {
		if _, err := c.Page(&c.Gold[i]); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %s", err, want)
		}
	}
}

// TestFold pins the folds: figures of held-out pages are comparable only if they
// stay the same.
func TestFold(t *testing.T) {
	t.Parallel()
	const k = 5
	var size [k]int
	for i := range 1000 {
		site := fmt.Sprintf("paper%d.example", i)
		f := Fold(site, k)
		size[f]++
		if Fold("WWW."+site, k) != f {
			t.Errorf("%s and www.%s are in different folds", site, site)
		}
	}
	if size != [k]int{202, 188, 219, 195, 196} {
		t.Errorf("1000 sites are in folds of %v", size)
	}
}
