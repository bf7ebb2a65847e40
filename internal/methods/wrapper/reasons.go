package wrapper

import (
	"fmt"
	"math"

	"github.com/lede-news/lede/internal/methods/reasons"
)

// describe returns what a feature says, its value as a percentage.
func describe(texts map[string]string, name string, value float64) string {
	return fmt.Sprintf(texts[name], reasons.Percent(value))
}

// bodyWords describes a feature of a body.
func bodyWords(name string, value float64) string {
	return describe(map[string]string{
		"FormattingElementsNum": "has %s of the formatting of the page",
		"FormattedContentLen":   "has %s of the formatted text of the page",
		"RectLeft":              "begins at %s of the width of the screen",
		"RectTop":               "begins at %s of the height of two screens",
		"RectWidth":             "takes %s of the width of the screen",
		"RectHeight":            "takes %s of the height of two screens",
		"ProseLen":              "has %s of the sentences of the page",
		"ProseShare":            "%s of it are sentences",
	}, name, value)
}

// titleWords describes a feature of a title.
func titleWords(name string, value float64) string {
	switch {
	case name == "RectTop" && value < 0:
		return "above the screen on which the story begins"
	case name == "Distance" && value == 0:
		return "no gap between it and the story"
	case name == "FontSize" && value == 1:
		return "in the largest letters so far"
	case name == "EndWithFullStop" && value == 1:
		return "ends with a full stop"
	case name == "EndWithFullStop":
		return "does not end with a full stop"
	case name == "WordNum":
		return reasons.Count(int(math.Round(value*maxWordNum)), "word")
	}
	return describe(map[string]string{
		"RectLeft":   "begins at %s of the width of the screen",
		"RectTop":    "begins at %s of the height of the screen",
		"RectWidth":  "takes %s of the width of the screen",
		"RectHeight": "takes %s of the height of the screen",
		"Overlap":    "as wide as %s of the story",
		"Distance":   "%s of a screen between it and the story",
		"Flat":       "its shorter side is %s of the longer one",
		"FontSize":   "in letters of %s of the largest size so far",
		"PageTitle":  "like the title of the page by %s",
	}, name, value)
}
