package store_test

import (
	"context"
	"fmt"

	"github.com/lede-news/lede/site"
	"github.com/lede-news/lede/site/store"
)

func Example() {
	ctx := context.Background()
	s, err := store.Open("", store.Options{}) // in memory; name a file to keep it
	if err != nil {
		fmt.Println(err)
		return
	}
	defer s.Close()
	name := store.SiteName("https://www.paper.example/story")
	if err := s.Put(ctx, site.New(name)); err != nil {
		fmt.Println(err)
		return
	}
	list, err := s.Sites(ctx)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, info := range list {
		fmt.Println(info.Name, info.Pages)
	}
	// Output: paper.example 0
}

func ExampleSiteName() {
	fmt.Println(store.SiteName("https://www.nytimes.com/2024/05/14/story.html"))
	fmt.Println(store.SiteName("https://mobile.nytimes.com/"))
	fmt.Println(store.SiteName("https://gulls.blogspot.com/"))
	// Output:
	// nytimes.com
	// nytimes.com
	// gulls.blogspot.com
}
