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

// digestCheck compares bytes with a digest of a record: "sha1:" and base32, though
// some tools write hexadecimal or base64.
type digestCheck struct {
	hash.Hash
	want []byte
}

// newDigestCheck returns nil for a digest that cannot be checked.
func newDigestCheck(digest string) *digestCheck {
	name, value, _ := strings.Cut(strings.TrimSpace(digest), ":")
	h := newHash(strings.ReplaceAll(strings.ToLower(name), "-", ""))
	if h == nil {
		return nil
	}
	want := decodeDigest(value, h.Size())
	if want == nil {
		return nil
	}
	return &digestCheck{h, want}
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

// decodeDigest recognizes the encoding by its length.
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

func (c *digestCheck) matches() bool { return bytes.Equal(c.Sum(nil), c.want) }

// payloadCheck checks the digest of a payload. Tools disagree on whether it is
// computed before or after decoding chunks, so both are accepted. A nil
// payloadCheck checks nothing.
type payloadCheck struct{ raw, dechunked *digestCheck }

func (rec *Record) newPayloadCheck() *payloadCheck {
	digest := rec.Header.Get("WARC-Payload-Digest")
	if !rec.reader.opts.CheckDigests || newDigestCheck(digest) == nil {
		return nil
	}
	return &payloadCheck{newDigestCheck(digest), newDigestCheck(digest)}
}

func (s *payloadCheck) tee(r io.Reader) io.Reader {
	if s == nil {
		return r
	}
	return io.TeeReader(r, s.raw)
}

func (s *payloadCheck) teeDechunked(r io.Reader) io.Reader {
	if s == nil {
		return r
	}
	return io.TeeReader(r, s.dechunked)
}

func (s *payloadCheck) matches() bool {
	return s == nil || s.raw.matches() || s.dechunked.matches()
}
