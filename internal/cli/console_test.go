package cli

import (
	"bytes"
	"io"
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
		if n, err := NewConsole(&whole).Write([]byte(text)); n != len(text) || err != nil || whole.String() != want {
			t.Errorf("%q: %d bytes, %v: got %q, want %q", text, n, err, &whole, want)
		}
		c := NewConsole(&split)
		for i := range len(text) {
			if _, err := c.Write([]byte(text[i : i+1])); err != nil {
				t.Fatal(err)
			}
		}
		if split.String() != want {
			t.Errorf("%q byte by byte: got %q, want %q", text, &split, want)
		}
	}
	if IsTerminal(NewConsole(io.Discard)) || newOutput(io.Discard) != io.Discard {
		t.Error("a writer that is no file is taken for a terminal")
	}
}
