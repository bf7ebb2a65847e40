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
	newHash := hashes[strings.ReplaceAll(strings.ToLower(name), "-", "")]
	if newHash == nil {
		return nil
	}
	h := newHash()
	want := decodeDigest(value, h.Size())
	if want == nil {
		return nil
	}
	return &digestCheck{h, want}
}

var hashes = map[string]func() hash.Hash{
	"md5": md5.New, "sha1": sha1.New, "sha256": sha256.New, "sha384": sha512.New384, "sha512": sha512.New,
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

// matches reports whether the bytes match the digest. A nil check always does.
func (c *digestCheck) matches() bool { return c == nil || bytes.Equal(c.Sum(nil), c.want) }

// tee returns a reader that adds to the check what is read from r.
func (c *digestCheck) tee(r io.Reader) io.Reader {
	if c == nil {
		return r
	}
	return io.TeeReader(r, c)
}

// payloadCheck checks the digest of a payload. Tools disagree on whether it is
// computed before or after decoding chunks, so both are accepted.
type payloadCheck struct{ raw, dechunked *digestCheck }

func (rec *Record) newPayloadCheck() (c payloadCheck) {
	if digest := rec.Header.Get("WARC-Payload-Digest"); rec.reader.opts.CheckDigests {
		c.raw, c.dechunked = newDigestCheck(digest), newDigestCheck(digest)
	}
	return c
}

func (c payloadCheck) matches() bool { return c.raw.matches() || c.dechunked.matches() }
