package inflate

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"math/rand/v2"
	"testing"
	"testing/iotest"

	"github.com/lede-news/lede/internal/lab/testkit"
)

// compress returns a member.
func compress(tb testing.TB, data []byte, level int) []byte {
	tb.Helper()
	var b bytes.Buffer
	w, err := gzip.NewWriterLevel(&b, level)
	if err != nil {
		tb.Fatal(err)
	}
	w.Write(data)
	w.Close()
	return b.Bytes()
}

// decompress returns the bytes of a member and what follows it.
func decompress(member []byte, buffer int) (data, rest []byte, err error) {
	in := bufio.NewReaderSize(bytes.NewReader(member), buffer)
	var r Reader
	if err = r.Reset(in); err == nil {
		data, err = io.ReadAll(&r)
	}
	rest, _ = io.ReadAll(in)
	return data, rest, err
}

// reference is decompress by the standard library.
func reference(member []byte) (data []byte, err error) {
	r, err := gzip.NewReader(bytes.NewReader(member))
	if err != nil {
		return nil, err
	}
	r.Multistream(false)
	return io.ReadAll(r)
}

// madeUp returns data with literals, matches near and far, and runs.
func madeUp(rng *rand.Rand) []byte {
	data := make([]byte, rng.IntN(200_000)>>rng.IntN(12))
	letters, far := 1+rng.IntN(256)>>rng.IntN(8), 1+window>>rng.IntN(16)
	for i := 0; i < len(data); i++ {
		data[i] = byte(rng.IntN(letters))
		if i > 0 && rng.IntN(8) == 0 {
			distance := 1 + rng.IntN(min(i, far))
			for range rng.IntN(300) {
				if i++; i < len(data) {
					data[i] = data[i-distance]
				}
			}
		}
	}
	return data
}

// levels are those of package gzip: Huffman codes only, stored, fast, usual, best.
var levels = [...]int{gzip.HuffmanOnly, gzip.NoCompression, gzip.BestSpeed, 6, gzip.BestCompression}

func TestRead(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	for i := range 300 {
		data := madeUp(rng)
		member := compress(t, data, levels[i%len(levels)])
		got, rest, err := decompress(append(member, "next"...), 16+rng.IntN(5000))
		if err != nil || !bytes.Equal(got, data) || string(rest) != "next" {
			t.Fatalf("%d: %d bytes, %v, then %q; want %d bytes, then \"next\"", i, len(got), err, rest, len(data))
		}
	}
}

// TestReadPages decompresses real pages, member after member, with the same Reader.
func TestReadPages(t *testing.T) {
	var archive bytes.Buffer
	pages := testkit.CorpusPages(t, 97, "*")
	for i, p := range pages {
		archive.Write(compress(t, p, levels[i%len(levels)]))
	}
	in := bufio.NewReader(iotest.HalfReader(&archive))
	var r Reader
	for i, p := range pages {
		if err := r.Reset(in); err != nil {
			t.Fatal(err)
		}
		if got, err := io.ReadAll(&r); err != nil || !bytes.Equal(got, p) {
			t.Fatalf("page %d: %d bytes, %v; want %d", i, len(got), err, len(p))
		}
	}
}

// TestCutOff cuts members off everywhere. What could be read before is there, but for
// the last few codes.
func TestCutOff(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for i := range 20 {
		data := madeUp(rng)
		data = data[:min(len(data), 3000)]
		member := compress(t, data, levels[i%len(levels)])
		for n := range member {
			got, _, err := decompress(member[:n], 16)
			want, _ := reference(member[:n])
			if err != io.ErrUnexpectedEOF || !bytes.HasPrefix(data, got) || len(got) < len(want)-4 {
				t.Fatalf("%d of %d bytes: %d of %d bytes, %v", n, len(member), len(got), len(want), err)
			}
		}
	}
}

