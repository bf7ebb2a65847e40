package dom_test

import (
	"context"
	"fmt"
	"log"
	"strings"

	"golang.org/x/net/html"

	"github.com/lede-news/lede/dom"
)

const page = `<html><body>
<nav><a href="/">Home</a> <a href="/town">Town</a></nav>
<article><h1>The bridge is open</h1>
<p>The old bridge was <b>opened</b> again on Monday.</p>
<p hidden>Subscribe to our newsletter.</p>
<img src="blank.gif" data-src="bridge.jpg">
</article></body></html>`

func ExampleParse() {
	d, err := dom.Parse(context.Background(), []byte(page), dom.Options{})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(d.Charset())
	fmt.Println(d.Text(d.First(dom.Article)))
	// Output:
	// utf-8
	// The bridge is open
	// The old bridge was opened again on Monday.
}

// A page that exceeds a limit is an error or is truncated.
func ExampleParse_limits() {
	limits := dom.Limits{Bytes: 100}
	_, err := dom.Parse(context.Background(), []byte(page), dom.Options{Limits: limits})
	fmt.Println(err)
	// Output:
	// the page is too large: more than 100 bytes; raise the limit to read it
}

func ExampleFromNode() {
	root, err := html.Parse(strings.NewReader(page))
	if err != nil {
		log.Fatal(err)
	}
	d, err := dom.FromNode(root, dom.Limits{})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(d.Text(d.First(dom.H1)))
	// Output:
	// The bridge is open
}

func ExampleDocument_Counts() {
	d, err := dom.Parse(context.Background(), []byte(page), dom.Options{})
	if err != nil {
		log.Fatal(err)
	}
	for _, tag := range []dom.Tag{dom.Nav, dom.Article} {
		n := d.First(tag)
		c := d.Counts(n)
		fmt.Printf("%s: %d words, %d links, link density %.1f\n", d.Name(n), c.Words, c.Links, c.LinkDensity())
	}
	// Output:
	// nav: 2 words, 2 links, link density 1.0
	// article: 12 words, 0 links, link density 0.0
}

// The subtree of a node is a range of nodes.
func ExampleDocument_End() {
	d, err := dom.Parse(context.Background(), []byte(page), dom.Options{})
	if err != nil {
		log.Fatal(err)
	}
	article := d.First(dom.Article)
	for n := article; n < d.End(article); n++ {
		if d.IsText(n) && !d.Hidden(n) {
			fmt.Printf("%s: %s\n", d.PathName(d.Path(n)), d.Text(n))
		}
	}
	// Output:
	// html>body>article>h1: The bridge is open
	// html>body>article>p: The old bridge was
	// html>body>article>p>b: opened
	// html>body>article>p: again on Monday.
}

func ExampleDocument_ImageURL() {
	d, err := dom.Parse(context.Background(), []byte(page), dom.Options{})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(d.ImageURL(d.First(dom.Img)))
	// Output:
	// bridge.jpg
}
