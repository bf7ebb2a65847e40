package coding

import (
	"bytes"
	"errors"
	"io"
	"runtime"
	"strings"
	"testing"
)

func TestLimit(t *testing.T) {
	const most = 10_000
	for _, header := range []string{"", "gzip", "deflate", "br", "zstd", "gzip, gzip"} {
		for size, fits := range map[int]bool{most - 1: true, most: true, most + 1: false, 10 * most: false} {
			body := story(size)
			if header != "" {
				body = encode(t, body, strings.Split(header, ", ")...)
			}
			got, err := read(header, bytes.NewReader(body), most)
			switch {
			case fits && (err != nil || len(got) != size):
				t.Errorf("%s %d: %v", header, size, err)
			case !fits && !errors.Is(err, ErrTooLarge):
				t.Errorf("%s %d: %v, want %v", header, size, err, ErrTooLarge)
			}
		}
	}
	if _, err := read("", strings.NewReader("small"), 1<<63-1); err != nil {
		t.Errorf("the largest limit: %v", err)
	}
}

// Members without content never reach the limit of the decoded body, but that of
// what was sent.
func TestEmptyMembers(t *testing.T) {
	many := bytes.NewReader(bytes.Repeat(encode(t, nil, "gzip"), 1<<17))
	if _, err := read("gzip", many, 1<<20); !errors.Is(err, ErrTooLarge) {
		t.Errorf("%v, want %v", err, ErrTooLarge)
	}
}

func TestBombs(t *testing.T) {
	const most = 1 << 20
	for _, names := range []string{"gzip", "deflate", "deflate raw", "br", "zstd", "gzip, gzip", "br, gzip", "zstd, gzip", "gzip, gzip, gzip, gzip"} {
		t.Run(names, func(t *testing.T) {
			// Made beforehand, so that what is measured is the reader's.
			part, parts := encode(t, make([]byte, 16<<20), strings.Split(names, ", ")...), 1
			if names == "gzip" {
				parts = 64 // members make one body: 1 GiB
			}
			body := bytes.NewReader(bytes.Repeat(part, parts))
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			_, err := read(strings.TrimSuffix(names, " raw"), body, most)
			runtime.ReadMemStats(&after)
			if !errors.Is(err, ErrTooLarge) {
				t.Errorf("%v, want %v", err, ErrTooLarge)
			}
			// The sum of all buffers on the way to the limit, and a window of 8 MiB.
			if used := after.TotalAlloc - before.TotalAlloc; used > 24<<20 {
				t.Errorf("%d MiB allocated for a limit of %d MiB", used>>20, most>>20)
			}
		})
	}
}

// A bomb in the middle of a chain: what comes out of it is small again.
func TestBombWithin(t *testing.T) {
	for header, body := range map[string][]byte{
		"zstd, gzip": encode(t, make([]byte, 16<<20), "zstd", "gzip"),
		"gzip, gzip": encode(t, bytes.Repeat(encode(t, nil, "gzip"), 1<<17), "gzip"),
	} {
		if _, err := read(header, bytes.NewReader(body), 1<<20); !errors.Is(err, ErrTooLarge) {
			t.Errorf("%s: %v, want %v", header, err, ErrTooLarge)
		}
	}
}

// A reader that has failed stays so.
func TestLimitStays(t *testing.T) {
	limit := NewLimit(3)
	r := limit.On(strings.NewReader("abcdef"))
	if b, err := io.ReadAll(r); string(b) != "abc" || err != ErrTooLarge {
		t.Errorf("%q, %v", b, err)
	}
	if n, err := r.Read(make([]byte, 9)); n != 0 || err != ErrTooLarge || limit.Fault() != ErrTooLarge {
		t.Errorf("%d, %v, %v", n, err, limit.Fault())
	}
}
