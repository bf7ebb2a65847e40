// Package stories compares news articles. It tells which are copies of one
// another (wire copy, syndication, an excerpt, an update) and which tell the same
// story in other words.
//
// Everything here is a pure function of its arguments and gives the same results on
// all machines, so that a distributed job can call it. Package stories/store keeps
// an index of articles on disk and groups them.
package stories

import "time"

// Article is what is known of an article.
type Article struct {
	ID    string
	URL   string
	Site  string // the paper
	Title string
	Text  string // the body, one paragraph per line
	Lang  string // BCP 47; empty if unknown
	// Published is the time of publication, zero if unknown. If only the day is known,
	// its end is better than midnight, which would precede all others of the day.
	Published time.Time
	// FirstSeen is when the article was found, zero if unknown.
	FirstSeen time.Time
}

// date returns when the article was published, or else found.
func (a *Article) date() time.Time {
	if a.Published.IsZero() {
		return a.FirstSeen
	}
	return a.Published
}
