package placing

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"slices"

	"github.com/lede-news/lede/stories"
)

const (
	// KeyBits is the length of a key. SQLite keeps such numbers in six bytes.
	KeyBits = 48
	// KeyMask has the bits of a key.
	KeyMask = 1<<KeyBits - 1
	// wholeText is set in the key of a whole text, so that it is never that of a part.
	wholeText = 1 << (KeyBits - 1)
	// MaxBucket is how many texts are kept of those that share a key: the first ones.
	MaxBucket = 64
)

// Text is what copies of a text are found by.
type Text struct {
	Hash     Hash
	Shingles *stories.Shingles
	Keys     []uint64 // distinct; the first is that of the whole text
	Shared   bool     // articles with this text are copies
}

// NewText prepares the text of an article.
func NewText(a *stories.Article) *Text {
	t := &Text{Shingles: stories.NewShingles(a.Text)}
	t.Shared = stories.Compare(t.Shingles, t.Shingles).IsCopy()
	h := sha256.New()
	h.Write([]byte(a.Text))
	if !t.Shared {
		// A short text is not a copy, and an article with it stands alone.
		fmt.Fprintf(h, "\x00%d\x00%s", len(a.Text), a.ID)
	}
	copy(t.Hash[:], h.Sum(nil))
	if t.Shared {
		for _, k := range t.Shingles.Keys() {
			t.Keys = append(t.Keys, k&(wholeText-1))
		}
		slices.Sort(t.Keys)
		t.Keys = slices.Compact(t.Keys)
	}
	t.Keys = slices.Insert(t.Keys, 0, binary.LittleEndian.Uint64(t.Hash[:])&KeyMask|wholeText)
	return t
}

// NewTerms returns the terms of an article. A date that is not believed is not used for
// comparison either.
func NewTerms(a *stories.Article, r *Rank) *stories.Terms {
	dated := *a
	dated.Published = FromMillis(r.Time())
	return stories.NewTerms(&dated)
}
