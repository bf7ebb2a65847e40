package format

import (
	"encoding/json"
	"io"

	"github.com/lede-news/lede/article"
)

// JSON writes a as one object and a line end: the article's own fields in the
// order of its type, then "words", how many the body has, and "text", the body
// as plain text with a paragraph a line. It can be read back with json.Unmarshal into an article.Article.
// URLs may have any scheme here: a reader that makes links of them has to
// check them.
func JSON(w io.Writer, a *article.Article, opts Options) error {
	a = clean(a)
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	if opts.Indent {
		enc.SetIndent("", "  ")
	}
	return enc.Encode(struct {
		*article.Article
		Words int    `json:"words"`
		Text  string `json:"text"`
	}{a, a.Words(), a.Text()})
}
