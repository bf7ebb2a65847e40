package article_test

import (
	"encoding/json"
	"fmt"
	"log"
	"time"

	"github.com/lede-news/lede/article"
)

var ferry = article.Article{
	Title:     "The ferry is back",
	Authors:   []article.Author{{Name: "Ann Lee"}, {Name: "Ben Roe"}},
	Published: article.Date{Time: time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC), DayOnly: true},
	Body: []article.Block{
		{Kind: article.Paragraph, Spans: []article.Span{{Text: "It sails "}, {Text: "again", Mark: article.Strong}, {Text: "."}}},
		{Kind: article.Quote, Blocks: []article.Block{
			{Kind: article.Paragraph, Spans: []article.Span{{Text: "We missed it."}}},
		}},
		{Kind: article.Picture, Image: &article.Image{URL: "https://quay.example/ferry.jpg", Caption: "The ferry"}},
	},
	Type: article.TypeArticle,
}

func ExampleArticle() {
	fmt.Println(ferry.Title)
	fmt.Println(ferry.Byline())
	fmt.Println(ferry.Published)
	fmt.Println(ferry.Text())
	fmt.Println(ferry.WordCount(), "words")
	// Output:
	// The ferry is back
	// Ann Lee, Ben Roe
	// 2026-03-01
	// It sails again.
	// We missed it.
	// 6 words
}

func ExampleArticle_Blocks() {
	for b := range ferry.Blocks() {
		fmt.Printf("%v %q\n", b.Kind, b.Text())
	}
	// Output:
	// paragraph "It sails again."
	// quote "We missed it."
	// paragraph "We missed it."
	// picture ""
}

func ExampleArticle_Images() {
	for _, im := range ferry.Images() {
		fmt.Println(im.URL, im.Caption)
	}
	// Output: https://quay.example/ferry.jpg The ferry
}

func ExampleBlock_json() {
	data, err := json.Marshal(ferry.Body[0])
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(string(data))
	// Output: {"kind":"paragraph","spans":[{"text":"It sails "},{"text":"again","mark":"strong"},{"text":"."}]}
}
