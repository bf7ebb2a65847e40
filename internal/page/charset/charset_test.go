package charset

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"golang.org/x/net/html"
	"golang.org/x/text/encoding"
	textunicode "golang.org/x/text/encoding/unicode"

	"github.com/lede-news/lede/internal/lab/testkit"
)

// encode encodes text; characters that the charset lacks become entities.
func encode(tb testing.TB, charset, text string) []byte {
	tb.Helper()
	e, _ := lookup(charset)
	if e == nil {
		tb.Fatalf("no charset %q", charset)
	}
	b, err := encoding.HTMLEscapeUnsupported(e.NewEncoder()).Bytes([]byte(text))
	if err != nil {
		tb.Fatalf("%s: %v", charset, err)
	}
	return b
}

type sentence struct{ charset, lang, text string }

func sentences(tb testing.TB) []sentence {
	tb.Helper()
	b, err := os.ReadFile("testdata/sentences.txt")
	if err != nil {
		tb.Fatal(err)
	}
	var all []sentence
	for line := range strings.Lines(string(b)) {
		f := strings.Split(strings.TrimSpace(line), "\t")
		if len(f) == 3 {
			all = append(all, sentence{f[0], f[1], f[2]})
		}
	}
	return all
}

func page(head, body string) string {
	return "<!DOCTYPE html><html><head>" + head + "<title>x</title></head><body><p>" + body + "</p></body></html>"
}

// TestDecodeDeclared decodes every charset by each way to declare it.
func TestDecodeDeclared(t *testing.T) {
	for _, s := range sentences(t) {
		heads := map[string]string{
			"meta":       `<meta charset="` + s.charset + `">`,
			"http-equiv": `<meta http-equiv="Content-Type" content="text/html; charset=` + strings.ToUpper(s.charset) + `">`,
			"noscript":   `<noscript><p><img src=x></p></noscript><meta charset=` + s.charset + `>`,
			"far":        "<script>" + strings.Repeat("var x = '<body>';\n", 12_000) + "</script><meta charset=" + s.charset + ">",
			"late":       `<div>stray</div><meta charset="` + s.charset + `">`,
		}
		for way, head := range heads {
			want := page(head, s.text)
			checkDecode(t, s.lang+" "+way, encode(t, s.charset, want), Hints{}, want, s.charset)
		}
		want := page("", s.text)
		raw := encode(t, s.charset, want)
		checkDecode(t, s.lang+" header", raw, Hints{Header: s.charset}, want, s.charset)
		checkDecode(t, s.lang+" option", raw, Hints{Charset: s.charset, Header: "utf-8"}, want, s.charset)
		xml := `<?xml version="1.0" encoding="` + s.charset + `"?>` + want
		checkDecode(t, s.lang+" xml", encode(t, s.charset, xml), Hints{}, xml, s.charset)
	}
}

func checkDecode(t *testing.T, name string, raw []byte, hints Hints, want, charset string) {
	t.Helper()
	got, cs, err := Decode(raw, hints)
	if err != nil {
		t.Errorf("%s: %v", name, err)
		return
	}
	if cs != charset || string(got) != want {
		t.Errorf("%s: decoded as %s, want %s\n got …%s\nwant …%s", name, cs, charset, tail(string(got)), tail(want))
	}
}

func tail(s string) string { return s[max(0, len(s)-120):] }

// TestDetectSentences decodes every charset without a declaration. If two
// charsets agree on the letters, either name is right.
func TestDetectSentences(t *testing.T) {
	for _, s := range sentences(t) {
		want := page("", s.text)
		got, cs, err := Decode(encode(t, s.charset, want), Hints{})
		if err != nil || string(got) != want {
			t.Errorf("%s in %s: decoded as %s (%v)\n got …%s", s.lang, s.charset, cs, err, tail(string(got)))
		}
	}
}

// TestDetectAfterCode checks that a charset is found if a long text of ASCII with a single
// other character precedes the rest of a page.
func TestDetectAfterCode(t *testing.T) {
	want := "<pre>" + strings.Repeat("let x = 1; ", 3000) + "中</pre><p>" + strings.Repeat("这是一个关于中国的新闻，他们在大会上说了很多。", 20)
	for _, charset := range []string{"gb18030", "euc-jp"} {
		if charset == "euc-jp" {
			want = strings.ReplaceAll(want, "这是一个关于中国的新闻，他们在大会上说了很多。", "これは日本についての記事で、彼らは会議で多くのことを話した。")
		}
		if got, name, err := Decode(encode(t, charset, want), Hints{}); err != nil || name != charset || string(got) != want {
			t.Errorf("%s is read as %s, %v", charset, name, err)
		}
	}
}

