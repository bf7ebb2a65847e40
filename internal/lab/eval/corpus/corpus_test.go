package corpus

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/lede-news/lede/internal/lab/testkit"
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

// open reads a corpus and collects its problems, without the folder.
func open(t *testing.T, dir, format string) (c *Corpus, problems []string, err error) {
	t.Helper()
	c, err = Open(dir, Options{Format: format, Problem: func(p Problem) {
		problems = append(problems, strings.ReplaceAll(p.Error(), dir+string(filepath.Separator), ""))
	}})
	return c, problems, err
}

// mustOpen reads a corpus without problems.
func mustOpen(t *testing.T, format string, files map[string]string) *Corpus {
	t.Helper()
	c, err := Open(folder(t, files), Options{Strict: true})
	if err != nil {
		t.Fatal(err)
	}
	if c.Format != format || c.Name != "harbour" {
		t.Errorf("the corpus %s has the format %s, want %s", c.Name, c.Format, format)
	}
	return c
}

func checkPages(t *testing.T, c *Corpus, want ...string) {
	t.Helper()
	var got []string
	for i := range c.Gold {
		page, err := c.Page(&c.Gold[i])
		if err != nil {
			t.Error(err)
		}
		got = append(got, string(page))
	}
	if !slices.Equal(got, want) {
		t.Errorf("pages %q, want %q", got, want)
	}
}

// TestProblems has a folder for each kind of problem, each with one good page.
func TestProblems(t *testing.T) {
	const good = `{"id":"good","text":"They flew."}` + "\n"
	for name, c := range map[string]struct {
		files map[string]string
		want  []string
	}{
		"invalid JSON": {
			map[string]string{"gold.jsonl": good + `{"id":"b",` + "\n" + `["c"]`},
			[]string{"gold.jsonl:2: invalid JSON: ", "gold.jsonl:3: invalid JSON: "},
		},
		"no id": {
			map[string]string{"gold.jsonl": "\n" + `{"text":"x"}` + "\n" + good + `{"id":7,"text":"x"}`},
			[]string{"gold.jsonl:2: page without id", "gold.jsonl:4: id is a number, want a string"},
		},
		"invalid id": {
			map[string]string{"gold.jsonl": good + `{"id":"../../etc/passwd","text":"x"}`},
			[]string{`gold.jsonl:2: id "../../etc/passwd" is not a file name`},
		},
		"repeated id": {
			map[string]string{"gold.jsonl": good + `{"id":"good","text":"They sank."}`},
			[]string{`gold.jsonl:2: page "good" is already on line 1`},
		},
		"missing page": {
			map[string]string{"gold.jsonl": `{"id":"gone","text":"x"}` + "\n" + good},
			[]string{"gold.jsonl:1: no page gone.html or gone.html.gz in pages"},
		},
		"field of another type": {
			map[string]string{"gold.jsonl": `{"id":"good","text":"They flew.","date":{},"authors":[true,"Ann"],"title_in_text":"no"}`},
			[]string{
				"gold.jsonl:1: title_in_text is a string, want a boolean; it is ignored",
				"gold.jsonl:1: authors is a boolean, want strings; it is ignored",
				"gold.jsonl:1: date is an object, want a string; it is ignored",
			},
		},
		"text without page, page without text": {
			map[string]string{"good.html": "x", "good.txt": "They flew.", "a.txt": "x", "b.htm": "x", "README.txt": "x"},
			[]string{"a.txt: no page a.html or a.html.gz in ", "b.htm: the gold has neither a text nor snippets: no text file"},
		},
		"invalid gzip text": {
			map[string]string{"good.html": "x", "good.txt": "They flew.", "a.html": "x", "a.txt.gz": "not gzip"},
			[]string{"a.txt.gz: "},
		},
		"annotated page without original": {
			map[string]string{
				"annotated/good.html": `<p><span class="x-nc-sel2">They flew.</span>`, "original/good.html": "x",
				"annotated/a.html": `<p><span class="x-nc-sel2">They sank.</span>`, "original/b.html": "x", "annotated/c.html": " ",
				"url-mapping.txt": "<urn:uuid:good> https://quay.example/\nwhat?\n",
			},
			[]string{
				"url-mapping.txt:2: want <urn:uuid:ID> and a URL",
				"annotated/a.html: no page a.html or a.html.gz in original",
				"annotated/c.html: the page is empty",
				"original/b.html: the gold has neither a text nor snippets: no such page in annotated",
			},
		},
		"invalid object": {
			map[string]string{
				"ground-truth.json": "{\n\"good\": {\"articleBody\": \"They flew.\"},\n\"good\": {\"articleBody\": \"x\"},\n\"b\": [],\n\"c\": {\"articleBody\": }\n}",
				"html/good.html.gz": gzipped("x"),
			},
			[]string{
				`ground-truth.json:3: page "good" is already on line 2`,
				`ground-truth.json:4: "b" is a list, want an object`,
				`ground-truth.json:5: invalid entry "c": `,
			},
		},
		"invalid dict": {
			map[string]string{
				"evaldata.py":     "EVAL_PAGES = {\n'https://quay.example/': {'file': 'good.html', 'with': ['They flew']},\n'u': {'with': ['x']},\n'v': {\n 'file': open('x')}}",
				"cache/good.html": "x",
			},
			[]string{"evaldata.py:3: page without id", "evaldata.py:5: open is not a literal; the rest of the file is ignored"},
		},
	} {
		if c.files["gold.jsonl"] != "" {
			c.files["pages/good.html"] = "x"
		}
		dir := folder(t, c.files)
		got, problems, err := open(t, dir, "")
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if len(got.Gold) != 1 || got.Gold[0].ID != "good" || got.Gold[0].Text != "They flew." && got.Gold[0].With == nil {
			t.Errorf("%s: got %+v", name, got.Gold)
		}
		if !slices.EqualFunc(problems, c.want, strings.Contains) {
			t.Errorf("%s: problems\n%s\nwant\n%s", name, strings.Join(problems, "\n"), strings.Join(c.want, "\n"))
		}
		var p Problem
		if _, err := Open(dir, Options{Strict: true}); !errors.As(err, &p) || !strings.Contains(strings.ReplaceAll(err.Error(), dir+string(filepath.Separator), ""), c.want[0]) {
			t.Errorf("%s: strict: %v, want %s", name, err, c.want[0])
		}
		if c, err := Open(dir, Options{}); err != nil || len(c.Gold) != 1 {
			t.Errorf("%s: without Options.Problem: %v", name, err)
		}
	}
}

