package lede_test

import (
	"context"
	"fmt"
	"log"
	"strings"

	"github.com/PuerkitoBio/goquery"

	"github.com/lede-news/lede"
)

const examplePage = `<html lang="en"><head><title>Lighthouse sold | The Quay Courier</title></head><body>
<nav><a href="/">Home</a> <a href="/sport">Sport</a></nav>
<article><h1>Lighthouse sold</h1>
<p>The lighthouse at Saltmarsh End has been sold for one crown, the harbour office said on Monday.</p>
<p>Its buyer, a painter, has to light the lamp every night, and to <a href="/paint">paint the tower</a> every third year.</p>
</article><footer>The Quay Courier, Corn Street 4</footer></body></html>`

func ExampleExtract() {
	a, err := lede.Extract(context.Background(), strings.NewReader(examplePage), lede.WithURL("https://quay-courier.example/lighthouse"))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(a.Title)
	fmt.Println(a.Text())
	// Output:
	// Lighthouse sold
	// The lighthouse at Saltmarsh End has been sold for one crown, the harbour office said on Monday.
	// Its buyer, a painter, has to light the lamp every night, and to paint the tower every third year.
}

// A tree that goquery has parsed, and perhaps changed, need not be parsed again.
func ExampleExtractNode() {
	doc, err := goquery.NewDocumentFromReader(strings.NewReader(examplePage))
	if err != nil {
		log.Fatal(err)
	}
	doc.Find("article p:last-child").Remove()
	a, err := lede.ExtractNode(context.Background(), doc.Nodes[0])
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(a.Text())
	// Output:
	// The lighthouse at Saltmarsh End has been sold for one crown, the harbour office said on Monday.
}

// One extractor serves many pages. Options for a single page are given with it.
func ExampleNew() {
	e, err := lede.New(lede.WithPictures(false), lede.WithLimits(lede.Limits{Bytes: 1 << 20}))
	if err != nil {
		log.Fatal(err)
	}
	for _, addr := range []string{"https://quay-courier.example/a", "https://quay-courier.example/b"} {
		a, err := e.Extract(context.Background(), strings.NewReader(examplePage), lede.WithURL(addr))
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(a.URL, len(a.Body))
	}
	// Output:
	// https://quay-courier.example/a 2
	// https://quay-courier.example/b 2
}

func ExampleWithComments() {
	page := strings.Replace(examplePage, "<footer>", `<ul id="comments">
<li class="comment"><b>Ida</b>, 2 March 2026<p>One crown was too much.</p><a href="#r">Reply</a></li>
<li class="comment"><b>Olaf</b>, 3 March 2026<p>I would have painted it for nothing.</p><a href="#r">Reply</a></li></ul><footer>`, 1)
	a, err := lede.Extract(context.Background(), strings.NewReader(page), lede.WithComments(true))
	if err != nil {
		log.Fatal(err)
	}
	for _, c := range a.Comments {
		fmt.Println(c)
	}
	// Output:
	// Ida, 2 March 2026
	// One crown was too much.
	// Olaf, 3 March 2026
	// I would have painted it for nothing.
}

func ExampleExtractor_Explain() {
	e, err := lede.New()
	if err != nil {
		log.Fatal(err)
	}
	x, err := e.Explain(context.Background(), strings.NewReader(examplePage))
	if err != nil {
		log.Fatal(err)
	}
	for _, v := range x.Decisions() {
		if v.Role != "hidden" {
			fmt.Printf("%-7s %.24s\n", v.Role, v.Text)
		}
	}
	// Output:
	// dropped Home Sport
	// title   Lighthouse sold
	// kept    The lighthouse at Saltma
	// kept    Its buyer, a painter, ha
	// dropped The Quay Courier, Corn S
}
