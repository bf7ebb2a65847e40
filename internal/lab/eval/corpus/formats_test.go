package corpus

import (
	"errors"
	"reflect"
	"strings"
	"testing"
)

// TestDetect checks the detection of formats.
func TestDetect(t *testing.T) {
	const wrapped = `<text id="https://quay.example/">` + "\n<p>x\n</text>"
	for name, c := range map[string]struct {
		files  []string
		format string // or part of the error
	}{
		"shared":                     {[]string{"gold.jsonl", "pages/a.html"}, "shared"},
		"shared, other files too":    {[]string{"gold.jsonl", "pages/a.html", "notes.html", "notes.txt"}, "shared"},
		"files side by side":         {[]string{"a.html", "a.txt", "b.htm", "b.txt"}, "folder"},
		"packed":                     {[]string{"a.html.gz", "a.txt.gz"}, "folder"},
		"folders side by side":       {[]string{"html/a.html", "text/a.txt"}, "folder"},
		"folders side by side, txt":  {[]string{"html/a.html", "txt/a.txt"}, "folder"},
		"CleanEval sample":           {[]string{"en_original/1.html", "en_cleaned/1-cleaned.txt"}, "cleaneval"},
		"CleanEval final run":        {[]string{"finalrun-input/1.html", "GoldStandard/1-cleaned.txt"}, "cleaneval"},
		"CleanPortalEval":            {[]string{"input/1.html", "GoldStandard/1.txt"}, "cleaneval"},
		"CleanEval in one folder":    {[]string{"1.html", "1-cleaned.txt"}, "cleaneval"},
		"CleanEval in one, renamed":  {[]string{"1.wrapped.html", "1.wrapped.txt"}, "cleaneval"},
		"L3S-GN1":                    {[]string{"original/a.html", "annotated/a.html", "url-mapping.txt", "LICENSE.txt"}, "l3s"},
		"benchmark":                  {[]string{"ground-truth.json", "html/a.html.gz", "README.rst"}, "aeb"},
		"trafilatura":                {[]string{"evaldata.py", "cache/a.html", "eval/b.html"}, "evaldata"},
		"trafilatura, converted":     {[]string{"evaldata.json", "cache/a.html"}, "evaldata"},
		"two formats":                {[]string{"gold.jsonl", "ground-truth.json"}, "matches the formats shared and aeb; choose one"},
		"pages only":                 {[]string{"a.html", "b.html"}, "not a corpus of any format"},
		"pages, and texts of others": {[]string{"a.html", "b.txt"}, "not a corpus of any format"},
		"texts only":                 {[]string{"text/a.txt"}, "not a corpus of any format"},
		"nothing of note":            {[]string{"README.md"}, "not a corpus of any format"},
	} {
		files := map[string]string{}
		for _, f := range c.files {
			files[f] = "x"
			if strings.Contains(f, "wrapped.html") {
				files[f] = wrapped
			}
		}
		l, err := list(folder(t, files))
		if err != nil {
			t.Fatal(err)
		}
		switch f, err := chooseFormat(l, ""); {
		case err != nil && !strings.Contains(err.Error(), c.format), err == nil && f.Name != c.format:
			t.Errorf("%s: got %v, %v, want %s", name, f, err, c.format)
		}
	}
}

// TestChooseFormat chooses a format by name, which must match the folder.
func TestChooseFormat(t *testing.T) {
	l, err := list(folder(t, map[string]string{"gold.jsonl": "", "ground-truth.json": "", "a.html": "", "a.txt": ""}))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"shared", "aeb", "folder"} {
		if f, err := chooseFormat(l, name); err != nil || f.Name != name {
			t.Errorf("%s: got %v, %v", name, f, err)
		}
	}
	if _, err := chooseFormat(l, "l3s"); !errors.Is(err, ErrNoCorpus) || !strings.Contains(err.Error(), "want original/ID.html") {
		t.Errorf("another format: %v", err)
	}
	l.files = nil
	_, err = chooseFormat(l, "")
	for _, f := range Formats() {
		if f.About == "" || !strings.Contains(err.Error(), f.Files) {
			t.Errorf("%v does not describe the format %s", err, f.Name)
		}
	}
}

