package follow_test

import (
	"context"
	"fmt"
	"log"
	"time"

	"github.com/lede-news/lede/follow"
)

func Example() {
	f, err := follow.New(follow.Options{
		Sites: []string{"https://paper.example/", "https://other.example/feed.xml"},
		State: "follow.db",
		Every: 30 * time.Minute,
	}, follow.HandlerFunc(func(_ context.Context, s *follow.Story) error {
		fmt.Println(s.URL, s.Article.Title)
		return nil
	}))
	if err != nil {
		log.Fatal(err)
	}
	defer f.Close()
	if err := f.Run(context.Background()); err != nil {
		log.Print(err)
	}
}
