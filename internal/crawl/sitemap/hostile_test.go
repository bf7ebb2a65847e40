package sitemap

import (
	"compress/gzip"
	"errors"
	"io"
	"runtime"
	"strings"
	"testing"

	"github.com/lede-news/lede/internal/lab/testkit"
)

// endless repeats a text for ever, after a head.
type endless struct {
	head, text string
	n          int64 // bytes read
	at         int
}

func (e *endless) Read(p []byte) (int, error) {
	n := copy(p, e.head)
	e.head = e.head[n:]
	for n < len(p) {
		c := copy(p[n:], e.text[e.at:])
		n += c
		e.at = (e.at + c) % len(e.text)
	}
	e.n += int64(n)
	return n, nil
}

// TestBounds reads sitemaps that do not end. What is read and what is kept in memory
// at any time is bounded.
func TestBounds(t *testing.T) {
	limit := int64(4 << 20)
	if testkit.Step(2, 2) == 1 { // in the long form; TestBomb always reads that much
		limit = maxBytes
	}
	for _, test := range []struct {
		name, head, text string
		want             error
		entries          int
	}{
		{"entries", "<urlset>", "<url><loc>https://paper.example/a</loc></url>", ErrTooMany, maxEntries},
		{"list", "https://paper.example/a\n", "https://paper.example/abc\n", ErrTooMany, maxEntries},
		{"entries without addresses", "<urlset>", "<url><priority>0.5</priority></url>", ErrTooLarge, 0},
		{"text", "<urlset><url><loc>https://paper.example/a</loc></url><url><loc>", "x", ErrDamaged, 1},
		{"comment", "<urlset><url><loc>https://paper.example/a</loc></url><!--", "<x>", ErrDamaged, 1},
		{"attributes", "<urlset><url><loc>https://paper.example/a</loc></url><a ", "b='c' ", ErrDamaged, 1},
		{"nesting", "<urlset><url><loc>https://paper.example/a</loc>", "<a>", ErrTooLarge, 1},
		{"line", "https://paper.example/a\n" + strings.Repeat("https://paper.example/a\n", headSize/24), "x", ErrTooLarge, headSize/24 + 1},
		{"spaces before", "", " ", ErrNotSitemap, 0},
		{"gzip", "\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x03", "\x00\x00\x00\xff\xff", ErrTooLarge, 0}, // empty blocks
	} {
		r := &endless{head: test.head, text: test.text}
		n, most := 0, uint64(0)
		var before runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&before)
		err := read(r, base, limit, func(Entry) bool {
			if n++; n%10_000 == 0 {
				most = max(most, heapAfter(before))
			}
			return true
		})
		most = max(most, heapAfter(before))
		if !errors.Is(err, test.want) || n != test.entries {
			t.Errorf("%s: %d entries, %v; want %d, %v", test.name, n, err, test.entries, test.want)
		}
		if r.n > limit+headSize {
			t.Errorf("%s: %d bytes were read", test.name, r.n)
		}
		if most > 32<<20 {
			t.Errorf("%s: %d MB are in use", test.name, most>>20)
		}
	}
}

// heapAfter returns how much the heap has grown, garbage included.
func heapAfter(before runtime.MemStats) uint64 {
	var now runtime.MemStats
	runtime.ReadMemStats(&now)
	return uint64(max(0, int64(now.HeapInuse)-int64(before.HeapInuse)))
}

// TestBomb reads a gzip file that decompresses to far more than the limit.
func TestBomb(t *testing.T) {
	r, w := io.Pipe()
	defer r.Close()
	go func() {
		z := gzip.NewWriter(w)
		io.WriteString(z, "<urlset><url><loc>https://paper.example/a</loc></url>")
		spaces := []byte(strings.Repeat("<a>"+strings.Repeat(" ", 500), 2000))
		for {
			if _, err := z.Write(spaces); err != nil {
				return
			}
		}
	}()
	n := 0
	if err := Read(r, base, func(Entry) bool { n++; return true }); n != 1 || !errors.Is(err, ErrTooLarge) {
		t.Errorf("%d entries, %v", n, err)
	}
}

func FuzzRead(f *testing.F) {
	for _, s := range []string{
		head + `<url><loc>https://paper.example/a</loc><lastmod>2024-05-03</lastmod><news:news><news:title>T &amp; <![CDATA[t]]></news:title><news:publication_date>2024</news:publication_date></news:news><image:image><image:loc>/i</image:loc></image:image></url></urlset>`,
		`<SITEMAPINDEX><sitemap><loc>/a.xml?b&c</loc></sitemap>`, "https://paper.example/a\n#\nhttps://paper.example/b", "\xff\xfe<\x00u\x00", compress("<urlset><loc>/a"), compress(compress("https://a.example/")),
		"<urlset>< <<loc>a</loc", "junk<url><loc>/a</loc><!-- ]]> <![CDATA[", "<?xml version='1.0' encoding='koi8-r'?><urlset><loc>/\xc1</loc>",
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		n := 0
		err := Read(strings.NewReader(string(data)), base, func(e Entry) bool {
			n++
			switch {
			case !strings.HasPrefix(e.URL, "http://") && !strings.HasPrefix(e.URL, "https://"), len(e.URL) > maxURL, strings.ContainsAny(e.URL, "\r\n"):
				t.Errorf("address %q", e.URL)
			case strings.ContainsAny(e.Title, "\r\n"):
				t.Errorf("title %q", e.Title)
			}
			return true
		})
		switch {
		case err == nil, errors.Is(err, ErrDamaged), errors.Is(err, ErrTooLarge), errors.Is(err, ErrTooMany):
		case errors.Is(err, ErrNotSitemap):
			if n > 0 {
				t.Errorf("%d entries of %v", n, err)
			}
		default:
			t.Errorf("unexpected error %v", err)
		}
	})
}
