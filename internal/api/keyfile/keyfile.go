// Package keyfile reads and writes the file of keys of a service. It has one key a
// line: its name and its hash.
//
//	# the newsroom
//	newsroom sha256:2bb80d537b1da3e38bd30361aa855686bde0eacd7162fef6a25fe97bf527a25b
package keyfile

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"regexp"
	"strings"
)

// Key is a key without its secret.
type Key struct {
	Name string
	// Hash is the SHA-256 of the secret. The secret is random, so that it cannot be
	// guessed from its hash.
	Hash [sha256.Size]byte
}

const hashPrefix = "sha256:"

// String returns the line of a key.
func (k Key) String() string { return k.Name + " " + hashPrefix + hex.EncodeToString(k.Hash[:]) }

// New returns a random secret and its key.
func New(name string) (secret string, k Key, err error) {
	secret = "lede_" + rand.Text()
	return secret, Key{name, Hash(secret)}, checkName(name)
}

// Hash returns the hash of a secret.
func Hash(secret string) [sha256.Size]byte { return sha256.Sum256([]byte(secret)) }

// validName matches names of keys, which are in logs and in tokens.
var validName = regexp.MustCompile(`^[A-Za-z0-9_-]{1,64}$`)

func checkName(name string) error {
	if !validName.MatchString(name) {
		return fmt.Errorf("name %q: use up to 64 letters without accents, digits, - and _", name)
	}
	return nil
}

// Parse reads the keys of a file. An error names the line.
func Parse(text []byte) (keys []Key, err error) {
	lineOf := map[string]int{}
	for i, line := range strings.Split(strings.TrimPrefix(string(text), "\ufeff"), "\n") {
		line, _, _ = strings.Cut(line, "#")
		fields := strings.Fields(line)
		if len(fields) == 0 {
			continue
		}
		k, err := parseKey(fields)
		if err == nil && lineOf[k.Name] > 0 {
			err = fmt.Errorf("name %q is that of line %d, too", k.Name, lineOf[k.Name])
		}
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", i+1, err)
		}
		lineOf[k.Name] = i + 1
		keys = append(keys, k)
	}
	return keys, nil
}

func parseKey(fields []string) (k Key, err error) {
	if err := checkName(fields[0]); err != nil {
		return k, err
	}
	sum, ok := strings.CutPrefix(fields[len(fields)-1], hashPrefix)
	hash, err := hex.DecodeString(sum)
	if len(fields) != 2 || !ok || err != nil || len(hash) != sha256.Size {
		return k, errors.New("a line has a name, and sha256: with the 64 hexadecimal digits of the key's hash; lede serve key makes such a line")
	}
	return Key{fields[0], [sha256.Size]byte(hash)}, nil
}
