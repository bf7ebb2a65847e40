package storylinks

import "strings"

// cleanText returns a text in one line, cut off where it is too long for a headline.
func cleanText(text string) string {
	if len(text) > 4*maxText {
		text = text[:4*maxText]
	}
	text = strings.Join(strings.Fields(text), " ")
	if len(text) > maxText {
		text = text[:maxText]
	}
	return strings.ToValidUTF8(text, "")
}
