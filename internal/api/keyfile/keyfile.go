// Package keyfile reads and writes the file of keys of a service. It has one key a
// line: its name, its hash and its limits, of which both are optional.
//
//	# the newsroom
//	newsroom sha256:2bb80d537b1da3e38bd30361aa855686bde0eacd7162fef6a25fe97bf527a25b rate=10/s concurrent=4
package keyfile

import (
	"bufio"
	"bytes"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// Key is a key without its secret.
type Key struct {
	Name string
	// Hash is the SHA-256 of the secret. The secret is random, so that it cannot be
	// guessed from its hash.
	Hash [sha256.Size]byte
	// Rate limits the requests in a time. The zero value is no limit.
	Rate Rate
	// Concurrent is the number of requests at once. Zero is no limit.
	Concurrent int
}

// Rate is a number of requests in a time.
type Rate struct {
	Count int
	Per   time.Duration
}

// units are the times of rates.
var units = []struct {
	name string
	per  time.Duration
}{{"s", time.Second}, {"m", time.Minute}, {"h", time.Hour}}

// ParseRate parses a rate such as 10/s.
func ParseRate(s string) (Rate, error) {
	count, unit, _ := strings.Cut(s, "/")
	n, err := strconv.Atoi(count)
	for _, u := range units {
		if u.name == unit && err == nil && n > 0 {
			return Rate{n, u.per}, nil
		}
	}
	return Rate{}, fmt.Errorf("rate %q: use a number and a unit, such as 10/s, 100/m or 5000/h", s)
}

// String returns the rate as ParseRate takes it, or "" if there is no limit.
func (r Rate) String() string {
	for _, u := range units {
		if u.per == r.Per {
			return fmt.Sprintf("%d/%s", r.Count, u.name)
		}
	}
	return ""
}

// String returns the line of a key.
func (k Key) String() string {
	line := k.Name + " " + hashPrefix + hex.EncodeToString(k.Hash[:])
	if k.Rate.Count > 0 {
		line += " rate=" + k.Rate.String()
	}
	if k.Concurrent > 0 {
		line += " concurrent=" + strconv.Itoa(k.Concurrent)
	}
	return line
}

const hashPrefix = "sha256:"

// New returns a random secret and its key.
func New(name string) (secret string, k Key, err error) {
	if !validName.MatchString(name) {
		return "", Key{}, errName(name)
	}
	secret = "lede_" + rand.Text()
	return secret, Key{Name: name, Hash: Hash(secret)}, nil
}

// Hash returns the hash of a secret.
func Hash(secret string) [sha256.Size]byte { return sha256.Sum256([]byte(secret)) }

// validName matches names of keys, which are in logs and in tokens.
var validName = regexp.MustCompile(`^[A-Za-z0-9_-]{1,64}$`)

func errName(name string) error {
	return fmt.Errorf("name %q: use up to 64 letters without accents, digits, - and _", name)
}

// Parse reads the keys of a file. An error names the line.
func Parse(text []byte) ([]Key, error) {
	var keys []Key
	lineOf := map[string]int{}
	in := bufio.NewScanner(bytes.NewReader(bytes.TrimPrefix(text, []byte("\ufeff"))))
	number := 0
	for in.Scan() {
		number++
		line, _, _ := strings.Cut(in.Text(), "#")
		fields := strings.Fields(line)
		if len(fields) == 0 {
			continue
		}
		k, err := parseKey(fields)
		if err == nil && lineOf[k.Name] > 0 {
			err = fmt.Errorf("name %q is that of line %d, too", k.Name, lineOf[k.Name])
		}
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", number, err)
		}
		lineOf[k.Name] = number
		keys = append(keys, k)
	}
	if err := in.Err(); err != nil {
		return nil, fmt.Errorf("line %d: %w", number+1, err)
	}
	return keys, nil
}

func parseKey(fields []string) (k Key, err error) {
	k.Name = fields[0]
	if !validName.MatchString(k.Name) {
		return k, errName(k.Name)
	}
	if len(fields) < 2 || !strings.HasPrefix(fields[1], hashPrefix) {
		return k, errors.New("after the name there has to be sha256: and the hash of the key; lede serve key makes such a line")
	}
	sum, err := hex.DecodeString(strings.TrimPrefix(fields[1], hashPrefix))
	if err != nil || len(sum) != len(k.Hash) {
		return k, fmt.Errorf("the hash of %q is not a SHA-256 of %d hexadecimal digits", k.Name, 2*len(k.Hash))
	}
	copy(k.Hash[:], sum)
	for _, field := range fields[2:] {
		name, value, _ := strings.Cut(field, "=")
		switch name {
		case "rate":
			k.Rate, err = ParseRate(value)
		case "concurrent":
			if k.Concurrent, err = strconv.Atoi(value); err != nil || k.Concurrent < 1 {
				err = fmt.Errorf("concurrent %q: use a number from 1", value)
			}
		default:
			err = fmt.Errorf("unknown limit %q: use rate=10/s and concurrent=4", field)
		}
		if err != nil {
			return k, err
		}
	}
	return k, nil
}
