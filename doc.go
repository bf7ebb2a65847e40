// Package lede takes a news page and gives back the article: headline, body
// with its structure, byline, dates, pictures, and nothing else.
//
//	f, err := os.Open("page.html")
//	…
//	a, err := lede.Extract(f, lede.WithURL("https://paper.example/story"))
//	fmt.Println(a.Title)
//	fmt.Println(a.Text())
//
// Packages beside this one write the article as text, Markdown, HTML or JSON
// ([github.com/lede-news/lede/format]), get pages from the web within limits
// ([github.com/lede-news/lede/fetch]) and work through folders of them
// ([github.com/lede-news/lede/batch]).
//
// Pages are hostile until proven otherwise. Nothing in them is run or fetched,
// and every page has limits of size, nodes and time; see [Limits].
package lede
