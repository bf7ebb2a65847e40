package coding

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"runtime"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/flate"
	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zlib"
	"github.com/klauspost/compress/zstd"
)

const enough = 20 << 20 // a limit that no body exceeds

func TestRead(t *testing.T) {
	want := story(300_000)
	for _, test := range []struct {
		name, header string
		body         []byte
	}{
		{"none", "", want},
		{"identity", "identity", want},
		{"gzip", "gzip", encode(t, want, "gzip")},
		{"x-gzip", "X-GZIP", encode(t, want, "gzip")},
		{"deflate", "deflate", encode(t, want, "deflate")},
		{"deflate raw", "deflate", encode(t, want, "deflate raw")},
		{"gzip as deflate", "deflate", encode(t, want, "gzip")},
		{"br", "br", encode(t, want, "br")},
		{"zstd", "zstd", encode(t, want, "zstd")},
		{"chain", "gzip, br", encode(t, want, "gzip", "br")},
		{"chain of all", "deflate,gzip, identity,, zstd ,br", encode(t, want, "deflate", "gzip", "zstd", "br")},
		{"gzip members", "gzip", append(encode(t, want[:1000], "gzip"), encode(t, want[1000:], "gzip")...)},
		{"empty members", "gzip", append(bytes.Repeat(encode(t, nil, "gzip"), 500), encode(t, want, "gzip")...)},
		{"zstd frames", "zstd", append(encode(t, want[:1000], "zstd"), encode(t, want[1000:], "zstd")...)},
		{"zstd after a skippable frame", "zstd", append([]byte("\x5d\x2a\x4d\x18\x02\x00\x00\x00ab"), encode(t, want, "zstd")...)},
		{"gzip with a newline after it", "gzip", append(encode(t, want, "gzip"), '\n')},
		{"gzip with zeros after it", "gzip", append(encode(t, want, "gzip"), make([]byte, 600)...)},
		{"plain as gzip", "gzip", want},
		{"plain as deflate", "deflate", want},
		{"plain as br", "br", want},
		{"plain as zstd", "zstd", want},
		{"plain as unknown", "utf-8", want},
		{"plain within gzip as br", "br, gzip", encode(t, want, "gzip")},
	} {
		t.Run(test.name, func(t *testing.T) {
			for _, in := range []io.Reader{bytes.NewReader(test.body), iotest.HalfReader(bytes.NewReader(test.body))} {
				if got, err := read(test.header, in, enough); err != nil || !bytes.Equal(got, want) {
					t.Errorf("%d bytes, %v; want %d", len(got), err, len(want))
				}
			}
		})
	}
	several := http.Header{"Content-Encoding": {"gzip", "br"}}
	if got, err := Read(bytes.NewReader(encode(t, want, "gzip", "br")), several, 1<<40, NewLimit(enough)); err != nil || !bytes.Equal(got, want) {
		t.Errorf("two fields: %d bytes, %v", len(got), err)
	}
}

// TestPlainText checks that text is recognized if the coding has a magic number.
func TestPlainText(t *testing.T) {
	for _, text := range []string{"The bridge stays closed.", "(in brackets)", "\xff\xfe<\x00p\x00>\x00"} {
		for _, header := range []string{"gzip", "zstd", "zstd, gzip"} {
			if got, err := read(header, strings.NewReader(text), enough); err != nil || string(got) != text {
				t.Errorf("%q as %s: %q, %v", text, header, got, err)
			}
		}
	}
}

func TestBad(t *testing.T) {
	noise := bytes.Repeat([]byte("\x01\x02\x03\xff not compressed"), 20)
	var wide bytes.Buffer
	z, err := zstd.NewWriter(&wide, zstd.WithWindowSize(64<<20), zstd.WithEncoderConcurrency(1))
	if err != nil {
		t.Fatal(err)
	}
	z.Write(story(1 << 20))
	z.Flush()
	z.Write(story(1 << 20))
	z.Close()
	for _, test := range []struct {
		name, header string
		body         []byte
	}{
		{"unknown", "compress", []byte("\x1f\x9d\x90")},
		{"unknown among known", "sdch, gzip", encode(t, noise, "gzip")},
		{"too many", "gzip,gzip,gzip,gzip,gzip", story(1000)},
		{"noise as gzip", "gzip", noise},
		{"noise as br", "br", noise},
		{"noise as zstd", "zstd", noise},
		{"noise as deflate", "deflate", noise},
		{"gzip as zstd", "zstd", encode(t, noise, "gzip")},
		{"zstd as gzip", "gzip", encode(t, noise, "zstd")},
		{"zstd with a window over 8 MiB", "zstd", wide.Bytes()},
		{"noise within gzip as br", "br, gzip", encode(t, noise, "gzip")},
	} {
		_, err := read(test.header, bytes.NewReader(test.body), enough)
		if err == nil || errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, ErrTooLarge) {
			t.Errorf("%s: %v", test.name, err)
		}
	}
}

func TestTruncated(t *testing.T) {
	want := story(600_000)
	for _, name := range []string{"gzip", "deflate", "deflate raw", "br", "zstd"} {
		whole := encode(t, want, name)
		header, _, _ := strings.Cut(name, " ")
		for _, cut := range []int{1, 5, len(whole) / 2, len(whole) - 1} {
			t.Run(fmt.Sprintf("%s after %d", name, cut), func(t *testing.T) {
				got, err := read(header, bytes.NewReader(whole[:cut]), enough)
				if !errors.Is(err, io.ErrUnexpectedEOF) || !bytes.HasPrefix(want, got) {
					t.Errorf("%v, %d bytes", err, len(got))
				}
				if cut == len(whole)/2 && len(got) < 100_000 {
					t.Errorf("only %d bytes of half a body", len(got))
				}
			})
		}
	}
}

