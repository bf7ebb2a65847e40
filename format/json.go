package format

import (
	"bytes"
	"encoding/json"
	"io"

	"github.com/lede-news/lede/article"
)

// JSON writes a as one JSON object and a newline. It has the fields of
// article.Article in their order, then "words", the number of words of the body,
// and "text", the body as plain text with a paragraph a line. It can be read with
// json.Unmarshal into an article.Article. It has the same URLs as the other
// formats, without those of another scheme than http, https and mailto.
func JSON(w io.Writer, a *article.Article, opts Options) error {
	a = cleanArticle(a)
	if opts.Indent {
		w = indenter{w}
	}
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	return enc.Encode(struct {
		*article.Article
		Words int    `json:"words"`
		Text  string `json:"text"`
	}{a, a.WordCount(), a.Text()})
}

// indenter indents what a json.Encoder writes, which is all in one call.
type indenter struct{ w io.Writer }

func (i indenter) Write(compact []byte) (int, error) {
	if _, err := i.w.Write(indent(compact)); err != nil {
		return 0, err
	}
	return len(compact), nil
}

// indent returns what json.Indent makes of the output of encoding/json, with two spaces
// for each level, in a third of the time: it need not check the syntax.
func indent(compact []byte) []byte {
	out := make([]byte, 0, len(compact)+len(compact)/2)
	depth := 0
	newLine := func() {
		out = append(out, '\n')
		for range depth {
			out = append(out, "  "...)
		}
	}
	for i := 0; i < len(compact); i++ {
		c := compact[i]
		switch c {
		case '"':
			end := i + stringEnd(compact[i:])
			out = append(out, compact[i:end]...)
			i = end - 1
		case '{', '[':
			out = append(out, c)
			if next := compact[i+1]; next == '}' || next == ']' {
				out = append(out, next)
				i++
				continue
			}
			depth++
			newLine()
		case '}', ']':
			depth--
			newLine()
			out = append(out, c)
		case ',':
			out = append(out, c)
			newLine()
		case ':':
			out = append(out, ": "...)
		default:
			out = append(out, c)
		}
	}
	return out
}

// stringEnd returns the length of the JSON string at the start of b.
func stringEnd(b []byte) int {
	n := 1
	for {
		quote := bytes.IndexByte(b[n:], '"')
		escape := bytes.IndexByte(b[n:n+quote], '\\')
		if escape < 0 {
			return n + quote + 1
		}
		n += escape + 2
	}
}
