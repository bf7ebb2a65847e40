package metadata_test

import (
	"context"
	"fmt"

	"github.com/lede-news/lede/dom"
	"github.com/lede-news/lede/internal/story/metadata"
)

func Example() {
	page := `<title>Gulls learn to read maps | The Daily Gull</title>
		<meta property="og:site_name" content="The Daily Gull">
		<h1>Gulls learn to read maps</h1>
		<p class="byline">By Mara Ostrow and Teo Lindqvist</p>
		<time datetime="2024-05-03">3 May</time>`
	d, err := dom.Parse(context.Background(), []byte(page), dom.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	facts := metadata.Read(d, metadata.Options{Title: dom.None, Body: dom.None})
	fmt.Println(facts.Title)
	for _, a := range facts.Authors {
		fmt.Println(a.Name)
	}
	fmt.Println(facts.Published, "from", facts.Sources["published"])
	// Output:
	// Gulls learn to read maps
	// Mara Ostrow
	// Teo Lindqvist
	// 2024-05-03 from time
}
