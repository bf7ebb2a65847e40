package dom

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode"
)

// legacy are the charsets that the languages of a corpus were once written in.
var legacy = map[string][]string{
	"el": {"windows-1253", "iso-8859-7"},
	"zh": {"gb18030", "big5"},
	"ru": {"windows-1251", "koi8-r", "iso-8859-5", "ibm866"},
	"pl": {"windows-1250", "iso-8859-2"},
}

// TestDetectCorpus writes real pages in the charsets of their language,
// without declaration, and wants the letters of nearly all of them back.
func TestDetectCorpus(t *testing.T) {
	if testing.Short() || underRace {
		t.Skip("slow; scripts/test.sh runs it without the race detector")
	}
	langs := corpusLanguages(t, "daniel")
	seen := map[string]int{}
	right := map[string]int{}
	tried := map[string]int{}
	for _, f := range corpusFiles("daniel") {
		id := strings.TrimSuffix(filepath.Base(f), ".html.gz")
		lang := langs[id]
		if seen[lang]++; seen[lang] > 30 {
			continue
		}
		text := pageText(t, gunzip(t, f))
		for _, charset := range legacy[lang] {
			raw := encode(t, charset, text)
			if charset == "big5" && bytes.Count(raw, []byte("&#")) > 20 {
				continue // simplified Chinese has no place in Big5
			}
			if !hasHigh(raw) {
				continue // nothing to go by
			}
			tried[lang]++
			got, as, err := Decode(raw, Options{})
			want, _, _ := convert(raw, charset)
			if err == nil && letters(got) == letters(want) {
				right[lang]++
			} else {
				t.Logf("%s (%s) in %s: read as %s", id, lang, charset, as)
			}
		}
	}
	for lang, n := range tried {
		share := float64(right[lang]) / float64(n)
		t.Logf("%s: %d of %d", lang, right[lang], n)
		if share < 0.97 {
			t.Errorf("%s: %.1f%% detected, want 97%%", lang, 100*share)
		}
	}
}

func corpusLanguages(t *testing.T, name string) map[string]string {
	b, err := os.ReadFile(filepath.Join("..", "..", "shared", "corpora", name, "gold.jsonl"))
	if err != nil {
		t.Skip("no corpora beside the repository (../../shared/corpora): no real pages to detect the charset of")
	}
	langs := map[string]string{}
	for line := range bytes.Lines(b) {
		var g struct{ ID, Lang string }
		if err := json.Unmarshal(line, &g); err != nil {
			t.Fatal(err)
		}
		langs[g.ID] = g.Lang
	}
	return langs
}

// pageText is the text of a page with a little markup and no declaration.
func pageText(t *testing.T, raw []byte) string {
	d, err := Parse(context.Background(), raw, Options{Charset: "utf-8"})
	if err != nil {
		t.Fatal(err)
	}
	return "<html><head><title>x</title></head><body><p>" +
		strings.ReplaceAll(strings.ReplaceAll(d.AllText(), "<", "&lt;"), "\n", "</p>\n<p>") + "</p></body></html>"
}

func letters(b []byte) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) {
			return r
		}
		return -1
	}, string(b))
}

// TestCorporaAreUTF8 reads every page without help: all are UTF-8 whatever
// they say, and whoever reads one otherwise has believed a wrong meta.
func TestCorporaAreUTF8(t *testing.T) {
	if testing.Short() || underRace {
		t.Skip("slow; scripts/test.sh runs it without the race detector")
	}
	files := corpusFiles("*")
	if len(files) == 0 {
		t.Skip("no corpora beside the repository (../../shared/corpora)")
	}
	var large, many int
	for i, f := range files {
		if i%4 != 0 {
			continue // all of them take ten seconds
		}
		raw := gunzip(t, f)
		large = max(large, len(raw))
		many = max(many, scan(raw, DefaultNodes).nodes)
		if blankBytes(raw) {
			continue
		}
		got, charset, err := Decode(raw, Options{})
		want, _, werr := Decode(raw, Options{Charset: "utf-8"})
		if err != nil || werr != nil || !bytes.Equal(got, want) {
			t.Errorf("%s: read as %s (%v, %v)", filepath.Base(f), charset, err, werr)
		}
	}
	t.Logf("every fourth of %d pages; the largest has %d bytes, another up to %d nodes", len(files), large, many)
}