func TestFolder(t *testing.T) {
	const text = "They flew.\n\nNobody knows why."
	for name, files := range map[string]map[string]string{
		"side by side": {"a.html": "<p>1", "a.txt": "\ufeff" + text + "\r\n", "b.x.HTM": "<p>2", "b.x.txt": "Caf\xe9s are closed, and the gulls have left the quay."},
		"packed":       {"a.html.gz": gzipped("<p>1"), "a.txt": text, "b.x.html": "<p>2", "b.x.txt.gz": gzipped("Cafés are closed, and the gulls have left the quay.")},
		"apart":        {"html/a.html": "<p>1", "text/a.txt": text, "html/b.x.html.gz": gzipped("<p>2"), "text/b.x.txt": "Cafés are closed, and the gulls have left the quay."},
	} {
		c := mustOpen(t, "folder", files)
		if len(c.Gold) != 2 || c.Charset != "" {
			t.Fatalf("%s: got %+v", name, c)
		}
		a, b := c.Gold[0], c.Gold[1]
		if a.ID != "a" || a.Text != text || a.TitleInText || b.ID != "b.x" || b.Text != "Cafés are closed, and the gulls have left the quay." {
			t.Errorf("%s: got %+v", name, c.Gold)
		}
		checkPages(t, c, "<p>1", "<p>2")
	}
}

func TestCleanEval(t *testing.T) {
	const gold = "URL: https://quay.example/a\n\n<h>Gulls leave\n  <P> They flew\naway. <l>One<l>Two\n"
	page := `<text id="https://quay.example/b?x=1&amp;y=2" title="a > b" encoding="iso-8859-1">` + "\n<p>Caf\xe9s closed</p>\n</text>\n"
	c := mustOpen(t, "cleaneval", map[string]string{
		"en_original/1.html": page, "en_cleaned/1-cleaned.txt": gold,
		"en_original/2.html": strings.Replace(page, "iso-8859-1", "unset", 1), "en_cleaned/2-cleaned.txt": "<p>They flew.",
		"en_original/3.html": "<p>No wrapping", "en_cleaned/3-cleaned.txt": "They flew.",
	})
	want := []Gold{
		{ID: "1", URL: "https://quay.example/a", Text: "Gulls leave\nThey flew\naway.  One Two", Lang: "en", TitleInText: true},
		{ID: "2", URL: "https://quay.example/b?x=1&y=2", Text: "They flew.", Lang: "en", TitleInText: true},
		{ID: "3", Text: "They flew.", Lang: "en", TitleInText: true},
	}
	checkGold(t, c, want)
	checkPages(t, c, "<p>Cafés closed</p>\n", "<p>Cafés closed</p>\n", "<p>No wrapping")
	if c.Charset != "utf-8" {
		t.Errorf("charset %q", c.Charset)
	}

	// Languages side by side have the same numbers.
	c = mustOpen(t, "cleaneval", map[string]string{
		"en_original/1.html": "x", "en_cleaned/1-cleaned.txt": gold, "zh_original/1.html": "y", "zh_cleaned/1-cleaned.txt": "<p>海鸥飞走了。",
	})
	if len(c.Gold) != 2 || c.Gold[0].ID != "en-1" || c.Gold[1].ID != "zh-1" || c.Gold[1].Lang != "zh" {
		t.Errorf("got %+v", c.Gold)
	}
	checkPages(t, c, "x", "y")
	checkPages(t, mustOpen(t, "cleaneval", map[string]string{"input/1.html": "x", "GoldStandard/1.txt": gold}), "x")
	checkPages(t, mustOpen(t, "cleaneval", map[string]string{"1.html": "x", "1-cleaned.txt": gold}), "x")
}