func TestDecodePrecedence(t *testing.T) {
	text := "Žluťoučký kůň – été"
	wrong := page("<meta charset=iso-8859-1>", text)
	utf16 := func(e textunicode.Endianness, bom textunicode.BOMPolicy, s string) []byte {
		b, err := textunicode.UTF16(e, bom).NewEncoder().Bytes([]byte(s))
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	ru := "Старый мост снова открыт после двух лет ремонта"
	cp1251 := func(head string) []byte { return encode(t, "windows-1251", page(head, ru)) }
	for _, c := range []struct {
		name    string
		raw     []byte
		hints   Hints
		want    string
		charset string
	}{
		{"UTF-8 with a wrong meta", []byte(wrong), Hints{}, wrong, "utf-8"},
		{"UTF-8 with a wrong header", []byte(wrong), Hints{Header: "windows-1251"}, wrong, "utf-8"},
		{"UTF-8 mark beats header and meta", []byte("\ufeff" + wrong), Hints{Header: "big5"}, wrong, "utf-8"},
		{"mark beats caller", []byte("\ufeff" + wrong), Hints{Charset: "big5"}, wrong, "utf-8"},
		{"caller beats UTF-8", []byte("<p>é"), Hints{Charset: "latin1"}, "<p>Ã©", "windows-1252"},
		{"header beats meta", cp1251("<meta charset=koi8-r>"), Hints{Header: "windows-1251"}, page("<meta charset=koi8-r>", ru), "windows-1251"},
		{"wrong header of UTF-8", cp1251("<meta charset=windows-1251>"), Hints{Header: "utf-8"}, page("<meta charset=windows-1251>", ru), "windows-1251"},
		{"wrong meta of UTF-8", cp1251("<meta charset=utf-8>"), Hints{}, page("<meta charset=utf-8>", ru), "windows-1251"},
		{"wrong meta of UTF-16", cp1251("<meta charset=utf-16>"), Hints{}, page("<meta charset=utf-16>", ru), "windows-1251"},
		{"unknown meta", cp1251("<meta charset=none>"), Hints{}, page("<meta charset=none>", ru), "windows-1251"},
		{"impossible meta", encode(t, "gb18030", page("<meta charset=shift_jis>", zh)), Hints{}, page("<meta charset=shift_jis>", zh), "gb18030"},
		{"UTF-16LE with mark", utf16(textunicode.LittleEndian, textunicode.UseBOM, wrong), Hints{}, wrong, "utf-16le"},
		{"UTF-16BE with mark", utf16(textunicode.BigEndian, textunicode.UseBOM, wrong), Hints{}, wrong, "utf-16be"},
		{"UTF-16LE without mark", utf16(textunicode.LittleEndian, textunicode.IgnoreBOM, wrong), Hints{}, wrong, "utf-16le"},
		{"UTF-16BE without mark", utf16(textunicode.BigEndian, textunicode.IgnoreBOM, wrong), Hints{}, wrong, "utf-16be"},
		{"UTF-16 cut off", utf16(textunicode.LittleEndian, textunicode.UseBOM, "<p>abc")[:13], Hints{}, "<p>ab\uFFFD", "utf-16le"},
		{"broken bytes in UTF-8", []byte("<p>" + strings.Repeat("é", 50) + "\xff\xfe."), Hints{}, "<p>" + strings.Repeat("é", 50) + "\uFFFD.", "utf-8"},
		{"few characters, one broken, declared", []byte("<meta charset=utf-8><p>éàü\xff."), Hints{}, "<meta charset=utf-8><p>éàü\uFFFD.", "utf-8"},
		{"UTF-8 cut off inside a character", []byte("<p>\xc3\xa9t\xc3"), Hints{}, "<p>ét\uFFFD", "utf-8"},
		{"gb2312 means its superset", encode(t, "gb18030", "<meta charset=gb2312><p>朱镕基，中国的一位总理，㐂"), Hints{}, "<meta charset=gb2312><p>朱镕基，中国的一位总理，㐂", "gb18030"},
		{"ASCII", []byte("<p>plain"), Hints{Header: "koi8-r"}, "<p>plain", "utf-8"},
		{"latin1 means windows-1252", []byte("<meta charset=iso-8859-1>\x93caf\xe9\x94"), Hints{}, "<meta charset=iso-8859-1>“café”", "windows-1252"},
		{"undeclared ISO-2022-JP", encode(t, "iso-2022-jp", "<p>日本語"), Hints{}, "<p>日本語", "iso-2022-jp"},
		{"terminal escape", []byte("<p>\x1b[31mred"), Hints{}, "<p>\x1b[31mred", "utf-8"},
	} {
		checkDecode(t, c.name, c.raw, c.hints, c.want, c.charset)
	}
}

const zh = "市政府昨天宣布，老桥在关闭两年之后重新开放。"

func TestDecodeErrors(t *testing.T) {
	for _, c := range []struct {
		name  string
		raw   string
		hints Hints
		want  error
	}{
		{"empty", "", Hints{}, ErrEmpty},
		{"white space", " \r\n\t ", Hints{}, ErrEmpty},
		{"mark only", "\xef\xbb\xbf", Hints{}, ErrEmpty},
		{"UTF-16 mark and space", "\xff\xfe \x00", Hints{}, ErrEmpty},
		{"unknown charset", "<p>x", Hints{Charset: "klingon"}, ErrUnknown},
		{"replacement charset", "<p>x", Hints{Charset: "hz-gb-2312"}, ErrUnknown},
		{"PDF", "%PDF-1.7\n...", Hints{}, ErrNotHTML},
		{"PDF with a charset", "%PDF-1.7\n...", Hints{Charset: "utf-8"}, ErrNotHTML},
		{"JSON", " {\n\t\"title\": \"Ferry back\", \"html\": \"<p>The ferry is back</p>\"}", Hints{}, ErrNotHTML},
		{"JSON that ends early", `{"items":[{"html":"<p>The ferry is back`, Hints{}, ErrNotHTML},
		{"a list of JSON", `[{"html":"<p>The ferry is back</p>"}]`, Hints{}, ErrNotHTML},
		{"PNG", "\x89PNG\r\n\x1a\n\x00\x00", Hints{}, ErrNotHTML},
		{"JPEG", "\xff\xd8\xff\xe0\x00\x10JFIF", Hints{}, ErrNotHTML},
		{"GIF", "GIF89a\x01\x00", Hints{}, ErrNotHTML},
		{"WebP", "RIFF\x00\x00\x00\x00WEBPVP8 ", Hints{}, ErrNotHTML},
		{"MP4", "\x00\x00\x00\x1cftypisom", Hints{}, ErrNotHTML},
		{"ZIP", "PK\x03\x04\x14\x00", Hints{}, ErrNotHTML},
		{"gzip", "\x1f\x8b\x08\x00", Hints{}, ErrNotHTML},
		{"zstd", "(\xb5\x2f\xfd\x04", Hints{}, ErrNotHTML},
		{"ELF", "\x7fELF\x02\x01", Hints{}, ErrNotHTML},
		{"NULs", strings.Repeat("\x00", 5000), Hints{}, ErrNotHTML},
		{"random bytes", randomBytes(9000), Hints{}, ErrNotHTML},
	} {
		_, _, err := Decode([]byte(c.raw), c.hints)
		if !errors.Is(err, c.want) {
			t.Errorf("%s: %v, want %v", c.name, err, c.want)
		} else if strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: the error has several lines: %v", c.name, err)
		}
	}
	for _, ok := range []string{"RIFF is a format", "ID3 tags", "GIF8 or not", "PK is here", "[Update] The ferry is back", "{{ title }} is back", "<p>a\x00b\x00c", "\x00\x00\x00<html>\x00\x01\x02"} {
		if _, _, err := Decode([]byte(ok), Hints{}); err != nil {
			t.Errorf("%q: %v", ok, err)
		}
	}
}

