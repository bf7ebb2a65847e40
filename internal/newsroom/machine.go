package newsroom

import (
	"encoding/json"
	"html"
	"strings"
	"unicode/utf8"
)

// JSONLD is the story as linked data; what it holds counts as shown.
func (v *view) JSONLD() string {
	v.Authors()
	v.Date()
	v.Updated()
	type person struct {
		Type string `json:"@type"`
		Name string `json:"name"`
	}
	var authors []person
	for _, a := range v.st.authors {
		authors = append(authors, person{"Person", a})
	}
	data, err := json.Marshal(struct {
		Context     string   `json:"@context"`
		Type        string   `json:"@type"`
		Headline    string   `json:"headline"`
		Description string   `json:"description"`
		URL         string   `json:"url"`
		Published   string   `json:"datePublished"`
		Modified    string   `json:"dateModified"`
		Section     string   `json:"articleSection"`
		Keywords    []string `json:"keywords"`
		Image       []string `json:"image"`
		Author      []person `json:"author"`
		Publisher   any      `json:"publisher"`
	}{
		"https://schema.org", "NewsArticle", v.st.title, v.st.standfirst, v.gold.URL,
		v.DateISO(), v.UpdatedISO(), v.st.section.Label, v.st.tags, []string{v.LeadURL()}, authors,
		map[string]string{"@type": "NewsMediaOrganization", "name": v.Site.Title},
	})
	if err != nil {
		panic("newsroom: " + err.Error())
	}
	return string(data)
}

// Dateline opens the first paragraph of a wire story.
func (v *view) Dateline() string {
	d := strings.ToUpper(v.st.facts["town#1"])
	if d == "" {
		d = "NORTHCAPE"
	}
	d += ", " + v.Site.grammar.formatDate(v.st.date, "%B %d") + " (" + v.Site.habits.Dateline + ") -"
	v.extra(d)
	return d
}

// Wire is the body broken into lines of a teleprinter.
func (v *view) Wire(width int) string {
	var b strings.Builder
	for i, blk := range v.Body() {
		text := blk.Text
		if i == 0 {
			text = v.Dateline() + " " + text
		} else {
			b.WriteString("\n\n")
		}
		b.WriteString("   ")
		column := 3
		for k, word := range strings.Fields(text) {
			n := utf8.RuneCountInString(word)
			switch {
			case k == 0:
			case column+1+n > width:
				b.WriteByte('\n')
				column = 0
			default:
				b.WriteByte(' ')
				column++
			}
			b.WriteString(html.EscapeString(word))
			column += n
		}
	}
	return b.String()
}
