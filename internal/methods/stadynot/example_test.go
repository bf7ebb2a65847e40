package stadynot_test

import (
	"context"
	"fmt"
	"log"

	"github.com/lede-news/lede/dom"
	"github.com/lede-news/lede/internal/methods/stadynot"
	"github.com/lede-news/lede/method"
)

func Example() {
	page := func(story string) *dom.Document {
		d, err := dom.Parse(context.Background(), []byte(`<title>The Weir Gazette</title>
<ul><li><a href="/">Home</a><li><a href="/sport">Sport</a></ul>
<div class="story"><p>`+story+`</p></div>
<div class="imprint">The Weir Gazette is printed on the island by Weir Printers and Daughters.</div>`), dom.Options{})
		if err != nil {
			log.Fatal(err)
		}
		return d
	}
	neighbours := stadynot.NewSupport()
	neighbours.Add(page("The ferry runs again from Monday, <b>twice</b> a day."))
	neighbours.Add(page("A heron was seen at the lock, says the keeper."))

	m := stadynot.New(stadynot.Default())
	d := page("The old mill opens its doors again on <b>Saturday</b>.")
	s, err := m.Select(context.Background(), &method.Page{Doc: d, Site: m.Site(neighbours, d)})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(s.Text(d))
	for _, r := range s.Reasons {
		if !r.Kept {
			fmt.Printf("%s: %s\n", d.PathName(d.Path(r.Node)), r.Why)
		}
	}
	// Output:
	// The old mill opens its doors again on Saturday.
	// html>body>ul: other pages of this site have it too
	// html>body>div: other pages of this site have it too
}
