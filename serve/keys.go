package serve

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"sync/atomic"
)

// Keys are the keys of a service, of which clients send one with each request, as
// "Authorization: Bearer KEY". They are read from a file that has one key a line: its
// name and the SHA-256 of the key. Lines may have comments after #.
//
//	NAME sha256:HEX
//
// NewKey makes a key and its line. It is safe to use Keys concurrently.
type Keys struct {
	file string
	list atomic.Pointer[[]key]
}

// key is a key without its secret.
type key struct {
	name string
	hash string // hexadecimal; the secret is random, so that it cannot be guessed from it
}

// validName matches names of keys, which are in logs and in tokens.
var validName = regexp.MustCompile(`^[A-Za-z0-9_-]{1,64}$`)

// NewKey returns a random key, and its line for a file of keys.
func NewKey(name string) (secret, line string, err error) {
	if !validName.MatchString(name) {
		return "", "", fmt.Errorf("name %q: use up to 64 letters without accents, digits, - and _", name)
	}
	secret = "lede_" + rand.Text()
	return secret, key{name, hashOf(secret)}.line(), nil
}

func (k key) line() string { return k.name + " sha256:" + k.hash }

func hashOf(secret string) string {
	sum := sha256.Sum256([]byte(secret))
	return hex.EncodeToString(sum[:])
}

// LoadKeys reads a file of keys. It is an error if there are none.
func LoadKeys(file string) (*Keys, error) {
	k := &Keys{file: file}
	if err := k.Reload(); err != nil {
		return nil, err
	}
	if len(*k.list.Load()) == 0 {
		return nil, fmt.Errorf("%s has no keys: make one with lede serve key NAME >> %s", file, file)
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
	var list []key
	for i, line := range strings.Split(strings.TrimPrefix(string(text), "\ufeff"), "\n") {
		one, err := parseKey(line)
		if err == nil && slices.ContainsFunc(list, func(k key) bool { return k.name == one.name }) {
			err = fmt.Errorf("there is another key with the name %s", one.name)
		}
		if err != nil {
			return fmt.Errorf("%s: line %d: %w", k.file, i+1, err)
		}
		if one.name != "" {
			list = append(list, one)
		}
	}
	k.list.Store(&list)
	return nil
}

var keyLine = regexp.MustCompile(`^\s*(\S+)\s+sha256:([0-9a-f]{64})\s*$`)

// parseKey returns the key of a line, or an empty one if the line has none.
func parseKey(line string) (k key, err error) {
	line, _, _ = strings.Cut(line, "#")
	if strings.TrimSpace(line) == "" {
		return k, nil
	}
	m := keyLine.FindStringSubmatch(line)
	if m == nil || !validName.MatchString(m[1]) {
		return k, errors.New("a line has a name, and sha256: with the 64 hexadecimal digits of the key's hash; lede serve key makes such a line")
	}
	return key{m[1], m[2]}, nil
}

// find returns the key with the given secret, or nil.
func (k *Keys) find(secret string) *key {
	hash := hashOf(secret)
	return k.first(func(one *key) bool { return hmac.Equal([]byte(one.hash), []byte(hash)) })
}

// findToken returns the key that a token was made of, or nil.
func (k *Keys) findToken(token, secret string) *key {
	return k.first(func(one *key) bool { return hmac.Equal([]byte(token), []byte(tokenOf(one, secret))) })
}

func (k *Keys) first(is func(*key) bool) *key {
	for _, one := range *k.list.Load() {
		if is(&one) {
			return &one
		}
	}
	return nil
}

// tokenOf returns what the page at / and the bookmarklet send in place of a key. It is
// good for showing pages only, and for as long as the key is.
func tokenOf(k *key, secret string) string {
	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write([]byte(k.line()))
	return k.name + "." + base64.RawURLEncoding.EncodeToString(mac.Sum(nil)[:18])
}
