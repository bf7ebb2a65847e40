package archive

import (
	"encoding/json"
	"time"

	"github.com/lede-news/lede/warc"
)

// Found is how a story was found, as the metadata record of its page has it.
type Found struct {
	URL       string    `json:"story_url,omitempty"` // of the story, if the page has another
	By        []string  `json:"found_by,omitempty"`  // feed, sitemap, home, section
	LinkText  string    `json:"link_text,omitempty"` // of the link that led to it
	FirstSeen time.Time `json:"first_seen,omitzero"`
	Changed   bool      `json:"changed,omitempty"` // an earlier version of the page is in the archive
}

// foundField is the name of the field of a metadata record that has a Found as JSON.
const foundField = "lede-found"

func (f Found) field() warc.Field {
	text, _ := json.Marshal(f) // strings and times can always be encoded
	return warc.Field{Name: foundField, Value: string(text)}
}

// ReadFound reads the fields of a metadata record. It reports whether lede follow has
// written it.
func ReadFound(h warc.Header) (f Found, ok bool) {
	err := json.Unmarshal([]byte(h.Get(foundField)), &f)
	return f, err == nil
}
