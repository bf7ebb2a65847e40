package stories_test

import (
	"fmt"

	"github.com/lede-news/lede/stories"
)

// Two papers write about one event.
func ExampleLikeness() {
	f := stories.NewFrequencies()
	var list []*stories.Terms
	for _, a := range []stories.Article{
		{Title: "Bridge in Kessel closed after crack", Text: "Engineers found a crack in the old bridge of Kessel on Monday.", Lang: "en"},
		{Title: "Kessel closes bridge", Text: "The mayor of Kessel closed the bridge: a crack runs through a pillar.", Lang: "en"},
		{Title: "Harvest begins early", Text: "Farmers near Ostenau began the harvest two weeks early this year.", Lang: "en"},
	} {
		t := stories.NewTerms(&a)
		f.Add(t)
		list = append(list, t)
	}
	bridge := stories.Likeness(list[0], list[1], f)
	harvest := stories.Likeness(list[0], list[2], f)
	fmt.Println(bridge.Score > harvest.Score)
	// Output: true
}
