package storylinks

import "fmt"

// explained is a judged link.
type explained struct {
	*candidate
	row         []float32
	story       bool
	siblings    float32 // effect of the links of the same form
	family      *family
	place       place
	placeEffect float32
}

// why returns the reason that weighed most for a verdict.
func (m *Model) why(x explained) string {
	sign := 1.0
	if !x.story {
		sign = -1
	}
	bins := make([]uint8, m.trees.Width())
	m.trees.Bin(x.row, bins)
	_, reasons := m.trees.Reasons(bins, 0)
	switch {
	case x.story:
	case x.row[paidFeature] > 0:
		return "paid content"
	case x.row[listingFeature] > 0:
		return "list of stories, or a person"
	case x.row[serviceFeature] > 0 && x.same > 0:
		return "service of the site"
	case x.placeEffect < -0.5:
		return x.placeReason()
	}
	siblings, place := sign*float64(x.siblings), float64(x.placeEffect)
	for _, r := range reasons {
		effect := sign * r.Effect
		if x.story && place > 0.5 && place >= max(effect, siblings) {
			return x.placeReason()
		}
		if siblings > 0.5 && siblings >= effect {
			if text := x.siblingReason(); text != "" {
				return text
			}
		}
		if effect <= 0 {
			continue
		}
		if text := x.reason(r.Feature); text != "" {
			return text
		}
	}
	if x.story {
		return "address and text like those of stories"
	}
	return "address and text unlike those of stories"
}

func (x *explained) placeReason() string {
	switch p := x.place; {
	case x.story:
		return "in a heading"
	case p&isPaid != 0:
		return "marked as an advertisement"
	case p&inFooter != 0:
		return "in the footer"
	}
	return "menu entry"
}

func (x *explained) siblingReason() string {
	if x.story {
		if n := x.family.story - 1; n > 0 {
			return plural(n, "like %d other link to a story", "like %d other links to stories")
		}
		return ""
	}
	if n := x.family.count - x.family.story - 1; n > 0 {
		return plural(n, "like %d other link that leads to no story", "like %d other links that lead to no story")
	}
	return ""
}

func plural(n int, one, many string) string {
	if n == 1 {
		return fmt.Sprintf(one, n)
	}
	return fmt.Sprintf(many, n)
}

// reason puts into words what a feature says, or returns "".
func (x *explained) reason(feature string) string {
	value := int(x.row[indexOf(feature)])
	if x.story {
		switch feature {
		case "date", "after date":
			if x.date >= monthDate {
				return "date in the address"
			}
		case "section words", "segments", "slug at end", "before slug", "slug words", "slug length", "last words", "last length", "path words", "path length", "address score":
			if n := int(x.row[indexOf("slug words")]); n >= 3 {
				return fmt.Sprintf("%d words in the address", n)
			}
		case "longest number", "last digits", "query number", "ids":
			if value > 0 {
				return "number in the address"
			}
		case "words", "width", "text score":
			if n := int(x.row[indexOf("words")]); x.hasText() && n >= 4 {
				return fmt.Sprintf("headline of %d words", n)
			}
		case "text in slug", "slug in text", "common words":
			if x.row[indexOf("common words")] > 1 {
				return "headline in the address"
			}
		}
		return ""
	}
	switch feature {
	case "same site", "host labels":
		if x.same < 0.5 {
			return "another site"
		}
	case "text service words":
		if value > 0 {
			return "text of a service"
		}
	case "address in query":
		if value > 0 {
			return "link for sharing"
		}
	case "fragment":
		if value > 0 {
			return "a part of a page"
		}
	case "segments", "slug words", "slug length", "last words", "last length", "path words", "path length", "section words", "after date", "date", "longest number":
		if int(x.row[indexOf("slug words")]) < 3 {
			return "short address"
		}
	case "address score":
		if x.same < 0.5 {
			return "another site"
		}
		return "address unlike those of stories"
	case "words", "width":
		if n := int(x.row[indexOf("words")]); x.hasText() && n <= 4 {
			return plural(n, "text of %d word", "text of %d words")
		}
	case "text score":
		return "text unlike a headline"
	}
	return ""
}
