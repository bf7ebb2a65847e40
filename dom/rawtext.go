package dom

import (
	"bytes"
	"io"
	"strings"

	"golang.org/x/net/html"
)

// rawEnd is where the end tag of a raw element begins that began before i.
func rawEnd(page []byte, i int, tag Tag) int {
	if tag == Plaintext {
		return len(page)
	}
	end := firstEndTag(page, i, tag)
	if tag == Script && nestsScript(page[i:end]) {
		return scriptEnd(page, i)
	}
	return end
}

func firstEndTag(page []byte, i int, tag Tag) int {
	for {
		j := bytes.Index(page[i:], []byte("</"))
		if j < 0 {
			return len(page)
		}
		if t, _ := tagAt(page[i+j+2:]); t == tag {
			return i + j
		}
		i += j + 2
	}
}

// nestsScript reports whether code has a script in a comment: then the first
// end tag may not be the one that counts.
func nestsScript(code []byte) bool {
	k := bytes.Index(code, []byte("<!--"))
	return k >= 0 && bytes.Contains(bytes.ToLower(code[k:]), []byte("<script"))
}

// scriptEnd asks the tokenizer, which knows all the rules of nested scripts.
func scriptEnd(page []byte, i int) int {
	z := html.NewTokenizer(io.MultiReader(strings.NewReader("<script>"), bytes.NewReader(page[i:])))
	z.Next()
	if z.Next() == html.TextToken {
		i += len(z.Raw())
	}
	return i
}
