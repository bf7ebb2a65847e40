module github.com/lede-news/lede/bench/renderers

go 1.26.0

replace github.com/lede-news/lede => ../..

require (
	github.com/lede-news/lede v0.0.0
	github.com/yuin/goldmark v1.8.7
	golang.org/x/net v0.62.0
)

require golang.org/x/text v0.43.0 // indirect
