package store

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"time"

	"github.com/klauspost/compress/zstd"

	"github.com/lede-news/lede/stories"
)

// Prepared is an article that is ready to be added.
type Prepared struct {
	article         stories.Article // without text
	size            int64           // of the text, in bytes
	hash            [hashBytes]byte // of the text
	published, seen int64           // unknown if not known, or not believed
	shingles        *stories.Shingles
	keys            []uint64 // of buckets; the first is that of the text
	shared          bool     // articles with this text are copies
	terms           *stories.Terms
	body            []byte
}

const (
	hashBytes = 16
	// unknown is a time that is after all others.
	unknown = 1<<63 - 1
	// maxAhead is how far a date of publication may be after the article was seen.
	maxAhead = 24 * time.Hour
)

// Prepare does the part of adding an article that needs no other articles, so that it
// can be done for many at the same time. It does not keep the article's text.
func (s *Store) Prepare(a *stories.Article) *Prepared {
	p := &Prepared{article: *a, size: int64(len(a.Text))}
	p.article.Text = ""
	p.published, p.seen = millis(a.Published), millis(a.FirstSeen)
	if p.published != unknown && p.seen != unknown && a.Published.Sub(a.FirstSeen) > maxAhead {
		p.published = unknown
	}
	p.shingles = stories.NewShingles(a.Text)
	p.shared = stories.Compare(p.shingles, p.shingles).IsCopy()
	text := sha256.New()
	text.Write([]byte(a.Text))
	if !p.shared {
		// A short text is not a copy, and an article with it stands alone.
		fmt.Fprintf(text, "\x00%d\x00%s", len(a.Text), a.ID)
	}
	copy(p.hash[:], text.Sum(nil))
	p.keys = append(p.keys, binary.LittleEndian.Uint64(p.hash[:])&keyMask)
	if p.shared {
		for _, k := range p.shingles.Keys() {
			p.keys = append(p.keys, k&keyMask)
		}
	}
	// A date that is not believed is not used for comparison either.
	dated := *a
	switch {
	case p.published != unknown:
	case p.seen != unknown:
		dated.Published = a.FirstSeen
	default:
		dated.Published = time.Time{}
	}
	p.terms = stories.NewTerms(&dated)
	p.body = s.coder.encode([]byte(a.Text))
	return p
}

// millis returns a time as it is kept.
func millis(t time.Time) int64 {
	if t.IsZero() {
		return unknown
	}
	return t.UnixMilli()
}

// fromMillis is the reverse of millis.
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

// hashKey returns a key for a text.
func hashKey(text string) uint64 {
	sum := sha256.Sum256([]byte(text))
	return binary.LittleEndian.Uint64(sum[:]) & keyMask
}

// coder compresses texts.
type coder struct {
	enc *zstd.Encoder
	dec *zstd.Decoder
}

// maxBody is the largest text that is read.
const maxBody = 1 << 30

func newCoder() (*coder, error) {
	enc, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedDefault), zstd.WithLowerEncoderMem(true))
	if err != nil {
		return nil, err
	}
	dec, err := zstd.NewReader(nil, zstd.WithDecoderMaxMemory(maxBody), zstd.WithDecoderLowmem(true), zstd.WithDecoderConcurrency(1))
	return &coder{enc, dec}, err
}

func (c *coder) encode(b []byte) []byte {
	return c.enc.EncodeAll(b, make([]byte, 0, len(b)/2+64))
}

func (c *coder) decode(b []byte) ([]byte, error) {
	b, err := c.dec.DecodeAll(b, nil)
	if err != nil {
		err = fmt.Errorf("%w: %w", ErrDamaged, err)
	}
	return b, err
}
