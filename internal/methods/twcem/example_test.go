package twcem_test

import (
	"context"
	"fmt"

	"github.com/lede-news/lede/dom"
	"github.com/lede-news/lede/internal/methods/twcem"
	"github.com/lede-news/lede/method"
)

func Example() {
	page := `<title>Ferry runs aground in the harbour - The Gull</title>
		<p>Sign in, or register.
		<article><h1>Ferry runs aground in the harbour</h1>
		<p>A ferry ran aground in the harbour on Monday, nobody was hurt.
		<p>It was foggy, the captain said.
		<p>The ferry, which is new, will leave the harbour with the next tide.</article>
		<ul><li>Share<li>Print<li>Mail</ul>
		<p>All rights reserved, 2031.`
	doc, err := dom.Parse(context.Background(), []byte(page), dom.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	s, err := twcem.New(twcem.Default()).Select(context.Background(), &method.Page{Doc: doc})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(doc.Text(s.Title))
	fmt.Println(s.Text(doc))
	// Output:
	// Ferry runs aground in the harbour
	// A ferry ran aground in the harbour on Monday, nobody was hurt.
	// It was foggy, the captain said.
	// The ferry, which is new, will leave the harbour with the next tide.
}
