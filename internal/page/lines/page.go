package lines

import "encoding/json"

// Page is a page as a line of JSON.
type Page struct {
	ID       string  `json:"id"`
	URL      string  `json:"url"`
	Site     string  `json:"site"`
	LinkText string  `json:"link_text"`
	HTML     *string `json:"html"` // nil if the line has none
}

// ParsePage parses a line of JSON. Other fields are ignored.
func ParsePage(line []byte) (p Page, err error) {
	err = json.Unmarshal(line, &p)
	return p, err
}
