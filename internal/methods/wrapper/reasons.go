package wrapper

import (
	"math"

	"github.com/lede-news/lede/internal/methods/reasons"
)

// bodyWords describes a feature of a body.
func bodyWords(name string, value float64) string {
	part := reasons.Percent(value)
	switch name {
	case "FormattingElementsNum":
		return "has " + part + " of the formatting of the page"
	case "FormattedContentLen":
		return "has " + part + " of the formatted text of the page"
	case "RectTop":
		return "begins at " + part + " of the height of two screens"
	case "RectHeight":
		return "takes " + part + " of the height of two screens"
	case "ProseLen":
		return "has " + part + " of the sentences of the page"
	case "ProseShare":
		return part + " of it are sentences"
	}
	return rectWords(name, value)
}

// titleWords describes a feature of a title.
func titleWords(name string, value float64) string {
	part := reasons.Percent(value)
	switch name {
	case "RectTop":
		if value < 0 {
			return "above the screen on which the story begins"
		}
		return "begins at " + part + " of the height of the screen"
	case "RectHeight":
		return "takes " + part + " of the height of the screen"
	case "Overlap":
		return "as wide as " + part + " of the story"
	case "Distance":
		if value == 0 {
			return "no gap between it and the story"
		}
		return part + " of a screen between it and the story"
	case "Flat":
		return "its shorter side is " + part + " of the longer one"
	case "FontSize":
		if value == 1 {
			return "in the largest letters so far"
		}
		return "in letters of " + part + " of the largest size so far"
	case "EndWithFullStop":
		if value == 1 {
			return "ends with a full stop"
		}
		return "does not end with a full stop"
	case "WordNum":
		return reasons.Count(int(math.Round(value*maxWordNum)), "word")
	case "PageTitle":
		return "like the title of the page by " + part
	}
	return rectWords(name, value)
}

// rectWords describes what bodies and titles have in common.
func rectWords(name string, value float64) string {
	switch name {
	case "RectLeft":
		return "begins at " + reasons.Percent(value) + " of the width of the screen"
	case "RectWidth":
		return "takes " + reasons.Percent(value) + " of the width of the screen"
	}
	return name
}
