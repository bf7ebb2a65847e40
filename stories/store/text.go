package store

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"slices"

	"github.com/klauspost/compress/zstd"

	"github.com/lede-news/lede/stories"
)

// keyMask has the bits of a key. SQLite keeps numbers of 48 bits in six bytes.
const keyMask = 1<<48 - 1

type textHash [16]byte

// Prepared is an article that is ready to be added.
type Prepared struct {
	article  stories.Article // without text
	rank     Rank
	hash     textHash // of the text; articles with the same hash share a node
	shingles *stories.Shingles
	keys     []uint64 // by which copies are found
	terms    *stories.Terms
	body     []byte // the text, compressed
}

// Prepare does the part of adding an article that needs no other articles, so that it
// can be done for many at the same time. It does not keep the article's text.
func (s *Store) Prepare(a *stories.Article) *Prepared {
	p := &Prepared{article: *a, rank: NewRank(a), shingles: stories.NewShingles(a.Text), body: compress([]byte(a.Text))}
	p.article.Text = ""
	dated := *a
	dated.Published = fromMillis(p.rank.time()) // a date that is not believed is not compared either
	p.terms = stories.NewTerms(&dated)

	h := sha256.New()
	h.Write([]byte(a.Text))
	if stories.Compare(p.shingles, p.shingles).IsCopy() {
		for _, k := range p.shingles.Keys() {
			p.keys = append(p.keys, k&keyMask)
		}
		slices.Sort(p.keys)
		p.keys = slices.Compact(p.keys)
	} else {
		// A short text is not a copy, and an article with it stands alone.
		fmt.Fprintf(h, "\x00%d\x00%s", len(a.Text), a.ID)
	}
	copy(p.hash[:], h.Sum(nil))
	return p
}

// hashKey returns a key for an id or a URL.
func hashKey(text string) int64 {
	sum := sha256.Sum256([]byte(text))
	return int64(binary.LittleEndian.Uint64(sum[:]) & keyMask)
}

// maxBody is the largest text that is read.
const maxBody = 1 << 30

// The encoder and the decoder may be used concurrently. Errors would be of their options.
var (
	encoder, _ = zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithLowerEncoderMem(true))
	decoder, _ = zstd.NewReader(nil, zstd.WithDecoderMaxMemory(maxBody), zstd.WithDecoderLowmem(true), zstd.WithDecoderConcurrency(1))
)

func compress(b []byte) []byte { return encoder.EncodeAll(b, make([]byte, 0, len(b)/2+64)) }

func decompress(b []byte) ([]byte, error) {
	b, err := decoder.DecodeAll(b, nil)
	if err != nil {
		err = fmt.Errorf("%w: %w", ErrDamaged, err)
	}
	return b, err
}
