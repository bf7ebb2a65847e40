package stories_test

import (
	"fmt"
	"strings"

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

// A paper prints the beginning of a wire story under a lede of its own.
func ExampleCompare() {
	const wire = "The ferry Aldona ran aground off Pellmouth on Monday with 214 people on board, the coast guard said.\n" +
		"Nobody was hurt. Boats of the harbour took the passengers ashore before the tide turned.\n" +
		"The steering failed twenty minutes after the ship had left Corran Island, the captain said."
	const local = "Hotels in Wenby were full on Monday night.\n" +
		"The ferry Aldona ran aground off Pellmouth on Monday with 214 people on board, the coast guard said.\n" +
		"Nobody was hurt. Boats of the harbour took the passengers ashore before the tide turned."
	o := stories.Compare(stories.NewShingles(wire), stories.NewShingles(local))
	fmt.Printf("copy: %v; %.0f %% of the wire story, which is %.0f %% of the other\n", o.IsCopy(), 100*o.InA, 100*o.InB)
	for _, e := range stories.Diff(wire, local) {
		fmt.Println(strings.TrimRight(fmt.Sprintf("%.60s", e), " "))
	}
	// Output:
	// copy: true; 67 % of the wire story, which is 79 % of the other
	// + Hotels in Wenby were full on Monday night.
	//   The ferry Aldona ran aground off Pellmouth on Monday with
	//   Nobody was hurt. Boats of the harbour took the passengers
	// - The steering failed twenty minutes after the ship had left
}