func TestL3S(t *testing.T) {
	c := mustOpen(t, "l3s", map[string]string{
		"url-mapping.txt":   "<urn:uuid:a-1> https://quay.example/gulls\n",
		"original/a-1.html": "<h1>Gulls leave</h1>",
		"annotated/a-1.html": `<title>Quay</title><div><span class="x-nc-sel0">Home</span></div>
<h1><span class="x-nc-sel1">Gulls
leave</span></h1><p><span class="x-nc-sel3">By Ann</span></p>
<p><span class="x-nc-sel2">They <b>flew</b>
away. <span class="x-nc-sel3">Photo: Bob</span> All of them.</span></p><p><span class="x-nc-sel2">Nobody knows why.</span></p>
<script>x()</script><ul><li><span class="x-nc-sel4">Boats stay</span></li><li><span class="x-nc-sel4">Ice melts</span></li></ul>
<p><span class="x-nc-sel5">Good riddance</span><p>Imprint`,
	})
	checkGold(t, c, []Gold{{
		ID: "a-1", URL: "https://quay.example/gulls", Type: "article", Title: "Gulls leave",
		Text: "They flew away.\nAll of them.\nNobody knows why.", Extra: []string{"By Ann\nPhoto: Bob"},
		Related: []string{"Boats stay\nIce melts"}, Comments: []string{"Good riddance"},
	}})
	checkPages(t, c, "<h1>Gulls leave</h1>")
}

func TestAEB(t *testing.T) {
	c := mustOpen(t, "aeb", map[string]string{
		"ground-truth.json": `{"b": {"articleBody": "They flew.", "url": "https://quay.example/b"}, "a": {"articleBody": "They sank.\n\nAll.", "url": null}}`,
		"html/a.html.gz":    gzipped("<p>1"), "html/b.html.gz": gzipped("<p>2"),
	})
	checkGold(t, c, []Gold{{ID: "b", URL: "https://quay.example/b", Text: "They flew."}, {ID: "a", Text: "They sank.\n\nAll."}})
	checkPages(t, c, "<p>2", "<p>1")
	if c.Charset != "utf-8" {
		t.Errorf("charset %q", c.Charset)
	}
}

func TestEvalData(t *testing.T) {
	want := []Gold{
		{ID: "quay.example.gulls", URL: "https://quay.example/gulls", Title: "Gulls leave", Authors: []string{"Ann", "Bob"}, Date: "2019-08-02",
			With: []string{"They flew", "Nobody knows"}, Without: []string{"Imprint"}, Comments: []string{"Good riddance"}},
		{ID: "pier", URL: "https://pier.example/", With: []string{"Ice"}},
	}
	pages := map[string]string{"eval/quay.example.gulls.html": "<p>1", "cache/pier.html.gz": gzipped("<p>2")}
	for name, gold := range map[string]string{
		"evaldata.py": `# pages
OLD = {'a': 'EVAL_PAGES = {'}

EVAL_PAGES = {
    # the first
    "https://quay.example/gulls": {
        'file': 'quay.example.gulls.html', "title": 'Gulls '
            'leave', 'author': ['Ann', "Bob"], 'date': '2019-08-02',
        'with': ['They flew', 'Nobody knows'], 'without': ('Imprint',), 'comments': ['Good riddance'],  # more
    },
    'https://pier.example/': {'file': u'pier.html', 'with': [r'Ice'], 'without': [], 'title': '', 'author': None, 'date': ''},
}
`,
		"evaldata.json": `{"https://quay.example/gulls": {"file": "quay.example.gulls.html", "title": "Gulls leave", "author": ["Ann", "Bob"],
"date": "2019-08-02", "with": ["They flew", "Nobody knows"], "without": ["Imprint"], "comments": ["Good riddance"]},
"https://pier.example/": {"file": "pier.html", "with": ["Ice"]}}`,
	} {
		files := map[string]string{name: gold}
		for k, v := range pages {
			files[k] = v
		}
		c := mustOpen(t, "evaldata", files)
		checkGold(t, c, want)
		checkPages(t, c, "<p>1", "<p>2")
	}
}

// checkGold compares gold without its origin.
func checkGold(t *testing.T, c *Corpus, want []Gold) {
	t.Helper()
	if len(c.Gold) != len(want) {
		t.Fatalf("got %d pages, want %d", len(c.Gold), len(want))
	}
	for i, g := range c.Gold {
		if g.file == "" || g.page == "" {
			t.Errorf("%s: no origin", g.ID)
		}
		g.file, g.page, g.line = "", "", 0
		if !reflect.DeepEqual(g, want[i]) {
			t.Errorf("got\n%+v\nwant\n%+v", g, want[i])
		}
	}
}
