package styled

import (
	_ "embed"
	"strings"
)

//go:embed words.txt
var wordsFile string

// words are what this package has to say in the language of a story.
type words struct {
	lang, watch, listen, picture, table string
	foreign                             bool // the story is in a language that is not in the list
}

// wordsFor finds the words for a language; English for one that is not known.
func wordsFor(tag string) words {
	want, _, _ := strings.Cut(strings.ToLower(strings.ReplaceAll(tag, "_", "-")), "-")
	if want == "iw" {
		want = "he" // as it was called until 1989
	}
	var first words
	for row := range strings.Lines(wordsFile) {
		if strings.HasPrefix(row, "#") {
			continue
		}
		f := strings.Split(strings.TrimSpace(row), " | ")
		w := words{lang: f[0], watch: f[1], listen: f[2], picture: f[3], table: f[4]}
		if first.lang == "" {
			first = w
		}
		if w.lang == want {
			return w
		}
	}
	first.foreign = want != ""
	return first
}
