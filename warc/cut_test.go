package warc

import (
	"bytes"
	"io"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/iotest"
)

// TestCutMembers truncates records, as a crawler does that died and appended later. Only the
// truncated records are lost, in a file and in a pipe. LEDE_CUTS is the number of archives.
func TestCutMembers(t *testing.T) {
	t.Parallel()
	archives, err := strconv.Atoi(os.Getenv("LEDE_CUTS"))
	if err != nil {
		archives = 200
	}
	r := rand.New(rand.NewPCG(1, 2))
	for i := range archives {
		const n = 8
		b, offsets := archive(t, inGzip, n, 200+r.IntN(4000))
		offsets = append(offsets, int64(len(b)))
		var damaged []byte
		var want []string
		for k := range n {
			member := b[offsets[k]:offsets[k+1]]
			if k%3 == 1 {
				member = member[:1+r.IntN(len(member)-1)]
			} else {
				want = append(want, strings.TrimPrefix(storyURL(k), "https://news.example"))
			}
			damaged = append(damaged, member...)
		}
		for name, in := range map[string]io.Reader{"file": bytes.NewReader(damaged), "pipe": iotest.OneByteReader(bytes.NewReader(damaged))} {
			o := run(in, Options{})
			if !slices.Equal(o.whole, want) {
				t.Errorf("archive %d, %s: %v, want %v", i, name, o, want)
			}
		}
	}
}
