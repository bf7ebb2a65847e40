package coreex_test

import (
	"context"
	"fmt"
	"log"

	"github.com/lede-news/lede/dom"
	"github.com/lede-news/lede/internal/methods/coreex"
	"github.com/lede-news/lede/method"
)

func Example() {
	page := `<title>Mill reopens | The Weir Gazette</title>
<ul><li><a href="/">Home</a><li><a href="/sport">Sport</a></ul>
<h1>Mill reopens</h1>
<div>
<p>The old mill at the river opens its doors again on Saturday.</p>
<div><a href="/subscribe">Subscribe now</a></div>
<p>Visitors can watch the wheel turn and buy flour.</p>
</div>`
	ctx := context.Background()
	d, err := dom.Parse(ctx, []byte(page), dom.Options{})
	if err != nil {
		log.Fatal(err)
	}
	s, err := coreex.New(coreex.Default()).Select(ctx, &method.Page{Doc: d})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(d.Text(s.Title))
	fmt.Println(s.Text(d))
	// Output:
	// Mill reopens
	// The old mill at the river opens its doors again on Saturday.
	// Visitors can watch the wheel turn and buy flour.
}

func ExampleRow() {
	c := coreex.Row(3)
	fmt.Println(coreex.New(c).Name(), c.WeightText, c.Threshold)
	// Output: coreex:r3 0.01 0.9
}
