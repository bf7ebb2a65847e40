package warc

import (
	"bytes"
	"crypto/md5"
	"crypto/sha1"
	"crypto/sha256"
	"crypto/sha512"
	"encoding/base32"
	"encoding/base64"
	"encoding/hex"
	"hash"
	"io"
	"strings"
)

// check compares bytes with a digest as records write it: "sha1:" and base32,
// though some write hexadecimal or base64.
type check struct {
	hash.Hash
	want []byte
}

// newCheck returns nil for a digest that cannot be checked.
func newCheck(digest string) *check {
	name, value, _ := strings.Cut(strings.TrimSpace(digest), ":")
	h := newHash(strings.ReplaceAll(strings.ToLower(name), "-", ""))
	if h == nil {
		return nil
	}
	want := decodeDigest(value, h.Size())
	if want == nil {
		return nil
	}
	return &check{h, want}
}

func newHash(name string) hash.Hash {
	switch name {
	case "md5":
		return md5.New()
	case "sha1":
		return sha1.New()
	case "sha256":
		return sha256.New()
	case "sha384":
		return sha512.New384()
	case "sha512":
		return sha512.New()
	}
	return nil
}

// decodeDigest tells the encodings apart by their length.
func decodeDigest(value string, size int) []byte {
	value = strings.TrimRight(strings.TrimSpace(value), "=")
	var b []byte
	var err error
	switch len(value) {
	case hex.EncodedLen(size):
		b, err = hex.DecodeString(value)
	case base32.StdEncoding.WithPadding(base32.NoPadding).EncodedLen(size):
		b, err = base32.StdEncoding.WithPadding(base32.NoPadding).DecodeString(strings.ToUpper(value))
	case base64.RawStdEncoding.EncodedLen(size):
		value = strings.NewReplacer("-", "+", "_", "/").Replace(value)
		b, err = base64.RawStdEncoding.DecodeString(value)
	default:
		return nil
	}
	if err != nil {
		return nil
	}
	return b
}

func (c *check) matches() bool { return bytes.Equal(c.Sum(nil), c.want) }

// digestFault notes bytes that are not those that were archived.
func (r *Reader) digestFault(rec *Record, what string) error {
	e := &Error{Offset: rec.Offset, ID: rec.ID, Kind: ErrDigest,
		Reason: "the " + what + " is not what its digest says; the file was changed or damaged"}
	r.stats.Digests++
	r.opts.OnFault(e)
	return e
}

// payloadSum checks the digest of a payload. Tools disagree whether it is that
// of the bytes as sent or without their chunks, so either will do. A nil one
// checks nothing.
type payloadSum struct{ raw, dechunked *check }

func (rec *Record) payloadDigest() *payloadSum {
	digest := rec.Header.Get("WARC-Payload-Digest")
	if !rec.reader.opts.CheckDigests || newCheck(digest) == nil {
		return nil
	}
	return &payloadSum{newCheck(digest), newCheck(digest)}
}

func (s *payloadSum) tee(r io.Reader) io.Reader {
	if s == nil {
		return r
	}
	return io.TeeReader(r, s.raw)
}

func (s *payloadSum) teeDechunked(r io.Reader) io.Reader {
	if s == nil {
		return r
	}
	return io.TeeReader(r, s.dechunked)
}

func (s *payloadSum) matches() bool {
	return s == nil || s.raw.matches() || s.dechunked.matches()
}
