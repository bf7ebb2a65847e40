package measure

// page is how the template-independent wrapper was judged (section 5.1): the
// share of pages whose headline, whose body, and whose both are right. The
// judges of the paper were people who compared pages. Here a headline is right
// when it is exact but for case, space and punctuation, and a body when the F1
// of its words as a bag is at least 0.9. Pages of which only one of the two is
// known do not count.
func page() Measure {
	return Measure{
		Name: "page", About: "pages whose headline, body and both are right (template-independent wrapper)",
		Figures: []string{"title", "body", "both"}, Main: 2,
		Page: func(c *Case) []float64 {
			if c.Gold.Title == "" || c.Gold.Text == "" {
				return nil
			}
			title, body := c.titleExact(), c.bagOfWords().F1 >= content
			return []float64{one(title), one(body), one(title && body), 1}
		},
		Total: means,
	}
}
