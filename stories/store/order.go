package store

import (
	"cmp"
	"math"
	"time"

	"github.com/lede-news/lede/stories"
)

const (
	// unknown is a time that is after all others.
	unknown = math.MaxInt64
	// maxAhead is how far a date of publication may be after the article was seen.
	maxAhead = 24 * time.Hour
)

// Rank orders articles by time: that of publication, else when the article was first seen,
// unknown ones last. At the same time, articles with a date come before others, then those
// that were seen first, then longer ones. Articles should be added in this order. Of copies,
// the first one in this order is the original.
type Rank struct {
	published, seen int64 // in ms since 1970; unknown if not known, or not believed
	size            int64 // of the text, in bytes
}

// NewRank returns the rank of an article. A date of publication that is long after the
// article was seen is not believed.
func NewRank(a *stories.Article) Rank {
	r := Rank{published: toMillis(a.Published), seen: toMillis(a.FirstSeen), size: int64(len(a.Text))}
	if r.published != unknown && r.seen != unknown && a.Published.Sub(a.FirstSeen) > maxAhead {
		r.published = unknown
	}
	return r
}

// time returns the time that counts, or unknown.
func (r *Rank) time() int64 {
	t := r.published
	if t == unknown {
		t = r.seen
	}
	if t == unknown {
		return t
	}
	return min(max(t, 0), maxTime)
}

// undated is 1 if the time that counts is not that of publication.
func (r *Rank) undated() int {
	if r.published == unknown {
		return 1
	}
	return 0
}

// Compare returns a negative number if an article comes before another one.
func (r *Rank) Compare(other *Rank) int {
	return cmp.Or(
		cmp.Compare(r.time(), other.time()),
		cmp.Compare(r.undated(), other.undated()),
		cmp.Compare(r.seen, other.seen),
		cmp.Compare(other.size, r.size),
	)
}

// toMillis returns a time as it is kept.
func toMillis(t time.Time) int64 {
	if t.IsZero() {
		return unknown
	}
	return t.UnixMilli()
}

// fromMillis is the reverse of toMillis.
func fromMillis(ms int64) time.Time {
	if ms == unknown {
		return time.Time{}
	}
	return time.UnixMilli(ms).UTC()
}

// nullable returns a time as a column.
func nullable(ms int64) any {
	if ms == unknown {
		return nil
	}
	return ms
}

// fromNullable returns the time of a column.
func fromNullable(ms *int64) int64 {
	if ms == nil {
		return unknown
	}
	return *ms
}
