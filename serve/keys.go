package serve

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"os"
	"sync/atomic"

	"github.com/lede-news/lede/internal/api/keyfile"
)

// Keys are the keys of a service, of which clients send one with each request, as
// "Authorization: Bearer KEY". They are read from a file that has one key a line: its
// name and the SHA-256 of the key.
//
//	NAME sha256:HEX
//
// "lede serve key NAME" makes a key and its line. It is safe to use Keys concurrently.
type Keys struct {
	file string
	list atomic.Pointer[[]keyfile.Key]
}

// LoadKeys reads a file of keys. It is an error if there are none.
func LoadKeys(file string) (*Keys, error) {
	k := &Keys{file: file}
	if err := k.Reload(); err != nil {
		return nil, err
	}
	if len(*k.list.Load()) == 0 {
		return nil, fmt.Errorf("%s has no keys: make one with lede serve key NAME --keys %s", file, file)
	}
	return k, nil
}

// Reload reads the file again, which may now have no keys. After an error, the keys are
// what they were.
func (k *Keys) Reload() error {
	text, err := os.ReadFile(k.file)
	if err != nil {
		return fmt.Errorf("cannot read the keys: %w", err)
	}
	list, err := keyfile.Parse(text)
	if err != nil {
		return fmt.Errorf("%s: %w", k.file, err)
	}
	k.list.Store(&list)
	return nil
}

// find returns the key with the given secret, or nil.
func (k *Keys) find(secret string) *keyfile.Key {
	hash := keyfile.Hash(secret)
	return k.first(func(one *keyfile.Key) bool { return hmac.Equal(one.Hash[:], hash[:]) })
}

// findToken returns the key that a token was made of, or nil.
func (k *Keys) findToken(token, secret string) *keyfile.Key {
	return k.first(func(one *keyfile.Key) bool { return hmac.Equal([]byte(token), []byte(tokenOf(one, secret))) })
}

func (k *Keys) first(is func(*keyfile.Key) bool) *keyfile.Key {
	for _, one := range *k.list.Load() {
		if is(&one) {
			return &one
		}
	}
	return nil
}

// tokenOf returns what the page at / and the bookmarklet send in place of a key. It is
// good for showing pages only, and for as long as the key is.
func tokenOf(k *keyfile.Key, secret string) string {
	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write([]byte(k.String()))
	return k.Name + "." + base64.RawURLEncoding.EncodeToString(mac.Sum(nil)[:18])
}