func randomBytes(n int) string {
	b := make([]byte, n)
	x := uint32(1)
	for i := range b {
		x = x*1664525 + 1013904223
		b[i] = byte(x >> 24)
	}
	return string(b)
}

func TestDecodeSharesMemory(t *testing.T) {
	raw := []byte("<p>été")
	got, _, err := Decode(raw, Hints{})
	if err != nil || &got[0] != &raw[0] || !bytes.Equal(got, raw) {
		t.Error("valid UTF-8 was copied")
	}
}

func TestCheck(t *testing.T) {
	for name, ok := range map[string]bool{"": true, "UTF-8": true, "gb2312": true, "x-sjis": true, "klingon": false} {
		if err := Check(name); (err == nil) != ok || err != nil && !errors.Is(err, ErrUnknown) {
			t.Errorf("%q: %v", name, err)
		}
	}
}

// legacyCharsets are the charsets that pages of a language used before UTF-8.
var legacyCharsets = map[string][]string{
	"el": {"windows-1253", "iso-8859-7"},
	"zh": {"gb18030", "big5"},
	"ru": {"windows-1251", "koi8-r", "iso-8859-5", "ibm866"},
	"pl": {"windows-1250", "iso-8859-2"},
}

// TestDetectCorpus encodes real pages in the charsets of their language,
// without a declaration, and expects to get nearly all of them back.
func TestDetectCorpus(t *testing.T) {
	if testing.Short() || testkit.Race {
		t.Skip("slow; scripts/test.sh runs it without the race detector")
	}
	langs := corpusLanguages(t, "daniel")
	seen := map[string]int{}
	right := map[string]int{}
	tried := map[string]int{}
	for _, f := range testkit.CorpusFiles(t, 1, "daniel") {
		id := strings.TrimSuffix(filepath.Base(f), ".html.gz")
		lang := langs[id]
		if seen[lang]++; seen[lang] > 30 {
			continue
		}
		text := page("", strings.ReplaceAll(visibleText(testkit.Gunzip(t, f)), "\n", "</p>\n<p>"))
		for _, charset := range legacyCharsets[lang] {
			raw := encode(t, charset, text)
			if charset == "big5" && bytes.Count(raw, []byte("&#")) > 20 {
				continue // simplified Chinese cannot be written in Big5
			}
			if !hasHigh(raw) {
				continue // no letters to detect it by
			}
			tried[lang]++
			got, as, err := Decode(raw, Hints{})
			want, _, _ := convert(raw, charset)
			if err == nil && letters(got) == letters(want) {
				right[lang]++
			} else {
				t.Logf("%s (%s) in %s: decoded as %s", id, lang, charset, as)
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
	b, err := os.ReadFile(filepath.Join(testkit.Corpus(t, name), "gold.jsonl"))
	if err != nil {
		t.Fatal(err)
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

// visibleText returns the escaped text of a page, a line for each text token.
func visibleText(page []byte) string {
	var b strings.Builder
	z := html.NewTokenizer(bytes.NewReader(page))
	code := false
	for {
		switch z.Next() {
		case html.ErrorToken:
			return b.String()
		case html.StartTagToken:
			name, _ := z.TagName()
			code = string(name) == "script" || string(name) == "style" || string(name) == "noscript"
		case html.EndTagToken:
			code = false
		case html.TextToken:
			if text := bytes.TrimSpace(z.Text()); !code && len(text) > 0 {
				b.WriteString(html.EscapeString(string(text)) + "\n")
			}
		}
	}
}

func letters(b []byte) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) {
			return r
		}
		return -1
	}, string(b))
}

// TestCorporaAreUTF8 decodes pages without hints, in the long form every page. All
// of them are UTF-8, although some declare another charset.
func TestCorporaAreUTF8(t *testing.T) {
	for _, f := range testkit.CorpusFiles(t, testkit.Step(40, 400), "*") {
		raw := testkit.Gunzip(t, f)
		if isBlank(raw) {
			continue
		}
		got, charset, err := Decode(raw, Hints{})
		want, _, werr := Decode(raw, Hints{Charset: "utf-8"})
		if err != nil || werr != nil || !bytes.Equal(got, want) {
			t.Errorf("%s: decoded as %s (%v, %v)", filepath.Base(f), charset, err, werr)
		}
	}
}

func FuzzDecode(f *testing.F) {
	for _, s := range sentences(f) {
		f.Add(encode(f, s.charset, page("<meta charset="+s.charset+">", s.text)), "", "")
		f.Add(encode(f, s.charset, s.text), "", s.charset)
	}
	f.Add([]byte("\xff\xfe<\x00p\x00>\x00a"), "utf-16", "")
	f.Add([]byte("<?xml encoding='koi8-r'?><p>\xcf\xff"), "", "utf-8")
	f.Add([]byte("\x1b$B\x1b(J\x0e"), "iso-2022-jp", "")
	f.Fuzz(func(t *testing.T, raw []byte, charset, header string) {
		text, name, err := Decode(raw, Hints{Charset: charset, Header: header})
		if err != nil {
			if strings.ContainsAny(err.Error(), "\n\r") {
				t.Errorf("error of several lines: %q", err)
			}
			return
		}
		if !utf8.Valid(text) {
			t.Errorf("%q as %s is not UTF-8", text, name)
		}
		if name == "" {
			t.Error("no name for the charset")
		}
	})
}

func FuzzDetect(f *testing.F) {
	for _, s := range sentences(f) {
		f.Add(encode(f, s.charset, s.text))
	}
	f.Add([]byte("<script><!--<script>\xe9</script>\xe9<style>\xe9"))
	f.Fuzz(func(t *testing.T, raw []byte) {
		name := detect(raw)
		if e, known := lookup(name); e == nil || known != name {
			t.Errorf("unknown charset %q", name)
		}
	})
}
