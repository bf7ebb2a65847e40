package site

// Event is what adding a page did to a profile.
type Event uint8

const (
	// Ignored means that the page has nothing to learn from.
	Ignored Event = iota
	// Learned means that the page went to a template that was known.
	Learned
	// NewTemplate means that the page is of a make that was not seen before.
	NewTemplate
	// SamePage means that the page was read before. It adds nothing: what is
	// read twice is not yet the same on all pages.
	SamePage
	// Restarted means that the site has a new design: what was known of the
	// old one is forgotten.
	Restarted
)

var eventNames = [...]string{"ignored", "learned", "new template", "same page again", "restarted after a redesign"}

func (e Event) String() string {
	if int(e) < len(eventNames) {
		return eventNames[e]
	}
	return "unknown event"
}
