package lede_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/lede-news/lede"
)

// TestStrangePages extracts the pages of testdata/strange. Each is named for
// what is odd about it, and begins with a comment of the words that any good
// method finds there, one line each; a line with - is of words that must not be
// there, and one with ! says that there is no story.
func TestStrangePages(t *testing.T) {
	files, err := filepath.Glob("testdata/strange/*.html")
	if err != nil || len(files) == 0 {
		t.Fatal("no pages", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".html"), func(t *testing.T) {
			page, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			want, _, ok := strings.Cut(strings.TrimPrefix(string(page), "<!--\n"), "-->")
			if !ok {
				t.Fatal("the page does not say what is in it")
			}
			a, err := lede.Extract(t.Context(), bytes.NewReader(page), lede.WithURL("https://paper.example/story"))
			if strings.HasPrefix(want, "!") {
				checkError(t, err, lede.ErrNoContent)
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			text := strings.Join(strings.Fields(a.Text()), " ")
			for line := range strings.Lines(want) {
				line = strings.TrimSpace(line)
				switch words, not := strings.CutPrefix(line, "- "); {
				case not && strings.Contains(text, words):
					t.Errorf("%q is no part of the story:\n%s", words, a.Text())
				case !not && !strings.Contains(text, line):
					t.Errorf("%q is lost:\n%s", line, a.Text())
				}
			}
		})
	}
}
