package serve

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"fmt"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/time/rate"

	"github.com/lede-news/lede/internal/api/keyfile"
)

// Keys are the keys of a service, of which clients send one with each request, as
// "Authorization: Bearer KEY". They are read from a file that has one key a line: its
// name, the SHA-256 of the key, and limits.
//
//	NAME sha256:HEX [rate=10/s] [concurrent=4]
//
// "lede serve key NAME" makes a key and its line. It is safe to use Keys concurrently.
type Keys struct {
	file string
	mu   sync.RWMutex
	keys []*key
}

// LoadKeys reads a file of keys. It is an error if there are none.
func LoadKeys(file string) (*Keys, error) {
	k := &Keys{file: file}
	if err := k.Reload(); err != nil {
		return nil, err
	}
	if k.count() == 0 {
		return nil, fmt.Errorf("%s has no keys: make one with lede serve key NAME --keys %s", file, file)
	}
	return k, nil
}

// Reload reads the file again, which may now have no keys. After an error, the keys are
// what they were. What was used of the limits of a key counts as long as its line does
// not change.
func (k *Keys) Reload() error {
	text, err := os.ReadFile(k.file)
	if err != nil {
		return fmt.Errorf("cannot read the keys: %w", err)
	}
	parsed, err := keyfile.Parse(text)
	if err != nil {
		return fmt.Errorf("%s: %w", k.file, err)
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	known := map[keyfile.Key]*key{}
	for _, old := range k.keys {
		known[old.Key] = old
	}
	keys := make([]*key, len(parsed))
	for i, line := range parsed {
		if keys[i] = known[line]; keys[i] == nil {
			keys[i] = newKey(line)
		}
	}
	k.keys = keys
	return nil
}

// count returns the number of keys.
func (k *Keys) count() int {
	k.mu.RLock()
	defer k.mu.RUnlock()
	return len(k.keys)
}

// find returns the key with the given secret, or nil.
func (k *Keys) find(secret string) *key {
	hash := keyfile.Hash(secret)
	k.mu.RLock()
	defer k.mu.RUnlock()
	var found *key
	for _, one := range k.keys {
		if subtle.ConstantTimeCompare(one.Hash[:], hash[:]) == 1 {
			found = one
		}
	}
	return found
}

// findToken returns the key that a token was made of, or nil.
func (k *Keys) findToken(token, secret string) *key {
	name, _, _ := strings.Cut(token, ".")
	k.mu.RLock()
	defer k.mu.RUnlock()
	for _, one := range k.keys {
		if one.Name == name && subtle.ConstantTimeCompare([]byte(token), []byte(one.token(secret))) == 1 {
			return one
		}
	}
	return nil
}

// key is a key with what is used of its limits.
type key struct {
	keyfile.Key
	rate *rate.Limiter // nil without a limit
	open atomic.Int64  // requests
}

func newKey(k keyfile.Key) *key {
	n := &key{Key: k}
	if k.Rate.Count > 0 {
		n.rate = rate.NewLimiter(rate.Every(k.Rate.Per/time.Duration(k.Rate.Count)), k.Rate.Count)
	}
	return n
}

// token returns what the page at / and the bookmarklet send in place of the key. It is
// good for showing pages only, and for as long as the key is.
func (k *key) token(secret string) string {
	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write([]byte(k.Key.Name))
	mac.Write(k.Hash[:])
	return k.Name + "." + base64.RawURLEncoding.EncodeToString(mac.Sum(nil)[:18])
}

// enter counts a request. If the limits do not allow it, wait says when to try again.
func (k *key) enter(now time.Time) (leave func(), wait time.Duration, err error) {
	if open := k.open.Add(1); k.Concurrent > 0 && open > int64(k.Concurrent) {
		k.open.Add(-1)
		return nil, time.Second, newProblem("rate", "the key %s allows %d requests at once; wait for the responses", k.Name, k.Concurrent)
	}
	if k.rate != nil {
		turn := k.rate.ReserveN(now, 1)
		if wait := turn.DelayFrom(now); wait > 0 {
			turn.CancelAt(now)
			k.open.Add(-1)
			return nil, wait, newProblem("rate", "the key %s allows %s requests; try again later", k.Name, k.Rate)
		}
	}
	return func() { k.open.Add(-1) }, 0, nil
}

// pace waits until the rate of the key of a request allows another page, so that a batch
// is no faster than single requests may be.
func (s *server) pace(ctx context.Context) error {
	k := visitOf(ctx).key
	if k == nil || k.rate == nil {
		return nil
	}
	turn := k.rate.Reserve()
	timer := time.NewTimer(turn.Delay())
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		turn.Cancel()
		return context.Cause(ctx)
	case <-s.opts.Stopping:
		turn.Cancel()
		return errStopping
	}
}
