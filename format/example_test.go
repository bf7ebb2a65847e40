package format_test

import (
	"fmt"
	"os"
	"time"

	"github.com/lede-news/lede/article"
	"github.com/lede-news/lede/format"
)

func story() *article.Article {
	return &article.Article{
		URL:       "https://courier.example/ferry",
		Title:     "Ferry runs again",
		Authors:   []article.Author{{Name: "Ann Author"}},
		Published: article.Date{Time: time.Date(2024, 5, 1, 0, 0, 0, 0, time.UTC), DayOnly: true},
		Body: []article.Block{
			{Kind: article.Paragraph, Spans: []article.Span{
				{Text: "The ferry ran "}, {Text: "on time", Mark: article.Strong},
				{Text: ", said "}, {Text: "the port", Href: "https://port.example/"}, {Text: "."},
			}},
			{Kind: article.Quote, Blocks: []article.Block{
				{Kind: article.Paragraph, Spans: []article.Span{{Text: "1. Safety first."}}},
			}},
		},
		Type: article.TypeArticle, Confidence: 0.9, Method: "blend",
	}
}

func ExampleWrite() {
	err := format.Write(os.Stdout, story(), "pdf", format.Options{})
	fmt.Println(err)
	// Output:
	// format: unknown format "pdf": use one of text, md, html, json
}

func ExampleText() {
	if err := format.Text(os.Stdout, story(), format.Options{}); err != nil {
		fmt.Println(err)
	}
	// Output:
	// Ferry runs again
	// Ann Author · 2024-05-01
	//
	// The ferry ran on time, said the port.
	//
	// > 1. Safety first.
}

func ExampleMarkdown() {
	if err := format.Markdown(os.Stdout, story(), format.Options{}); err != nil {
		fmt.Println(err)
	}
	// Output:
	// # Ferry runs again
	//
	// *Ann Author · 2024-05-01*
	//
	// The ferry ran **on time**, said [the port](https://port.example/).
	//
	// > 1\. Safety first.
}

func ExampleHTML() {
	if err := format.HTML(os.Stdout, story(), format.Options{Fragment: true, BodyOnly: true}); err != nil {
		fmt.Println(err)
	}
	// Output:
	// <article>
	// <p>The ferry ran <strong>on time</strong>, said <a href="https://port.example/">the port</a>.</p>
	// <blockquote>
	// <p>1. Safety first.</p>
	// </blockquote>
	// </article>
}

func ExampleJSON() {
	a := &article.Article{Title: "Ferry runs again", Type: article.TypeArticle, Method: "blend", Body: []article.Block{
		{Kind: article.Paragraph, Spans: []article.Span{{Text: "The ferry ran on time."}}},
	}}
	if err := format.JSON(os.Stdout, a, format.Options{}); err != nil {
		fmt.Println(err)
	}
	// Output:
	// {"title":"Ferry runs again","body":[{"kind":"paragraph","spans":[{"text":"The ferry ran on time."}]}],"type":"article","confidence":0,"method":"blend","words":5,"text":"The ferry ran on time."}
}
