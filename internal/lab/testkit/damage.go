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
	seeds, _ := DamagedSeeds(t)
	for seed := range seeds {
		b, how := Damage(rand.New(rand.NewPCG(seed, 1)), whole)
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			path := filepath.Join(t.TempDir(), filepath.Base(sound))
			if err := os.WriteFile(path, b, 0o644); err != nil {
				t.Fatal(err)
			}
			if use(t, path); t.Failed() {
				t.Log(how)
			}
		})
	}
}

// Time returns how long the function takes that prepare returns: the least of up to
// three times, if the first is more than a limit.
func Time(limit time.Duration, prepare func() func()) (least time.Duration) {
	for n := 0; n == 0 || n < 3 && limit > 0 && least > limit; n++ {
		use := prepare()
		start := time.Now()
		use()
		if took := time.Since(start); n == 0 || took < least {
			least = took
		}
	}
	return least
}

// Damage returns a damaged copy of a file, and says how.
func Damage(rnd *rand.Rand, whole []byte) (b []byte, how string) {
	const page = 4096 // of SQLite
	b = append(b, whole...)
	at := rnd.IntN(len(b))
	switch rnd.IntN(6) {
	case 0:
		for range 1 + rnd.IntN(20) {
			b[rnd.IntN(len(b))] ^= byte(1 + rnd.IntN(255))
		}
		return b, "some bytes changed"
	case 1:
		clear(b[at:min(len(b), at+rnd.IntN(20000))])
		return b, "a part cleared"
	case 2:
		return b[:at], "the end cut off"
	case 3:
		from := at &^ (page - 1)
		copy(b[rnd.IntN(len(b))&^(page-1):], whole[from:min(len(b), from+page)])
		return b, "a page in the place of another"
	case 4:
		b[rnd.IntN(min(len(b), 100))] = byte(rnd.Uint32())
		return b, "a byte of the header changed"
	default:
		return append(b, whole[at:]...), "the end repeated"
	}
}
