package site_test

import (
	"context"
	"fmt"
	"os"
	"strings"

	"github.com/lede-news/lede"
	"github.com/lede-news/lede/site"
)

// A profile learns from the pages of a site while they are extracted.
func Example() {
	const page = `<title>%[1]s | The Paper</title>
<nav class="menu"><a href="/town">Town and county</a></nav>
<article class="story"><h1>%[1]s</h1><div class="text">
<p>%[2]s, said the mayor of the town in a long speech to the council on Monday evening.</p>
<p>The council is to hear more of “%[1]s” next week, when the report is to be published.</p></div></article>
<footer class="foot">All rights reserved by The Paper.</footer>`

	profile := site.New("paper.example")
	ex, err := lede.New(lede.WithSite(profile))
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, story := range [][2]string{
		{"Bridge reopens", "The bridge over the river is open again after three years of repairs"},
		{"Gulls leave", "Hundreds of gulls have left the pier, and nobody has seen them since"},
		{"Bakery wins", "The oldest bakery of the region has won the golden pretzel once more"},
		{"Rain to stay", "It will rain until the end of the month, and the cellars must be pumped"},
	} {
		x, err := ex.Explain(context.Background(), strings.NewReader(fmt.Sprintf(page, story[0], story[1])))
		if err != nil {
			fmt.Println(err)
			return
		}
		profile.Add(x.Observe())
	}
	profile.Describe(os.Stdout)
	// Output:
	// paper.example: 4 pages read
	//   Headline  body>article.story>h1, on 100 % of the stories
	//   Body      body>article.story>div.text, on 100 % of the stories
	//   Titles    end in " | The Paper", on 100 % of the stories
	//   Tail      2 places of the page never part of a story
	//   Static    2 rows the same on all pages, such as
	//               All rights reserved by The Paper.
	//               Town and county
}
