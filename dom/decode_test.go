package dom

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode"

	"golang.org/x/text/encoding"
	textunicode "golang.org/x/text/encoding/unicode"
)

// encode writes text in a charset; what the charset lacks becomes an entity.
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

// TestDecodeDeclared reads every charset by each way to declare it.
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
			checkDecode(t, s.lang+" "+way, encode(t, s.charset, want), Options{}, want, s.charset)
		}
		want := page("", s.text)
		raw := encode(t, s.charset, want)
		checkDecode(t, s.lang+" header", raw, Options{HeaderCharset: s.charset}, want, s.charset)
		checkDecode(t, s.lang+" option", raw, Options{Charset: s.charset, HeaderCharset: "utf-8"}, want, s.charset)
		xml := `<?xml version="1.0" encoding="` + s.charset + `"?>` + want
		checkDecode(t, s.lang+" xml", encode(t, s.charset, xml), Options{}, xml, s.charset)
	}
}

func checkDecode(t *testing.T, name string, raw []byte, opts Options, want, charset string) {
	t.Helper()
	got, cs, err := Decode(raw, opts)
	if err != nil {
		t.Errorf("%s: %v", name, err)
		return
	}
	if cs != charset || string(got) != want {
		t.Errorf("%s: read as %s, want %s\n got …%s\nwant …%s", name, cs, charset, tail(string(got)), tail(want))
	}
}

func tail(s string) string { return s[max(0, len(s)-120):] }

