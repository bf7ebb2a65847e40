package testkit

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"testing"
	"time"
)

// DamagedSeeds returns how many damaged files of a kind to try. LEDE_DAMAGED sets
// another number, as make damaged does; limit is then the time for each, else zero.
func DamagedSeeds(t *testing.T) (seeds uint64, limit time.Duration) {
	t.Helper()
	seeds = 40
	if testing.Short() {
		seeds = 10
	}
	if text := os.Getenv("LEDE_DAMAGED"); text != "" {
		n, err := strconv.ParseUint(text, 10, 32)
		if err != nil {
			t.Fatal(err)
		}
		seeds, limit = n, time.Second
	}
	return seeds, limit
}

// Damaged calls use with copies of a file that are damaged in many ways, the same
// ones every time.
func Damaged(t *testing.T, sound string, use func(t *testing.T, path string)) {
	t.Helper()
	whole, err := os.ReadFile(sound)
	if err != nil {
		t.Fatal(err)
	}
	seeds, limit := DamagedSeeds(t)
	var slowest time.Duration
	for seed := range seeds {
		b, how := Damage(rand.New(rand.NewPCG(seed, 1)), whole)
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			took := Time(limit, func() func() {
				path := filepath.Join(t.TempDir(), filepath.Base(sound))
				if err := os.WriteFile(path, b, 0o644); err != nil {
					t.Fatal(err)
				}
				return func() { use(t, path) }
			})
			slowest = max(slowest, took)
			if limit > 0 && took > limit {
				t.Errorf("it took %v", took)
			}
			if t.Failed() {
				t.Log(how)
			}
		})
	}
	t.Logf("%d damaged copies of %s, the slowest took %v", seeds, filepath.Base(sound), slowest.Round(time.Millisecond))
}

// Time returns how long the function takes that prepare returns. If that is more than
// the limit, and there is one, the machine may be busy: it tries again, and returns
// the least of three times.
func Time(limit time.Duration, prepare func() func()) (least time.Duration) {
	for n := range 3 {
		use := prepare()
		start := time.Now()
		use()
		took := time.Since(start)
		if n == 0 || took < least {
			least = took
		}
		if limit == 0 || least <= limit {
			break
		}
	}
	return least
}

// Damage returns a damaged copy of a file, and says how: bytes changed, parts
// cleared, randomized, exchanged, repeated or cut off.
func Damage(rnd *rand.Rand, whole []byte) (b []byte, how string) {
	const page = 4096 // of SQLite
	b = append(b, whole...)
	change := func(n int) {
		for range n {
			b[rnd.IntN(len(b))] ^= byte(1 + rnd.IntN(255))
		}
	}
	at := rnd.IntN(len(b))
	switch rnd.IntN(8) {
	case 0:
		change(1 + rnd.IntN(20))
		return b, "some bytes changed"
	case 1:
		change(2000)
		return b, "2000 bytes changed"
	case 2:
		clear(b[at:min(len(b), at+rnd.IntN(20000))])
		return b, "a part cleared"
	case 3:
		for i := at &^ (page - 1); i < min(len(b), at&^(page-1)+page); i++ {
			b[i] = byte(rnd.Uint32())
		}
		return b, "a page of random bytes"
	case 4:
		return b[:at], "the end cut off"
	case 5:
		for range 1 + rnd.IntN(8) {
			from := rnd.IntN(len(b)) &^ (page - 1)
			copy(b[rnd.IntN(len(b))&^(page-1):], whole[from:min(len(b), from+page)])
		}
		return b, "pages in the place of others"
	case 6:
		b[rnd.IntN(min(len(b), 100))] = byte(rnd.Uint32())
		return b, "a byte of the header changed"
	default:
		return append(b, whole[at:]...), "the end repeated"
	}
}
