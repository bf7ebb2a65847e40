package stories_test

import (
	"fmt"

	"github.com/lede-news/lede/stories"
)

// Two papers write about one event.
func ExampleLikeness() {
	var f stories.Frequencies
	var list []*stories.Vector
	for _, a := range []stories.Article{
		{Title: "Bridge in Kessel closed after crack", Text: "Engineers found a crack in the old bridge of Kessel on Monday.", Lang: "en"},
		{Title: "Kessel closes bridge", Text: "The mayor of Kessel closed the bridge: a crack runs through a pillar.", Lang: "en"},
		{Title: "Harvest begins early", Text: "Farmers near Ostenau began the harvest two weeks early this year.", Lang: "en"},
	} {
		terms := stories.NewTerms(&a)
		f.Add(terms)
		list = append(list, f.Weigh(terms))
	}
	fmt.Println(stories.Likeness(list[0], list[1]) >= stories.SameStory, stories.Shared(list[0], list[1], 2))
	fmt.Println(stories.Likeness(list[0], list[2]) >= stories.SameStory)
	// Output:
	// true [Kessel Bridge]
	// false
}
