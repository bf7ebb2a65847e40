package styled_test

import (
	"bytes"
	"context"
	"fmt"
	"strings"

	"github.com/lede-news/lede/article"
	"github.com/lede-news/lede/dom"
	"github.com/lede-news/lede/internal/styled"
)

func ExampleWrite() {
	page := `<body style="background: #fdf6e3; font-family: Georgia"><h1 style="color: navy">A wall</h1><p>It holds.</p>`
	a := &article.Article{Title: "A wall", Lang: "en", Body: []article.Block{
		{Kind: article.Paragraph, Spans: []article.Span{{Text: "It holds."}}},
	}}

	ctx := context.Background()
	doc, err := dom.Parse(ctx, []byte(page), dom.Options{})
	if err != nil {
		panic(err)
	}
	// With a browser at hand it would be LookFrom, with its computed styles.
	look := styled.LookOf(doc, styled.Find(doc, a))

	var out bytes.Buffer
	if err := styled.Write(ctx, &out, a, styled.Options{Look: look}); err != nil {
		panic(err)
	}
	for _, s := range []string{`<html lang="en">`, "background: #fdf6e3;", "color: #000080;", `font-family: "Georgia", serif;`, "<h1>A wall</h1>"} {
		fmt.Println(strings.Contains(out.String(), s), s)
	}
	// Output:
	// true <html lang="en">
	// true background: #fdf6e3;
	// true color: #000080;
	// true font-family: "Georgia", serif;
	// true <h1>A wall</h1>
}
