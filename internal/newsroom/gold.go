package newsroom

import (
	"math/rand/v2"
	"slices"
	"strings"
	"unicode/utf8"
)

// Gold is what an extractor should find on a page, in the form of a corpus line.
type Gold struct {
	ID         string   `json:"id"`
	URL        string   `json:"url"`
	Site       string   `json:"site"`
	Lang       string   `json:"lang"`
	Country    string   `json:"country,omitempty"`
	Type       string   `json:"type"` // article or index
	Title      string   `json:"title"`
	Standfirst string   `json:"standfirst,omitempty"`
	Text       string   `json:"text"` // body only, a block a line; the cells of a table row are separated by tabs
	Authors    []string `json:"authors,omitempty"`
	Date       string   `json:"date,omitempty"` // RFC 3339
	Modified   string   `json:"modified,omitempty"`
	Section    string   `json:"section,omitempty"`
	Topics     []string `json:"topics,omitempty"`
	Images     []Image  `json:"images,omitempty"`
	Extra      []string `json:"extra,omitempty"`   // captions, credits, datelines, kickers, pull quotes: belongs, but not body
	Related    []string `json:"related,omitempty"` // headlines of other stories
	Comments   []string `json:"comments,omitempty"`
	With       []string `json:"with,omitempty"`    // snippets that must appear in the text
	Without    []string `json:"without,omitempty"` // snippets of the page that must not
	Links      []Link   `json:"links,omitempty"`   // headlines of an index page
}

// An Image is a picture that belongs to the story.
type Image struct {
	URL     string `json:"url"`
	Caption string `json:"caption,omitempty"`
	Credit  string `json:"credit,omitempty"`
}

// A Link is a headline on an index page.
type Link struct {
	URL   string `json:"url"`
	Title string `json:"title"`
}

const (
	mostWith    = 5
	mostWithout = 6
)

// with takes snippets from lines spread over the text.
func with(lines []string) []string {
	var snippets []string
	step := max(1, (len(lines)+mostWith-1)/mostWith)
	for i := 0; i < len(lines); i += step {
		if s := snippet(lines[i]); len(s) >= 12 && !slices.Contains(snippets, s) {
			snippets = append(snippets, s)
		}
	}
	return snippets
}

// snippet is the start of a line up to a word end.
func snippet(line string) string {
	line, _, _ = strings.Cut(line, "\t")
	if utf8.RuneCountInString(line) <= 48 {
		return line
	}
	cut := string([]rune(line)[:48])
	if i := strings.LastIndexByte(cut, ' '); i > 0 {
		return cut[:i]
	}
	return string([]rune(cut)[:18]) // a script without spaces
}

// without takes some of the furniture that the page showed, none of it short
// enough to occur in the story by accident.
func (g *Gold) without(r *rand.Rand, shown []string) []string {
	story := strings.Join(append([]string{g.Text, g.Title, g.Standfirst}, g.Extra...), "\n")
	var snippets []string
	for _, k := range r.Perm(len(shown)) {
		s := shown[k]
		if len(s) >= 12 && !strings.Contains(story, s) && !slices.Contains(snippets, s) {
			snippets = append(snippets, s)
		}
		if len(snippets) == mostWithout {
			break
		}
	}
	return snippets
}
