package format_test

import (
	"bytes"
	"html"
	"regexp"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/lede-news/lede/article"
	"github.com/lede-news/lede/format"
)

func FuzzHTML(f *testing.F) {
	for _, v := range vectors(f) {
		f.Add(v)
	}
	f.Fuzz(func(t *testing.T, s string) {
		var b bytes.Buffer
		if err := format.HTML(&b, filled(s), format.Options{}); err != nil {
			t.Fatal(err)
		}
		checkHTML(t, b.Bytes())
		checkText(t, b.Bytes())
	})
}

func FuzzMarkdown(f *testing.F) {
	for _, v := range vectors(f) {
		f.Add(v)
	}
	for _, c := range escapes {
		f.Add(c.in)
	}
	f.Fuzz(func(t *testing.T, s string) {
		var b bytes.Buffer
		if err := format.Markdown(&b, filled(s), format.Options{}); err != nil {
			t.Fatal(err)
		}
		checkText(t, b.Bytes())
		checkParagraph(t, s)
	})
}

func FuzzText(f *testing.F) {
	for _, v := range vectors(f) {
		f.Add(v)
	}
	f.Fuzz(func(t *testing.T, s string) {
		for _, name := range []string{"text", "json"} {
			var b bytes.Buffer
			if err := format.Write(&b, filled(s), name, format.Options{}); err != nil {
				t.Fatal(err)
			}
			checkText(t, b.Bytes())
		}
	})
}

// checkText checks what holds for every format.
func checkText(t *testing.T, out []byte) {
	t.Helper()
	if !utf8.Valid(out) {
		t.Error("not UTF-8")
	}
	if bad := control.Find(bytes.ReplaceAll(out, []byte("\t"), nil)); bad != nil {
		t.Errorf("control character %q", bad)
	}
	if len(out) > 0 && out[len(out)-1] != '\n' {
		t.Error("no line end")
	}
}

// escaped matches the escapes that all parsers know: Python-Markdown honours no
// other backslashes. markup matches what a line of a plain paragraph must not contain without its
// escapes, and blockStart what it must not begin with.
var (
	escaped    = regexp.MustCompile("\\\\[\\\\`*_{}\\[\\]()>#+.!-]|&(?:lt|amp|#(?:58|61|92|124|126));|<(?i:https?)://[!-;=?-~]+>")
	markup     = regexp.MustCompile("[\\\\`*~<{\\[\\]]|&(?:#[0-9]{1,7}|#[xX][0-9A-Fa-f]{1,6}|[A-Za-z][0-9A-Za-z]{1,31});")
	blockStart = regexp.MustCompile(`^(?:[ \t]|#{1,6}(?: |$)|>|=+ *$|[-+](?: |$)|-[- |:]*$|[|:][-:|]|[0-9]{1,9}[.)](?: |$))`)
)

// checkParagraph removes the escapes of a Markdown paragraph and expects the
// original text.
func checkParagraph(t *testing.T, s string) {
	t.Helper()
	a := &article.Article{Body: []article.Block{{Kind: article.Paragraph, Spans: []article.Span{{Text: s}}}}}
	var md, text bytes.Buffer
	if err := format.Markdown(&md, a, format.Options{}); err != nil {
		t.Fatal(err)
	}
	if err := format.Text(&text, a, format.Options{}); err != nil {
		t.Fatal(err)
	}
	paragraph := strings.ReplaceAll(strings.TrimSuffix(md.String(), "\n"), "\\\n", "\n")
	for line := range strings.Lines(paragraph) {
		line = strings.TrimSuffix(line, "\n")
		if blockStart.MatchString(line) {
			t.Errorf("%q begins a block", line)
		}
		if m := markup.FindString(escaped.ReplaceAllString(line, "·")); m != "" {
			t.Errorf("%q in %q is not escaped", m, line)
		}
	}
	words := escaped.ReplaceAllStringFunc(paragraph, func(e string) string {
		switch e[0] {
		case '\\':
			return e[1:]
		case '&':
			return html.UnescapeString(e)
		}
		return strings.Trim(e, "<>")
	})
	if want := strings.TrimSuffix(text.String(), "\n"); words != want {
		t.Errorf("reads %q, want %q", words, want)
	}
	if strings.TrimFunc(words, unicode.IsSpace) == "" && words != "" {
		t.Errorf("blank paragraph %q", words)
	}
}
