package main

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestConsole(t *testing.T) {
	for text, want := range map[string]string{
		"plain text, Ünïcödé, 日本\n\tand a tab": "plain text, Ünïcödé, 日本\n\tand a tab",
		"\x1b[2J\x1b]0;title\x07":              `\x1b[2J\x1b]0;title\x07`,
		"a\rb\bc\x7f\x00":                      `a\x0db\x08c\x7f\x00`,
		"\u009b31m and \x9b31m":                `\u009b31m and \x9b31m`,
		"\uFFFD stays":                         "\uFFFD stays",
		"\xff\xfe":                             `\xff\xfe`,
	} {
		var whole, split bytes.Buffer
		if n, err := newConsole(&whole).Write([]byte(text)); n != len(text) || err != nil || whole.String() != want {
			t.Errorf("%q: %d bytes, %v: got %q, want %q", text, n, err, &whole, want)
		}
		c := newConsole(&split)
		for i := range len(text) {
			if _, err := c.Write([]byte(text[i : i+1])); err != nil {
				t.Fatal(err)
			}
		}
		if split.String() != want {
			t.Errorf("%q byte by byte: got %q, want %q", text, &split, want)
		}
	}
	if isTerminal(newConsole(io.Discard)) || newOutput(io.Discard) != io.Discard {
		t.Error("a writer that is no file is taken for a terminal")
	}
}

// TestNoEscapeCodes checks that control characters of file names, addresses and
// pages do not get into messages and reports.
func TestNoEscapeCodes(t *testing.T) {
	const code = "\x1b]0;owned\x07\u009b31m"
	dir := t.TempDir()
	name := filepath.Join(dir, "evil"+code+".html")
	page := "<title>Ferry" + code + "</title><h1>Ferry" + code + " returns</h1>" + strings.Repeat("<p>The ferry is back"+code+" in service after a winter in the dock.</p>", 5)
	if err := os.WriteFile(name, []byte(page), 0o644); err != nil {
		t.Skipf("this file system does not allow such names: %v", err)
	}
	empty := filepath.Join(dir, "empty"+code+".html")
	if err := os.WriteFile(empty, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	store := filepath.Join(dir, "sites.db")
	for _, args := range [][]string{
		{"extract", "--explain", name},
		{"extract", "--explain", "--url", "https://paper.example/" + code, name},
		{"extract", "-v", empty},
		{"extract", "http://127.0.0.1/" + code},
		{"extract", filepath.Join(dir, "missing"+code)},
		{"extract", "--" + code},
		{"extract", "--method", code, name},
		{code},
		{"batch", name, empty, "--out", filepath.Join(dir, "out"+code+".jsonl")},
		{"batch", name, "--out", filepath.Join(dir, "out"+code+".jsonl")},
		{"batch", filepath.Join(dir, "missing"+code), "--out", "-"},
		{"site", "learn", "--site-store", store, "--site", "paper" + code, name, empty},
		{"site", "ls", "--site-store", store},
		{"site", "show", "--site-store", store, "paper" + code},
		{"eval", filepath.Join(dir, "corpus"+code)},
	} {
		var out, said bytes.Buffer
		run(t.Context(), args, strings.NewReader(""), &out, &said)
		if out.Len()+said.Len() == 0 {
			t.Errorf("lede %q: no output", args)
		}
		for _, text := range []string{out.String(), said.String()} {
			if strings.HasPrefix(text, "{") {
				continue // JSON is a result, not a report
			}
			if strings.ContainsFunc(text, func(r rune) bool { return r != '\n' && r != '\t' && (r < ' ' || r >= 0x7f && r < 0xa0) }) {
				t.Errorf("lede %q: %q", args, text)
			}
		}
	}
}