// TestDamaged checks that what comes before damage is returned, and that all is if only the
// checksum is wrong.
func TestDamaged(t *testing.T) {
	want := story(600_000)
	for _, name := range []string{"gzip", "deflate", "br", "zstd"} {
		damaged := encode(t, want, name)
		for i := len(damaged) / 2; i < len(damaged)/2+200; i++ {
			damaged[i] ^= 0x55
		}
		got, err := read(name, bytes.NewReader(damaged), enough)
		if !errors.Is(err, io.ErrUnexpectedEOF) || len(got) < 100_000 || !bytes.HasPrefix(want, got[:100_000]) {
			t.Errorf("%s: %v, %d bytes", name, err, len(got))
		}
	}
	for _, name := range []string{"gzip", "deflate"} {
		sum := encode(t, want, name)
		sum[len(sum)-1] ^= 0x55 // of the checksum, or of the length after it
		if got, err := read(name, bytes.NewReader(sum), enough); !errors.Is(err, io.ErrUnexpectedEOF) || !bytes.Equal(got, want) {
			t.Errorf("%s with a wrong checksum: %v, %d bytes", name, err, len(got))
		}
	}
}

// TestBrokenReader checks that errors of the underlying reader are returned unchanged.
func TestBrokenReader(t *testing.T) {
	lost := errors.New("connection lost")
	for _, name := range []string{"gzip", "deflate", "br", "zstd"} {
		whole := encode(t, story(300_000), name)
		for _, n := range []int{0, 3, len(whole) / 2} {
			in := io.MultiReader(bytes.NewReader(whole[:n]), iotest.ErrReader(lost))
			if _, err := read(name, in, enough); err != lost {
				t.Errorf("%s after %d bytes: %v", name, n, err)
			}
		}
	}
}

// FuzzRead checks that no input exceeds the limit.
func FuzzRead(f *testing.F) {
	page := story(2000)
	for _, header := range []string{"gzip", "deflate", "br", "zstd", "gzip, br"} {
		f.Add(header, encode(f, page, strings.Split(header, ", ")...))
		f.Add(header, page)
	}
	f.Fuzz(func(t *testing.T, header string, sent []byte) {
		if got, _ := read(header, bytes.NewReader(sent), 1<<16); len(got) > 1<<16 {
			t.Errorf("%d bytes", len(got))
		}
	})
}

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

func TestBombs(t *testing.T) {
	const most = 1 << 20
	for _, names := range []string{"gzip", "deflate", "deflate raw", "br", "zstd", "gzip, gzip", "br, gzip", "zstd, gzip", "gzip, gzip, gzip, gzip"} {
		t.Run(names, func(t *testing.T) {
			// Encoded beforehand, so that only Read is measured.
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
			// All buffers up to the limit, and a window of 8 MiB.
			if used := after.TotalAlloc - before.TotalAlloc; used > 24<<20 {
				t.Errorf("%d MiB allocated for a limit of %d MiB", used>>20, most>>20)
			}
		})
	}
}

// TestBombInChain reads bombs whose final output is small.
func TestBombInChain(t *testing.T) {
	for header, body := range map[string][]byte{
		"zstd, gzip": encode(t, make([]byte, 16<<20), "zstd", "gzip"),
		"gzip, gzip": encode(t, bytes.Repeat(encode(t, nil, "gzip"), 1<<17), "gzip"),
	} {
		if _, err := read(header, bytes.NewReader(body), 1<<20); !errors.Is(err, ErrTooLarge) {
			t.Errorf("%s: %v, want %v", header, err, ErrTooLarge)
		}
	}
}

// encode applies codings by name. The name "deflate raw" means deflate without the
// zlib header.
func encode(t testing.TB, data []byte, names ...string) []byte {
	t.Helper()
	for _, name := range names {
		var out bytes.Buffer
		var w io.WriteCloser
		var err error
		switch name {
		case "gzip":
			w = gzip.NewWriter(&out)
		case "deflate":
			w = zlib.NewWriter(&out)
		case "deflate raw":
			w, err = flate.NewWriter(&out, flate.DefaultCompression)
		case "br":
			w = brotli.NewWriterLevel(&out, brotli.BestSpeed)
		case "zstd":
			w, err = zstd.NewWriter(&out, zstd.WithEncoderConcurrency(1), zstd.WithWindowSize(1<<20))
		default:
			t.Fatalf("no encoder for %s", name)
		}
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write(data); err != nil {
			t.Fatal(err)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		data = out.Bytes()
	}
	return data
}

// story returns n bytes of text that compresses moderately.
func story(n int) []byte {
	r := rand.New(rand.NewPCG(1, 2))
	var b bytes.Buffer
	for b.Len() < n {
		fmt.Fprintf(&b, "<p>Paragraph %d of the story.</p>\n", r.Uint32())
	}
	return b.Bytes()[:n]
}

// read reads a body with a Content-Encoding header.
func read(header string, sent io.Reader, most int64) ([]byte, error) {
	limit := NewLimit(most)
	return Read(limit.Reader(sent), http.Header{"Content-Encoding": {header}}, -1, limit)
}