// TestNoText checks which pages must have a text. Pages without one stay.
func TestNoText(t *testing.T) {
	dir := folder(t, map[string]string{
		"gold.jsonl": strings.Join([]string{
			`{"id":"a","text":" "}`,
			`{"id":"b","type":"article","title":"Gulls"}`,
			`{"id":"c","type":"product","title":"Anchor"}`,
			`{"id":"d","with":["They flew"]}`,
			`{"id":"e","without":["Home"],"text":null}`,
			`{"id":"f","text":"They flew."}`,
		}, "\n"),
		"pages/a.html": "", "pages/b.html": "", "pages/c.html": "", "pages/d.html": "", "pages/e.html": "", "pages/f.html": "",
	})
	var lines []int
	c, err := Open(dir, Options{Problem: func(p Problem) {
		if !errors.Is(p, ErrNoText) {
			t.Error(p)
		}
		lines = append(lines, p.Line)
	}})
	if err != nil || len(c.Gold) != 6 || !slices.Equal(lines, []int{1, 2}) {
		t.Errorf("%d pages, no text on lines %v, %v", len(c.Gold), lines, err)
	}
}

func TestOpenErrors(t *testing.T) {
	for name, c := range map[string]struct {
		dir, format, want string
	}{
		"no folder":  {filepath.Join(t.TempDir(), "gone"), "", "gone: no such folder"},
		"a file":     {filepath.Join(folder(t, map[string]string{"x": ""}), "x"), "", "x: not a folder"},
		"empty gold": {folder(t, map[string]string{"gold.jsonl": "\n\n"}), "", "no pages; want gold.jsonl"},
		"nothing usable": {folder(t, map[string]string{"gold.jsonl": `{"id":"a","text":"x"}` + "\n{"}), "",
			"no usable page, and 2 problems (the first: "},
		"no dict":        {folder(t, map[string]string{"evaldata.py": "PAGES = {}"}), "", "no EVAL_PAGES = {…} in the file"},
		"unknown format": {folder(t, map[string]string{"x": ""}), "boxes", `unknown corpus format "boxes"; available: shared, folder, cleaneval, l3s, aeb, evaldata`},
	} {
		if _, _, err := open(t, c.dir, c.format); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %v, want %s", name, err, c.want)
		}
	}
}

