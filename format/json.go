package format

import (
	"encoding/json"
	"io"

	"github.com/lede-news/lede/article"
)

// JSON writes a as one JSON object and a newline. It has the fields of
// article.Article in their order, then "words", the number of words of the text,
// and "text", standfirst and body as plain text with a paragraph a line. It can be read with
// json.Unmarshal into an article.Article. It has the same URLs as the other
// formats, without those of another scheme than http, https and mailto.
func JSON(w io.Writer, a *article.Article, opts Options) error {
	a = cleanArticle(a)
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	if opts.Indent {
		enc.SetIndent("", "  ")
	}
	return enc.Encode(struct {
		*article.Article
		Words int    `json:"words"`
		Text  string `json:"text"`
	}{a, a.WordCount(), a.Text()})
}
