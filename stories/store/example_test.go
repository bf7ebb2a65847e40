package store_test

import (
	"context"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"time"

	"github.com/lede-news/lede/stories"
	"github.com/lede-news/lede/stories/store"
)

// Articles are added in order of time. Each learns at once whether it is a copy, and to
// which story it belongs.
func Example() {
	dir, err := os.MkdirTemp("", "stories")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	s, err := store.Open(filepath.Join(dir, "stories.db"), store.Options{})
	if err != nil {
		log.Fatal(err)
	}
	defer s.Close()

	wire := "The old bridge of Kessel was closed on Monday after engineers found a crack in one of its pillars. " +
		"Mayor Ruth Amsel said that the repair would take until autumn and cost four million crowns.\n" +
		"Buses to the station now take the ring road, and the ferry runs twice an hour until midnight."
	morning := time.Date(2026, 3, 2, 8, 0, 0, 0, time.UTC)
	ctx := context.Background()
	for i, a := range []stories.Article{
		{ID: "post", Site: "post.example", Title: "Kessel bridge closed", Text: wire, Lang: "en"},
		{ID: "echo", Site: "echo.example", Title: "Bridge of Kessel closed", Text: "Commuters in the valley had a slow morning.\n" + wire, Lang: "en"},
		{ID: "farm", Site: "echo.example", Title: "Harvest begins early", Text: "Farmers near Ostenau began the harvest two weeks early this year.", Lang: "en"},
	} {
		a.Published = morning.Add(time.Duration(i) * time.Hour)
		m, err := s.Add(ctx, s.Prepare(&a))
		if err != nil {
			log.Fatal(err)
		}
		fmt.Printf("%s: story %s (%s)\n", a.ID, m.Story, m.Reason)
	}
	if err := s.Commit(); err != nil {
		log.Fatal(err)
	}
	story, err := s.Find(ctx, "echo")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(story.Headline, story.Papers)
	// Output:
	// post: story oonh1h08ri (opens the story)
	// echo: story oonh1h08ri (copy of post: 86 % shared)
	// farm: story dd60fn1ju8 (opens the story)
	// Kessel bridge closed [post.example echo.example]
}
