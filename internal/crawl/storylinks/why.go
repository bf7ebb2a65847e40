package storylinks

import "fmt"

// explained is a judged link.
type explained struct {
	*candidate
	row   []float32
	story bool
	// What each part adds to the log-odds: the address, the text, the links of the
	// same form, the place on the page.
	address, text, siblings, spot float32
	family                        *family
}

// feature returns a feature by its name.
func (x *explained) feature(name string) float32 { return x.row[indexOf(name)] }

// why returns the reason that weighed most for a verdict.
func (x *explained) why() string {
	if !x.story {
		return x.whyNot()
	}
	switch most := max(x.address, x.text, x.siblings, x.spot); {
	case most == x.spot && x.spot > 0:
		return "in a heading"
	case most == x.siblings && x.family.story > 1:
		return plural(x.family.story-1, "like %d other link to a story", "like %d other links to stories")
	case most == x.text && x.candidate.text != "":
		if n := x.feature("common words"); n > 2 {
			return "headline in the address"
		}
		if n := int(x.feature("words")); n > 3 {
			return fmt.Sprintf("headline of %d words", n)
		}
	}
	switch words := int(x.feature("slug words")); {
	case x.date >= monthDate:
		return "date in the address"
	case words > 3:
		return fmt.Sprintf("%d words in the address", words)
	case x.feature("longest number") > 3 || x.feature("query number") > 3:
		return "number in the address"
	}
	return "address and text like those of stories"
}

// whyNot returns the reason why a link leads to no story.
func (x *explained) whyNot() string {
	switch {
	case x.feature("paid") > 0:
		return "paid content"
	case x.feature("listing") > 0:
		return "list of stories, or a person"
	case x.feature("address in query") > 0:
		return "contains another address"
	case x.feature("network") > 0:
		return "social network or service"
	case x.feature("service words") > 0 && x.same > 0:
		return "service of the site"
	case x.spot < -0.5:
		return x.place.reason()
	case x.same == 0:
		return "another site"
	}
	switch most := min(x.address, x.text, x.siblings); {
	case most == x.siblings && x.family.count-x.family.story > 1:
		return plural(x.family.count-x.family.story-1, "like %d other link that leads to no story", "like %d other links that lead to no story")
	case most == x.text && x.candidate.text != "":
		if x.feature("text service words") > 0 {
			return "text of a service"
		}
		if n := int(x.feature("words")); n <= 4 {
			return plural(n, "text of %d word", "text of %d words")
		}
		return "text unlike a headline"
	case len(x.segments) <= 2 && x.feature("slug words") < 3:
		return "short address"
	}
	return "address unlike those of stories"
}

// reason says why a link at a place leads to no story.
func (p place) reason() string {
	switch {
	case p&isPaid != 0:
		return "marked as an advertisement"
	case p&inFooter != 0:
		return "in the footer"
	}
	return "menu entry"
}

func plural(n int, one, many string) string {
	if n == 1 {
		return fmt.Sprintf(one, n)
	}
	return fmt.Sprintf(many, n)
}
