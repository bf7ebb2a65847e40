// Package placing has the rules by which articles get their places: which one had a text
// first, which texts are compared, what a copy is made of, and which story an article
// joins. Package stories/store keeps an index by these rules, and lede step applies them
// where the articles are spread over many machines.
package placing

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/lede-news/lede/stories"
)

const (
	// Unknown is a time that is after all others.
	Unknown = math.MaxInt64
	// maxAhead is how far a date of publication may be after the article was seen.
	maxAhead = 24 * time.Hour
	// HashBytes is the length of the hash of a text.
	HashBytes = 16
)

// Hash is the hash of a text. Articles with the same hash share a node.
type Hash [HashBytes]byte

// Rank is by what articles are ordered. The time counts: that of publication, else when
// the article was first seen, unknown ones last. At the same time, articles with a date come
// before others, then those that were seen first, then longer ones; ids and hashes make
// the order independent of that of the input. Articles are added in this order, and of
// copies, the first one in this order is the original.
type Rank struct {
	Published, Seen int64 // in ms since 1970; Unknown if not known, or not believed
	Size            int64 // of the text, in bytes
	ID              string
}

// NewRank returns the rank of an article. A date of publication that is long after the
// article was seen is not believed.
func NewRank(a *stories.Article) Rank {
	r := Rank{Published: Millis(a.Published), Seen: Millis(a.FirstSeen), Size: int64(len(a.Text)), ID: a.ID}
	if r.Published != Unknown && r.Seen != Unknown && a.Published.Sub(a.FirstSeen) > maxAhead {
		r.Published = Unknown
	}
	return r
}

// Time returns the time that counts, or Unknown.
func (r *Rank) Time() int64 {
	if r.Published == Unknown {
		return r.Seen
	}
	return r.Published
}

// undated is 1 if the time that counts is not that of publication.
func (r *Rank) undated() int {
	if r.Published == Unknown {
		return 1
	}
	return 0
}

// Compare orders articles. Those with the same rank are ordered by the hash of their texts.
func (r *Rank) Compare(other *Rank) int {
	return cmp.Or(
		cmp.Compare(r.Time(), other.Time()),
		cmp.Compare(r.undated(), other.undated()),
		cmp.Compare(r.Seen, other.Seen),
		cmp.Compare(other.Size, r.Size),
		strings.Compare(r.ID, other.ID),
	)
}

// Article is an article that is being sorted.
type Article struct {
	*stories.Article
	Rank
	hash *Hash
}

// NewArticle returns an article to sort.
func NewArticle(a *stories.Article) *Article { return &Article{Article: a, Rank: NewRank(a)} }

// Compare is the order in which articles are added to an index. It is that of texts, and
// what is left makes it independent of the order of the input.
func (a *Article) Compare(b *Article) int {
	if c := a.Rank.Compare(&b.Rank); c != 0 {
		return c
	}
	x, y := a.textHash(), b.textHash()
	return cmp.Or(bytes.Compare(x[:], y[:]), strings.Compare(restOf(a.Article), restOf(b.Article)))
}

// textHash returns the hash of the text. It is rarely needed.
func (a *Article) textHash() *Hash {
	if a.hash == nil {
		a.hash = &NewText(a.Article).Hash
	}
	return a.hash
}

// restOf returns a hash of what an index keeps of an article besides its text, id and times.
func restOf(a *stories.Article) string {
	h := sha256.New()
	for _, s := range []string{a.URL, a.Site, a.Title, a.Lang} {
		fmt.Fprintf(h, "%d %s", len(s), s)
	}
	return hex.EncodeToString(h.Sum(nil)[:8])
}

// OrderText returns a text that says the place of an article in the order: texts are
// compared byte by byte. h is the hash of the article's text.
func OrderText(a *stories.Article, r *Rank, h Hash) string {
	const sign = 1 << 63 // so that negative numbers come first
	return fmt.Sprintf("%016x%d%016x%016x", uint64(r.Time())^sign, r.undated(), uint64(r.Seen)^sign, uint64(math.MaxInt64-r.Size)) +
		orderEscapes.Replace(r.ID) + "\x01" + hex.EncodeToString(h[:]) + restOf(a)
}

// orderEscapes makes an id end before one that it is the beginning of.
var orderEscapes = strings.NewReplacer("\x00", "\x02\x01", "\x01", "\x02\x02", "\x02", "\x02\x03")

// Millis returns a time as it is kept.
func Millis(t time.Time) int64 {
	if t.IsZero() {
		return Unknown
	}
	return t.UnixMilli()
}

// FromMillis is the reverse of Millis.
func FromMillis(ms int64) time.Time {
	if ms == Unknown {
		return time.Time{}
	}
	return time.UnixMilli(ms).UTC()
}

// MaxWindow is the longest time that the articles of a story may be apart.
const MaxWindow = 60 * 24 * time.Hour

// Era is the length of time, in ms, that a posting covers. Postings outside the window
// of an article are not read.
const Era = 2 * 24 * 3600 * 1000

// Times are within these limits, whatever an article says.
const (
	minTime = 0
	maxTime = 1<<16*Era - 1
)

// Clamp returns a time within the limits.
func Clamp(ms int64) int64 { return min(max(ms, minTime), maxTime) }
