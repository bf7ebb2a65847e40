package warc

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/klauspost/compress/gzip"
)

// stored returns gzip data that holds b as it is.
func stored(t *testing.T, b string) string {
	t.Helper()
	var z bytes.Buffer
	w, err := gzip.NewWriterLevel(&z, gzip.NoCompression)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.Write([]byte(b)); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return z.String()
}

// rawFrame returns a zstd frame of one raw block, with no or a wrong checksum.
func rawFrame(b string, checksum string) string {
	head := len(b)<<3 | 1
	descriptor := "\x00"
	if checksum != "" {
		descriptor = "\x04"
	}
	return zstdMagic + descriptor + "\x58" + string([]byte{byte(head), byte(head >> 8), byte(head >> 16)}) + b + checksum
}

func numberedRecord(n int) string {
	record := responseRecord("", "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<p>"+strings.Repeat(fmt.Sprintf("Story %d. ", n), 12))
	return strings.Replace(record, "urn:uuid:1", fmt.Sprintf("urn:uuid:%d", 100+n), 1)
}

// TestStoredOnce damages single bytes of archives whose compressed data holds the
// records as they are. No record may be found twice: in the data and as itself.
func TestStoredOnce(t *testing.T) {
	t.Parallel()
	const n = 4
	var records []string
	var all, each, frames string
	for i := range n {
		r := numberedRecord(i)
		records = append(records, r)
		all, each, frames = all+r, each+stored(t, r), frames+rawFrame(r, "")
	}
	for name, archive := range map[string]string{
		"one member":   stored(t, all),
		"two members":  stored(t, strings.Join(records[:2], "")) + stored(t, strings.Join(records[2:], "")),
		"many members": each,
		"one frame":    rawFrame(all, ""),
		"many frames":  frames,
		"wrong sums":   rawFrame(all, "oops") + rawFrame(numberedRecord(n), "oops"),
	} {
		lost, tried := 0, 0
		for at := 0; at < len(archive); at += 7 {
			tried++
			damaged := []byte(archive)
			damaged[at] ^= 0x20
			seen := map[string]int{}
			r := NewReader(bytes.NewReader(damaged), Options{})
			for {
				rec, err := r.Next()
				if err != nil {
					break
				}
				_, _ = rec.Page()
				if seen[rec.ID]++; seen[rec.ID] == 2 {
					t.Fatalf("%s, byte %d: %s was returned twice", name, at, rec.ID)
				}
			}
			if len(seen) < n-1 {
				lost++
			}
		}
		// A byte of the framing can hide the records that follow it, no other can.
		if lost > tried/50 {
			t.Errorf("%s: %d of %d damaged bytes hide more than one record", name, lost, tried)
		}
	}
}
