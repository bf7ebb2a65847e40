package store

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"

	"github.com/klauspost/compress/zstd"

	"github.com/lede-news/lede/internal/placing"
	"github.com/lede-news/lede/stories"
)

// Prepared is an article that is ready to be added.
type Prepared struct {
	article stories.Article // without text
	rank    placing.Rank
	text    *placing.Text
	terms   *stories.Terms
	body    []byte
}

// Prepare does the part of adding an article that needs no other articles, so that it
// can be done for many at the same time. It does not keep the article's text.
func (s *Store) Prepare(a *stories.Article) *Prepared {
	p := &Prepared{article: *a, rank: placing.NewRank(a), text: placing.NewText(a), body: s.coder.encode([]byte(a.Text))}
	p.terms = placing.NewTerms(a, &p.rank)
	p.article.Text = ""
	return p
}

// nullable returns a time as a column.
func nullable(ms int64) any {
	if ms == placing.Unknown {
		return nil
	}
	return ms
}

// hashKey returns a key for a text.
func hashKey(text string) uint64 {
	sum := sha256.Sum256([]byte(text))
	return binary.LittleEndian.Uint64(sum[:]) & placing.KeyMask
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
