package newsroom_test

import (
	"fmt"

	"github.com/lede-news/lede/internal/lab/newsroom"
)

func Example() {
	site, _ := newsroom.New(1).Site("northcape-wire")
	page := site.Page(0)
	fmt.Println(page.Gold.ID)
	fmt.Println(page.Gold.Title)
	fmt.Println(page.Gold.Date)
	// Output:
	// northcape-wire-000000
	// What the flood wall on the river front means for Lower Quay
	// 2026-03-02T08:52:00-05:00
}

func ExampleSites() {
	fmt.Println(newsroom.Sites()[:3])
	// Output: [marston-gazette harrow-vale-herald northmoor-times]
}
