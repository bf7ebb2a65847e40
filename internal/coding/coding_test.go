package coding

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/klauspost/compress/zstd"
)

const enough = 20 << 20

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

// Text that is no markup is known where the coding would have a magic number.
func TestPlainText(t *testing.T) {
	for _, text := range []string{"The bridge stays closed.", "(in brackets)", "\xff\xfe<\x00p\x00>\x00"} {
		for _, header := range []string{"gzip", "zstd", "zstd, gzip"} {
			if got, err := read(header, strings.NewReader(text), enough); err != nil || string(got) != text {
				t.Errorf("%q as %s: %q, %v", text, header, got, err)
			}
		}
	}
}

func TestNoBody(t *testing.T) {
	for _, header := range []string{"", "gzip", "deflate", "br", "zstd", "gzip, br", "unknown"} {
		if got, err := read(header, strings.NewReader(""), enough); err != nil || len(got) != 0 {
			t.Errorf("%s: %q, %v", header, got, err)
		}
	}
}

func TestBad(t *testing.T) {
	noise := bytes.Repeat([]byte("\x01\x02\x03\xff not compressed"), 20)
	damaged := func(name string) []byte {
		b := encode(t, story(300_000), name)
		for i := len(b) / 2; i < len(b)/2+200; i++ {
			b[i] ^= 0x55
		}
		return b
	}
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
		{"damaged gzip", "gzip", damaged("gzip")},
		{"damaged deflate", "deflate", damaged("deflate")},
		{"damaged br", "br", damaged("br")},
		{"damaged zstd", "zstd", damaged("zstd")},
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

// The error of the reader beneath is told as it is, whatever decoders make of it.
func TestBrokenReader(t *testing.T) {
	lost := errors.New("the line is dead")
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

// FuzzRead is that nothing a server sends does harm or gets past the limit.
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
