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

	"github.com/lede-news/lede/internal/testkit"
)

// folder writes files and gives their folder.
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

func packed(s string) string {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	_, _ = z.Write([]byte(s))
	_ = z.Close()
	return b.String()
}

// open reads a corpus without being strict. Problems lose their folder.
func open(t *testing.T, dir, form string) (c *Corpus, problems []string, err error) {
	t.Helper()
	c, err = Open(dir, Options{Form: form, Problem: func(p Problem) {
		problems = append(problems, strings.ReplaceAll(p.Error(), dir+string(filepath.Separator), ""))
	}})
	return c, problems, err
}

// mustOpen reads a corpus in which nothing is wrong.
func mustOpen(t *testing.T, form string, files map[string]string) *Corpus {
	t.Helper()
	c, err := Open(folder(t, files), Options{Strict: true})
	if err != nil {
		t.Fatal(err)
	}
	if c.Form != form || c.Name != "harbour" {
		t.Errorf("the corpus %s has the form %s, want %s", c.Name, c.Form, form)
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

// TestProblems has one folder for each way in which a corpus can be bad. The
// good page is found in all of them.
func TestProblems(t *testing.T) {
	const good = `{"id":"good","text":"They flew."}` + "\n"
	for name, c := range map[string]struct {
		files map[string]string
		want  []string
	}{
		"a broken line": {
			map[string]string{"gold.jsonl": good + `{"id":"b",` + "\n" + `["c"]`},
			[]string{"gold.jsonl:2: a broken line: ", "gold.jsonl:3: a broken line: "},
		},
		"no id": {
			map[string]string{"gold.jsonl": "\n" + `{"text":"x"}` + "\n" + good + `{"id":7,"text":"x"}`},
			[]string{"gold.jsonl:2: a page without id", "gold.jsonl:4: the id is a number, want a string"},
		},
		"an id that is no name": {
			map[string]string{"gold.jsonl": good + `{"id":"../../etc/passwd","text":"x"}`},
			[]string{`gold.jsonl:2: the id "../../etc/passwd" is not the name of a file`},
		},
		"an id twice": {
			map[string]string{"gold.jsonl": good + `{"id":"good","text":"They sank."}`},
			[]string{`gold.jsonl:2: page "good" is already on line 1`},
		},
		"a missing page": {
			map[string]string{"gold.jsonl": `{"id":"gone","text":"x"}` + "\n" + good},
			[]string{"gold.jsonl:1: there is no page gone.html or gone.html.gz in pages"},
		},
		"a strange field": {
			map[string]string{"gold.jsonl": `{"id":"good","text":"They flew.","date":{},"authors":[true,"Ann"],"title_in_text":"no"}`},
			[]string{
				"gold.jsonl:1: title_in_text is a string, want true or false; it is ignored",
				"gold.jsonl:1: authors is true or false, want strings; it is ignored",
				"gold.jsonl:1: date is an object, want a string; it is ignored",
			},
		},
		"a text without page and a page without text": {
			map[string]string{"good.html": "x", "good.txt": "They flew.", "a.txt": "x", "b.htm": "x", "README.txt": "x"},
			[]string{"a.txt: there is no page a.html or a.html.gz in ", "b.htm: the gold has neither a text nor snippets: there is no text file"},
		},
		"a text that is none": {
			map[string]string{"good.html": "x", "good.txt": "They flew.", "a.html": "x", "a.txt.gz": "no gzip"},
			[]string{"a.txt.gz: "},
		},
		"an annotated page without its original": {
			map[string]string{
				"annotated/good.html": `<p><span class="x-nc-sel2">They flew.</span>`, "original/good.html": "x",
				"annotated/a.html": `<p><span class="x-nc-sel2">They sank.</span>`, "original/b.html": "x", "annotated/c.html": " ",
				"url-mapping.txt": "<urn:uuid:good> https://quay.example/\nwhat?\n",
			},
			[]string{
				"url-mapping.txt:2: want <urn:uuid:ID> and an address",
				"annotated/a.html: there is no page a.html or a.html.gz in original",
				"annotated/c.html: the page is empty",
				"original/b.html: the gold has neither a text nor snippets: the page is not in annotated",
			},
		},
		"a broken table": {
			map[string]string{
				"ground-truth.json": "{\n\"good\": {\"articleBody\": \"They flew.\"},\n\"good\": {\"articleBody\": \"x\"},\n\"b\": [],\n\"c\": {\"articleBody\": }\n}",
				"html/good.html.gz": packed("x"),
			},
			[]string{
				`ground-truth.json:3: page "good" is already on line 2`,
				`ground-truth.json:4: "b" is a list, want an object`,
				`ground-truth.json:5: the entry "c" is broken: `,
			},
		},
		"a broken dict": {
			map[string]string{
				"evaldata.py":     "EVAL_PAGES = {\n'https://quay.example/': {'file': 'good.html', 'with': ['They flew']},\n'u': {'with': ['x']},\n'v': {\n 'file': open('x')}}",
				"cache/good.html": "x",
			},
			[]string{"evaldata.py:3: a page without id", "evaldata.py:5: open is not a literal; what follows is not read"},
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
		// Who is strict gets the first of them as an error.
		var p Problem
		if _, err := Open(dir, Options{Strict: true}); !errors.As(err, &p) || !strings.Contains(strings.ReplaceAll(err.Error(), dir+string(filepath.Separator), ""), c.want[0]) {
			t.Errorf("%s: strictly %v, want %s", name, err, c.want[0])
		}
		// And who does not listen gets the pages all the same.
		if quiet, err := Open(dir, Options{}); err != nil || len(quiet.Gold) != 1 {
			t.Errorf("%s: quietly %v", name, err)
		}
	}
}

// TestNoText holds which pages must have a text. Those that have none stay.
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
		dir, form, want string
	}{
		"no folder":    {filepath.Join(t.TempDir(), "gone"), "", "gone: no such folder"},
		"a file":       {filepath.Join(folder(t, map[string]string{"x": ""}), "x"), "", "x: not a folder"},
		"a blank gold": {folder(t, map[string]string{"gold.jsonl": "\n\n"}), "", "no pages in it; looked for gold.jsonl"},
		"nothing usable": {folder(t, map[string]string{"gold.jsonl": `{"id":"a","text":"x"}` + "\n{"}), "",
			"no usable page in it, but 2 problems (the first: "},
		"no dict":      {folder(t, map[string]string{"evaldata.py": "PAGES = {}"}), "", "there is no EVAL_PAGES = {…} in it"},
		"unknown form": {folder(t, map[string]string{"x": ""}), "boxes", `no form of corpora is called "boxes"; there is shared, folder, cleaneval, l3s, aeb, evaldata`},
	} {
		if _, _, err := open(t, c.dir, c.form); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %v, want %s", name, err, c.want)
		}
	}
}