func TestHeader(t *testing.T) {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	w.Name, w.Comment, w.Extra = "page.html", "a page", bytes.Repeat([]byte{7}, 60_000)
	w.Write([]byte("text"))
	w.Close()
	if got, _, err := decompress(b.Bytes(), 16); string(got) != "text" || err != nil {
		t.Errorf("a header with all fields: %q, %v", got, err)
	}
	// The checksum of a header follows its fields.
	sum := []byte("\x1f\x8b\x08\x02\x00\x00\x00\x00\x00\xff\x90\xc9")
	plain := compress(t, []byte("text"), 6)
	for _, c := range []struct {
		name   string
		member []byte
		want   error
	}{
		{"a checksum", append(sum, plain[10:]...), nil},
		{"a wrong checksum", append(sum[:11:11], append([]byte{0}, plain[10:]...)...), ErrHeader},
		{"a reserved flag", append([]byte{0x1f, 0x8b, 8, 0x80}, plain[4:]...), ErrHeader},
		{"another method", append([]byte{0x1f, 0x8b, 7}, plain[3:]...), ErrHeader},
		{"a long name", append([]byte("\x1f\x8b\x08\x08\x00\x00\x00\x00\x00\xff"), bytes.Repeat([]byte{'a'}, 1000)...), ErrHeader},
		{"nothing", nil, io.ErrUnexpectedEOF},
	} {
		if got, _, err := decompress(c.member, 16); err != c.want || err == nil && string(got) != "text" {
			t.Errorf("%s: %q, %v; want %v", c.name, got, err, c.want)
		}
	}
}

func TestChecksum(t *testing.T) {
	member := compress(t, []byte("text"), 6)
	for i := len(member) - 8; i < len(member); i++ {
		wrong := bytes.Clone(member)
		wrong[i] ^= 1
		if got, _, err := decompress(wrong, 16); string(got) != "text" || err != ErrChecksum {
			t.Errorf("byte %d: %q, %v", i, got, err)
		}
	}
}

func TestInputError(t *testing.T) {
	failed := errors.New("the disk is broken")
	member := compress(t, bytes.Repeat([]byte("text "), 1000), 6)
	for _, n := range []int{0, 5, 12, len(member) - 9, len(member) - 3} {
		in := bufio.NewReaderSize(io.MultiReader(bytes.NewReader(member[:n]), iotest.ErrReader(failed)), 16)
		var r Reader
		err := r.Reset(in)
		if err == nil {
			_, err = io.ReadAll(&r)
		}
		if err != failed {
			t.Errorf("after %d bytes: %v", n, err)
		}
	}
}

func TestAllocs(t *testing.T) {
	member := compress(t, bytes.Repeat([]byte("more and more text "), 10_000), 6)
	in, source := bufio.NewReader(nil), new(bytes.Reader)
	var r Reader
	room := make([]byte, 1<<20)
	n := testing.AllocsPerRun(10, func() {
		source.Reset(member)
		in.Reset(source)
		if err := r.Reset(in); err != nil {
			t.Fatal(err)
		}
		if _, err := io.ReadFull(&r, room); err != io.ErrUnexpectedEOF {
			t.Fatal(err)
		}
	})
	if n > 0 {
		t.Errorf("%g allocations for a member", n)
	}
}

// FuzzRead compares Reader with the standard library. What both refuse they may have read
// more or less of.
func FuzzRead(f *testing.F) {
	rng := rand.New(rand.NewPCG(1, 3))
	for _, level := range levels {
		f.Add(compress(f, madeUp(rng)[:0], level), 16)
		f.Add(compress(f, []byte("a text with a text in it, a text indeed"), level), 16)
		data := madeUp(rng)
		f.Add(compress(f, data[:min(len(data), 2000)], level), 100)
	}
	f.Fuzz(func(t *testing.T, member []byte, buffer int) {
		if len(member) > 3 && member[3]&0xE0 != 0 {
			return // the standard library ignores the reserved flags
		}
		got, _, err := decompress(member, 16+buffer&0xFFF)
		want, wantErr := reference(member)
		if (err == nil) != (wantErr == nil) || (err == ErrChecksum) != (wantErr == gzip.ErrChecksum) {
			t.Fatalf("error %v, want %v", err, wantErr)
		}
		if err == nil || err == ErrChecksum {
			if !bytes.Equal(got, want) {
				t.Fatalf("%d bytes, want %d", len(got), len(want))
			}
		} else if n := min(len(got), len(want)); !bytes.Equal(got[:n], want[:n]) {
			t.Fatal("other bytes before the error")
		}
	})
}

// BenchmarkRead decompresses real pages.
func BenchmarkRead(b *testing.B) {
	var members [][]byte
	pages := testkit.CorpusPages(b, 13, "wcxb")
	size := 0
	for _, p := range pages {
		members = append(members, compress(b, p, 6))
		size += len(p)
	}
	b.SetBytes(int64(size))
	in, source := bufio.NewReaderSize(nil, 1<<16), new(bytes.Reader)
	var r Reader
	for b.Loop() {
		for _, m := range members {
			source.Reset(m)
			in.Reset(source)
			if err := r.Reset(in); err != nil {
				b.Fatal(err)
			}
			if _, err := io.Copy(io.Discard, &r); err != nil {
				b.Fatal(err)
			}
		}
	}
}
