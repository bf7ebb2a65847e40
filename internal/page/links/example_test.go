package links_test

import (
	"context"
	"fmt"

	"github.com/lede-news/lede/dom"
	"github.com/lede-news/lede/internal/page/links"
)

func ExampleRead() {
	home := `<a href="/cranes"><img alt="Two cranes"></a>
		<h2><a href="/cranes">The cranes are back</a></h2>
		<a href="/cranes#comments">12 comments</a>
		<a href="/ferry?utm_source=home">Ferry runs aground</a>`
	d, err := dom.Parse(context.Background(), []byte(home), dom.Options{})
	if err != nil {
		panic(err)
	}
	for _, l := range links.Read(d, "https://quay.example/") {
		fmt.Println(l.URL, l.Text)
	}
	var texts links.Texts
	texts.AddPage(d, "https://quay.example/")
	fmt.Println(texts.Find("http://www.quay.example/ferry/"))
	// Output:
	// https://quay.example/cranes The cranes are back
	// https://quay.example/ferry?utm_source=home Ferry runs aground
	// Ferry runs aground
}