func TestPageErrors(t *testing.T) {
	c, _, err := open(t, folder(t, map[string]string{
		"gold.jsonl":        `{"id":"bad","text":"x"}` + "\n" + `{"id":"cut","text":"x"}`,
		"pages/bad.html.gz": "this is no gzip",
		"pages/cut.html.gz": packed(strings.Repeat("They flew. ", 1000))[:40],
	}), "")
	if err != nil {
		t.Fatal(err)
	}
	c.Gold = append(c.Gold, Gold{ID: "gone"})
	for i, want := range []string{"gold.jsonl:1: ", "gold.jsonl:2: ", "harbour: there is no page gone.html"} {
		g := &c.Gold[i]
		_, err := c.Page(g)
		if err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), g.ID+".html") {
			t.Errorf("%s: got %v, want %s", g.ID, err, want)
		}
		if p := AsProblem(err); p.Line != g.line || p.Err == nil {
			t.Errorf("%s: the problem %+v", g.ID, p)
		}
	}
}

// TestReadFile holds that a small file does not unpack without end.
func TestReadFile(t *testing.T) {
	dir := folder(t, map[string]string{"bomb.gz": packed(strings.Repeat(" ", 2<<20)), "large": strings.Repeat(" ", 2<<20)})
	for _, name := range []string{"bomb.gz", "large"} {
		if _, err := readFile(filepath.Join(dir, name), 1<<20); err == nil || !strings.Contains(err.Error(), "it has more than 1 MiB") {
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

// TestCorpora opens every corpus there is. Nothing is wrong with any of them,
// but that nobody wrote down the story of a few pages.
func TestCorpora(t *testing.T) {
	if testing.Short() {
		t.Skip("reading all corpora takes long; this runs without -short")
	}
	dirs, _ := filepath.Glob(testkit.Shared("corpora", "*", "gold.jsonl"))
	if len(dirs) == 0 {
		t.Skip("no corpora in ../shared/corpora; this runs where they are")
	}
	for _, file := range dirs {
		textless := 0
		c, err := Open(filepath.Dir(file), Options{Problem: func(p Problem) {
			if !errors.Is(p, ErrNoText) {
				t.Error(p)
			}
			textless++
		}})
		if err != nil {
			t.Error(err)
			continue
		}
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if lines := strings.Count(string(data), "\n"); len(c.Gold) != lines || c.Form != "shared" || c.Charset != "utf-8" {
			t.Errorf("%s: %d pages of %d, form %s, charset %s", c.Name, len(c.Gold), lines, c.Form, c.Charset)
		}
		if textless > len(c.Gold)/50 {
			t.Errorf("%s: %d of %d pages without text", c.Name, textless, len(c.Gold))
		}
		var years, held int
		for i := range c.Gold {
			if c.Gold[i].Year() != "" {
				years++
			}
			if HeldOut(c.Gold[i].SiteName()) {
				held++
			}
		}
		page, err := c.Page(&c.Gold[len(c.Gold)-1])
		if err != nil || len(page) == 0 {
			t.Errorf("%s: an empty page, %v", c.Name, err)
		}
		t.Logf("%s: %d pages, %d without text, %d with a year, %d held out", c.Name, len(c.Gold), textless, years, held)
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
			t.Errorf("%s and www.%s are in two parts", site, site)
		}
	}
	for f, n := range size {
		if n < 150 || n > 250 {
			t.Errorf("part %d has %d of 1000 sites", f, n)
		}
	}
	// These are pinned: figures of held-out pages are only comparable while
	// the parts are the same. FNV-1a of "a" is 0xe40c292c.
	if got := Fold("a", 10); got != 0xe40c292c%10 {
		t.Errorf("the parts have changed: a is in %d", got)
	}
	if Fold("anything", 1) != 0 {
		t.Error("one part has all")
	}
}

func TestHeldOut(t *testing.T) {
	held := 0
	for i := range 1000 {
		site := fmt.Sprintf("paper%d.example", i)
		if HeldOut(site) {
			held++
		}
		if HeldOut(site) != HeldOut("www."+site) || HeldOut(site) != (Fold(site, 5) == 0) {
			t.Errorf("%s is on both sides", site)
		}
	}
	if held < 150 || held > 250 {
		t.Errorf("%d of 1000 sites are held out, want a fifth", held)
	}
}