func TestPageErrors(t *testing.T) {
	c, _, err := open(t, folder(t, map[string]string{
		"gold.jsonl":        `{"id":"bad","text":"x"}` + "\n" + `{"id":"cut","text":"x"}`,
		"pages/bad.html.gz": "this is not gzip",
		"pages/cut.html.gz": gzipped(strings.Repeat("They flew. ", 1000))[:40],
	}), "")
	if err != nil {
		t.Fatal(err)
	}
	c.Gold = append(c.Gold, Gold{ID: "gone"})
	for i, want := range []string{"gold.jsonl:1: ", "gold.jsonl:2: ", "harbour: no page gone.html"} {
		g := &c.Gold[i]
		_, err := c.Page(g)
		if err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), g.ID+".html") {
			t.Errorf("%s: got %v, want %s", g.ID, err, want)
		}
		if p := AsProblem(err); p.Line != g.line || p.Err == nil {
			t.Errorf("%s: problem %+v", g.ID, p)
		}
	}
}

// TestReadFile checks the limit for plain and compressed files.
func TestReadFile(t *testing.T) {
	dir := folder(t, map[string]string{"bomb.gz": gzipped(strings.Repeat(" ", 2<<20)), "large": strings.Repeat(" ", 2<<20)})
	for _, name := range []string{"bomb.gz", "large"} {
		if _, err := readFile(filepath.Join(dir, name), 1<<20); err == nil || !strings.Contains(err.Error(), "larger than 1 MiB") {
			t.Errorf("%s: %v", name, err)
		}
		if data, err := readFile(filepath.Join(dir, name), 2<<20); err != nil || len(data) != 2<<20 {
			t.Errorf("%s: %d bytes, %v", name, len(data), err)
		}
	}
}

func TestOnly(t *testing.T) {
	c := &Corpus{Name: "harbour", Charset: "utf-8", Gold: []Gold{{ID: "a", Lang: "en"}, {ID: "b", Lang: "de"}, {ID: "c", Lang: "en"}}}
	part := c.Only(func(g *Gold) bool { return g.Lang == "en" })
	if len(part.Gold) != 2 || part.Gold[1].ID != "c" || part.Name != c.Name || part.Charset != c.Charset || len(c.Gold) != 3 {
		t.Errorf("got %+v of %+v", part, c)
	}
}

// lackText lists the articles without text in the corpora. Their only problem
// is ErrNoText.
var lackText = map[string][]string{
	"cleaneval":       {"dev-32", "final-278", "final-329", "final-690", "final-697", "final-707", "final-795"},
	"cleanportaleval": {"bbc.co.uk_news_05"},
	"wcxb":            {"4681"},
}

// TestCorpora opens all corpora.
func TestCorpora(t *testing.T) {
	if testing.Short() {
		t.Skip("reads all corpora; run without -short")
	}
	for _, name := range testkit.Corpora(t) {
		dir := testkit.Corpus(t, name)
		c, err := Open(dir, Options{Problem: func(p Problem) {
			if !errors.Is(p, ErrNoText) {
				t.Error(p)
			}
		}})
		if err != nil {
			t.Error(err)
			continue
		}
		data, err := os.ReadFile(filepath.Join(dir, "gold.jsonl"))
		if err != nil {
			t.Fatal(err)
		}
		if lines := strings.Count(string(data), "\n"); len(c.Gold) != lines || c.Format != "shared" || c.Charset != "utf-8" {
			t.Errorf("%s: %d pages of %d, format %s, charset %s", c.Name, len(c.Gold), lines, c.Format, c.Charset)
		}
		var years, held int
		var lacking []string
		for i := range c.Gold {
			if c.Gold[i].lacksText() {
				lacking = append(lacking, c.Gold[i].ID)
			}
			if c.Gold[i].Year() != "" {
				years++
			}
			if HeldOut(c.Gold[i].SiteName()) {
				held++
			}
		}
		if !slices.Equal(lacking, lackText[c.Name]) {
			t.Errorf("%s: articles without text: %q", c.Name, lacking)
		}
		page, err := c.Page(&c.Gold[len(c.Gold)-1])
		if err != nil || len(page) == 0 {
			t.Errorf("%s: empty page, %v", c.Name, err)
		}
		t.Logf("%s: %d pages, %d with a year, %d held out", c.Name, len(c.Gold), years, held)
	}
}

func TestFold(t *testing.T) {
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
	// Figures of held-out pages are comparable only if the folds stay the same.
	// FNV-1a of "a" is 0xe40c292c.
	if got := Fold("a", 10); got != 0xe40c292c%10 {
		t.Errorf("a is in fold %d", got)
	}
	if Fold("anything", 1) != 0 {
		t.Error("a single fold does not have all sites")
	}
}

func TestHeldOut(t *testing.T) {
	for i := range 1000 {
		site := fmt.Sprintf("paper%d.example", i)
		if HeldOut(site) != HeldOut("www."+site) || HeldOut(site) != (Fold(site, 5) == 0) {
			t.Errorf("%s: HeldOut(%v), Fold %d", site, HeldOut(site), Fold(site, 5))
		}
	}
}
