package corpus

import (
	"bytes"
	"compress/gzip"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
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

func TestReadCorpus(t *testing.T) {
	dir := folder(t, map[string]string{
		"gold.jsonl": `{"id":"a","url":"https://www.quay.example/a","lang":"en","type":"article","title":"Gulls","text":"They flew.","title_in_text":true,"authors":["Ann"]}` +
			"\n\n" + `{"id":"b.c","site":"pier.example","title":null,"text":null}`,
		"pages/a.html.gz": packed("<p>They flew."),
		"pages/b.c.html":  "<p>Ice.",
	})
	c, err := ReadCorpus(dir)
	if err != nil {
		t.Fatal(err)
	}
	if c.Name != "harbour" || len(c.Gold) != 2 {
		t.Fatalf("corpus %q with %d pages", c.Name, len(c.Gold))
	}
	a, b := &c.Gold[0], &c.Gold[1]
	if a.Text != "They flew." || a.Title != "Gulls" || !a.TitleInText || a.Type != "article" || a.Lang != "en" {
		t.Errorf("got %+v", a)
	}
	if a.SiteName() != "www.quay.example" || b.SiteName() != "pier.example" || (&Gold{ID: "x"}).SiteName() != "x" {
		t.Errorf("sites %q, %q", a.SiteName(), b.SiteName())
	}
	for g, want := range map[*Gold]string{a: "<p>They flew.", b: "<p>Ice."} {
		if page, err := c.Page(g); err != nil || string(page) != want {
			t.Errorf("%s: %q, %v", g.ID, page, err)
		}
	}
}

func TestReadCorpusErrors(t *testing.T) {
	for name, c := range map[string]struct {
		gold, want string
	}{
		"broken line": {`{"id":"a"}` + "\n" + `{"id":`, "gold.jsonl:2: "},
		"no object":   {`["a"]`, "gold.jsonl:1: "},
		"no id":       {"\n" + `{"text":"x"}`, "gold.jsonl:2: a page without id"},
		"twice":       {`{"id":"a"}` + "\n" + `{"id":"b"}` + "\n" + `{"id":"a"}`, `gold.jsonl:3: page "a" is already on line 1`},
		"outside":     {`{"id":"../../etc/passwd"}`, `gold.jsonl:1: the id "../../etc/passwd" is not the name of a file`},
		"empty":       {"\n\n", "gold.jsonl: no pages in it"},
	} {
		_, err := ReadCorpus(folder(t, map[string]string{"gold.jsonl": c.gold}))
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %v, want %s", name, err, c.want)
		}
	}
	if _, err := ReadCorpus(folder(t, map[string]string{"x": ""})); !errors.Is(err, ErrNoCorpus) {
		t.Errorf("no gold.jsonl: %v", err)
	}
	if _, err := ReadCorpus(filepath.Join(t.TempDir(), "gone")); err == nil || !strings.Contains(err.Error(), "gone: no such folder") {
		t.Errorf("no folder: %v", err)
	}
	if _, err := ReadCorpus(filepath.Join(folder(t, map[string]string{"x": ""}), "x")); err == nil || !strings.Contains(err.Error(), "x: not a folder") {
		t.Errorf("a file: %v", err)
	}
}

func TestPageErrors(t *testing.T) {
	c, err := ReadCorpus(folder(t, map[string]string{
		"gold.jsonl":        `{"id":"gone"}` + "\n" + `{"id":"bad"}` + "\n" + `{"id":"cut"}`,
		"pages/bad.html.gz": "this is no gzip",
		"pages/cut.html.gz": packed(strings.Repeat("They flew. ", 1000))[:40],
	}))
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []string{
		"gold.jsonl:1: there is neither",
		"gold.jsonl:2: ",
		"gold.jsonl:3: ",
	} {
		if _, err := c.Page(&c.Gold[i]); err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), c.Gold[i].ID+".html") {
			t.Errorf("%s: got %v, want %s", c.Gold[i].ID, err, want)
		}
	}
}
