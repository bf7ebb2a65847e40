package format_test

import "github.com/lede-news/lede/article"

// stuffed is an article with s in every field that takes a string.
func stuffed(s string) *article.Article {
	image := &article.Image{URL: s, Alt: s, Caption: s, Credit: s}
	good := &article.Image{URL: "https://img.example/a.png", Alt: s, Caption: s, Credit: s, Width: 1, Height: 1}
	spans := []article.Span{
		{Text: s},
		{Text: s, Mark: article.Strong},
		{Text: s, Mark: article.Strong | article.Emphasis, Href: s},
		{Text: "a" + s + "b", Mark: article.Emphasis | article.Strike},
		{Text: s, Mark: article.Monospace, Href: "https://example.com/" + s},
		{Text: "x", Mark: article.Subscript, Href: s},
		{Text: s, Mark: article.Superscript},
	}
	words := []article.Block{{Kind: article.Paragraph, Spans: spans}}
	return &article.Article{
		URL: s, Canonical: s, Title: s, Standfirst: s,
		Authors: []article.Author{{Name: s, URL: s}, {Name: "x", URL: s}},
		Lang:    s, Site: s, Section: s, Tags: []string{s}, Lead: image,
		Body: []article.Block{
			words[0],
			{Kind: article.Heading, Level: 2, Spans: spans},
			{Kind: article.List, Items: [][]article.Block{words, words}},
			{Kind: article.Quote, Blocks: words},
			{Kind: article.Table, Spans: spans, Rows: [][]article.Cell{
				{{Header: true, Blocks: words}, {Blocks: []article.Block{{Kind: article.Picture, Image: image}}}},
				{{Blocks: []article.Block{{Kind: article.Code, Code: s, Lang: s}}}, {Blocks: words, ColSpan: -1}},
			}},
			{Kind: article.Code, Code: s, Lang: s},
			{Kind: article.Picture, Image: image},
			{Kind: article.Picture, Image: good},
			{Kind: article.Picture},
			{Kind: article.Video, Video: &article.Clip{URL: s, Title: s, Poster: s, Caption: s}},
			{Kind: article.Video, Video: &article.Clip{URL: "https://v.example/1", Title: s, Poster: "https://v.example/1.png"}},
			{Kind: article.Video, Video: &article.Clip{URL: s, Title: "x"}},
			{Kind: article.Video},
			{Kind: article.Rule},
		},
		Comments: []string{s}, Type: article.PageType(s), Method: s,
	}
}
