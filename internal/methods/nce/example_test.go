package nce_test

import (
	"context"
	"fmt"
	"strings"

	"github.com/lede-news/lede/dom"
	"github.com/lede-news/lede/internal/methods/nce"
	"github.com/lede-news/lede/method"
)

func Example() {
	page := `<html><head><title>Cranes</title></head><body>
<ul><li><a href="/">Home</a></li><li><a href="/tides">Tides</a></li></ul>
<h1>Cranes stand still at the north quay</h1>
<div><p>The cranes at the north quay stood still on Monday, for the first time in eleven years.</p>
<p>Crews had voted on Sunday to lay down work until the port pays what it promised.</p></div>
</body></html>`
	doc, err := dom.Parse(context.Background(), []byte(page), dom.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	config := nce.Default()
	config.Alpha1, config.Alpha3 = 150, 60 // the page is a short one
	sel, err := nce.New(config).Select(context.Background(), &method.Page{Doc: doc})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println("title:", doc.Text(sel.Title))
	fmt.Println(strings.ReplaceAll(sel.Text(doc), "\n", " / "))
	// Output:
	// title: Cranes stand still at the north quay
	// The cranes at the north quay stood still on Monday, for the first time in eleven years. / Crews had voted on Sunday to lay down work until the port pays what it promised.
}