// TestDetectSentences reads every charset without any declaration. Where two
// charsets agree on the letters, either name will do.
func TestDetectSentences(t *testing.T) {
	for _, s := range sentences(t) {
		want := page("", s.text)
		got, cs, err := Decode(encode(t, s.charset, want), Options{})
		if err != nil || string(got) != want {
			t.Errorf("%s in %s: read as %s (%v)\n got …%s", s.lang, s.charset, cs, err, tail(string(got)))
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
		opts    Options
		want    string
		charset string
	}{
		{"UTF-8 with a wrong meta", []byte(wrong), Options{}, wrong, "utf-8"},
		{"UTF-8 with a wrong header", []byte(wrong), Options{HeaderCharset: "windows-1251"}, wrong, "utf-8"},
		{"UTF-8 mark beats header and meta", []byte("\ufeff" + wrong), Options{HeaderCharset: "big5"}, wrong, "utf-8"},
		{"mark beats the caller", []byte("\ufeff" + wrong), Options{Charset: "big5"}, wrong, "utf-8"},
		{"the caller beats UTF-8", []byte("<p>é"), Options{Charset: "latin1"}, "<p>Ã©", "windows-1252"},
		{"header beats meta", cp1251("<meta charset=koi8-r>"), Options{HeaderCharset: "windows-1251"}, page("<meta charset=koi8-r>", ru), "windows-1251"},
		{"a header of UTF-8 that is not", cp1251("<meta charset=windows-1251>"), Options{HeaderCharset: "utf-8"}, page("<meta charset=windows-1251>", ru), "windows-1251"},
		{"meta of UTF-8 that is not", cp1251("<meta charset=utf-8>"), Options{}, page("<meta charset=utf-8>", ru), "windows-1251"},
		{"meta of UTF-16 that is not", cp1251("<meta charset=utf-16>"), Options{}, page("<meta charset=utf-16>", ru), "windows-1251"},
		{"meta of nonsense", cp1251("<meta charset=none>"), Options{}, page("<meta charset=none>", ru), "windows-1251"},
		{"meta that cannot be", encode(t, "gb18030", page("<meta charset=shift_jis>", zh)), Options{}, page("<meta charset=shift_jis>", zh), "gb18030"},
		{"UTF-16LE with mark", utf16(textunicode.LittleEndian, textunicode.UseBOM, wrong), Options{}, wrong, "utf-16le"},
		{"UTF-16BE with mark", utf16(textunicode.BigEndian, textunicode.UseBOM, wrong), Options{}, wrong, "utf-16be"},
		{"UTF-16LE without mark", utf16(textunicode.LittleEndian, textunicode.IgnoreBOM, wrong), Options{}, wrong, "utf-16le"},
		{"UTF-16BE without mark", utf16(textunicode.BigEndian, textunicode.IgnoreBOM, wrong), Options{}, wrong, "utf-16be"},
		{"UTF-16 cut off", utf16(textunicode.LittleEndian, textunicode.UseBOM, "<p>abc")[:13], Options{}, "<p>ab\uFFFD", "utf-16le"},
		{"broken bytes in UTF-8", []byte("<p>" + strings.Repeat("é", 50) + "\xff\xfe."), Options{}, "<p>" + strings.Repeat("é", 50) + "\uFFFD.", "utf-8"},
		{"few characters and a broken one, but declared", []byte("<meta charset=utf-8><p>éàü\xff."), Options{}, "<meta charset=utf-8><p>éàü\uFFFD.", "utf-8"},
		{"UTF-8 cut off inside a character", []byte("<p>\xc3\xa9t\xc3"), Options{}, "<p>ét\uFFFD", "utf-8"},
		{"gb2312 means its superset", encode(t, "gb18030", "<meta charset=gb2312><p>朱镕基，中国的一位总理，㐂"), Options{}, "<meta charset=gb2312><p>朱镕基，中国的一位总理，㐂", "gb18030"},
		{"ASCII", []byte("<p>plain"), Options{HeaderCharset: "koi8-r"}, "<p>plain", "utf-8"},
		{"latin1 means windows-1252", []byte("<meta charset=iso-8859-1>\x93caf\xe9\x94"), Options{}, "<meta charset=iso-8859-1>“café”", "windows-1252"},
		{"ISO-2022-JP without a word", encode(t, "iso-2022-jp", "<p>日本語"), Options{}, "<p>日本語", "iso-2022-jp"},
		{"an escape that is none", []byte("<p>\x1b[31mred"), Options{}, "<p>\x1b[31mred", "utf-8"},
	} {
		checkDecode(t, c.name, c.raw, c.opts, c.want, c.charset)
	}
}

const zh = "市政府昨天宣布，老桥在关闭两年之后重新开放。"

func TestDecodeErrors(t *testing.T) {
	for _, c := range []struct {
		name string
		raw  string
		opts Options
		want error
	}{
		{"empty", "", Options{}, ErrEmpty},
		{"white space", " \r\n\t ", Options{}, ErrEmpty},
		{"mark only", "\xef\xbb\xbf", Options{}, ErrEmpty},
		{"UTF-16 mark and space", "\xff\xfe \x00", Options{}, ErrEmpty},
		{"unknown charset", "<p>x", Options{Charset: "klingon"}, ErrCharset},
		{"replacement charset", "<p>x", Options{Charset: "hz-gb-2312"}, ErrCharset},
		{"PDF", "%PDF-1.7\n...", Options{}, ErrNotHTML},
		{"PDF with a charset", "%PDF-1.7\n...", Options{Charset: "utf-8"}, ErrNotHTML},
		{"PNG", "\x89PNG\r\n\x1a\n\x00\x00", Options{}, ErrNotHTML},
		{"JPEG", "\xff\xd8\xff\xe0\x00\x10JFIF", Options{}, ErrNotHTML},
		{"GIF", "GIF89a\x01\x00", Options{}, ErrNotHTML},
		{"WebP", "RIFF\x00\x00\x00\x00WEBPVP8 ", Options{}, ErrNotHTML},
		{"MP4", "\x00\x00\x00\x1cftypisom", Options{}, ErrNotHTML},
		{"ZIP", "PK\x03\x04\x14\x00", Options{}, ErrNotHTML},
		{"gzip", "\x1f\x8b\x08\x00", Options{}, ErrNotHTML},
		{"zstd", "(\xb5\x2f\xfd\x04", Options{}, ErrNotHTML},
		{"ELF", "\x7fELF\x02\x01", Options{}, ErrNotHTML},
		{"NULs", strings.Repeat("\x00", 5000), Options{}, ErrNotHTML},
		{"random bytes", randomBytes(9000), Options{}, ErrNotHTML},
	} {
		_, _, err := Decode([]byte(c.raw), c.opts)
		if !errors.Is(err, c.want) {
			t.Errorf("%s: %v, want %v", c.name, err, c.want)
		} else if strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: the error has several lines: %v", c.name, err)
		}
	}
	for _, ok := range []string{"RIFF is a format", "ID3 tags", "GIF8 or not", "PK is here", "<p>a\x00b\x00c", "\x00\x00\x00<html>\x00\x01\x02"} {
		if _, _, err := Decode([]byte(ok), Options{}); err != nil {
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
	got, _, err := Decode(raw, Options{})
	if err != nil || &got[0] != &raw[0] || !bytes.Equal(got, raw) {
		t.Error("valid UTF-8 was copied")
	}
}

func TestCheckCharset(t *testing.T) {
	for name, ok := range map[string]bool{"": true, "UTF-8": true, "gb2312": true, "x-sjis": true, "klingon": false} {
		if err := CheckCharset(name); (err == nil) != ok || err != nil && !errors.Is(err, ErrCharset) {
			t.Errorf("%q: %v", name, err)
		}
	}
}

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
