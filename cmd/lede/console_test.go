package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

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
