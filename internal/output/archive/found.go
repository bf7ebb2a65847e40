package archive

import (
	"time"

	"github.com/lede-news/lede/warc"
)

// Found is how a story was found, as the metadata record of its page has it.
type Found struct {
	URL       string   // of the story, if the page has another
	By        []string // feed, sitemap, home, section
	LinkText  string   // of the link that led to it
	FirstSeen time.Time
	Changed   bool // an earlier version of the page is in the archive
}

// IsZero reports whether nothing is known.
func (f Found) IsZero() bool {
	return f.URL == "" && len(f.By) == 0 && f.LinkText == "" && f.FirstSeen.IsZero() && !f.Changed
}

// The names of the fields of a metadata record. They are those of a batch record.
const (
	storyURL  = "story_url"
	foundBy   = "found_by" // one for each
	linkText  = "link_text"
	firstSeen = "first_seen"
	changed   = "changed"
)

func (f Found) fields() warc.Header {
	h := warc.Header{} // not nil: a page has a metadata record
	if f.URL != "" {
		h = append(h, warc.Field{Name: storyURL, Value: f.URL})
	}
	for _, by := range f.By {
		h = append(h, warc.Field{Name: foundBy, Value: by})
	}
	if f.LinkText != "" {
		h = append(h, warc.Field{Name: linkText, Value: f.LinkText})
	}
	if !f.FirstSeen.IsZero() {
		h = append(h, warc.Field{Name: firstSeen, Value: f.FirstSeen.UTC().Format(time.RFC3339)})
	}
	if f.Changed {
		h = append(h, warc.Field{Name: changed, Value: "true"})
	}
	return h
}

// ReadFound reads the fields of a metadata record.
func ReadFound(h warc.Header) Found {
	f := Found{URL: h.Get(storyURL), By: h.Values(foundBy), LinkText: h.Get(linkText), Changed: h.Get(changed) == "true"}
	f.FirstSeen, _ = time.Parse(time.RFC3339, h.Get(firstSeen))
	return f
}
