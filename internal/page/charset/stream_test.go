package charset

import (
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/unicode"
)

// TestLists decodes feeds and sitemaps as a whole and as streams.
func TestLists(t *testing.T) {
	const russian, german = "Мэр и городской совет договорились о бюджете", "Bürgermeister grüßt schöne Städte"
	for _, test := range []struct {
		name, title, declared, header string
		enc                           encoding.Encoding
	}{
		{"UTF-8", russian, "utf-8", "", encoding.Nop},
		{"UTF-8, but declares another", russian, "koi8-r", "iso-8859-1", encoding.Nop},
		{"as declared", russian, "windows-1251", "", charmap.Windows1251},
		{"as in the header", russian, "utf-8", "koi8-r", charmap.KOI8R},
		{"the header is the default of servers", russian, "koi8-r", "iso-8859-1", charmap.KOI8R},
		{"declares UTF-8 wrongly", german, "utf-8", "utf-8", charmap.Windows1252},
		{"UTF-16 without a mark", russian, "utf-16", "", unicode.UTF16(unicode.LittleEndian, unicode.IgnoreBOM)},
		{"UTF-16", russian, "utf-8", "utf-8", unicode.UTF16(unicode.BigEndian, unicode.UseBOM)},
		{"mark of UTF-8", russian, "koi8-r", "koi8-r", unicode.UTF8BOM},
	} {
		text := `<?xml version="1.0" encoding="` + test.declared + `"?><urlset><url><loc>https://paper.example/some-long-address</loc></url><title>` + test.title + `</title></urlset>`
		data, err := test.enc.NewEncoder().String(text)
		if err != nil {
			t.Fatal(err)
		}
		whole, _, err := DecodeList([]byte(data), Hints{Header: test.header})
		if string(whole) != text || err != nil {
			t.Errorf("%s: %q, %v", test.name, whole, err)
		}
		r, err := NewListReader(iotest.OneByteReader(strings.NewReader(data)), test.header)
		if err != nil {
			t.Errorf("%s: %v", test.name, err)
			continue
		}
		if stream, err := io.ReadAll(r); string(stream) != text || err != nil {
			t.Errorf("%s as a stream: %q, %v", test.name, stream, err)
		}
	}
}

func TestListReader(t *testing.T) {
	if _, err := NewListReader(strings.NewReader(""), ""); err != io.EOF {
		t.Error(err)
	}
	broken := errors.New("broken")
	r, err := NewListReader(io.MultiReader(strings.NewReader("abc"), iotest.ErrReader(broken)), "")
	if err != nil {
		t.Fatal(err)
	}
	if text, err := io.ReadAll(r); string(text) != "abc" || err != broken {
		t.Errorf("%q, %v", text, err)
	}
	// Bytes that are no text are replaced, also after the beginning.
	long := strings.Repeat("é", headSize)
	if r, err = NewListReader(strings.NewReader(long+"\xff\xfe"), ""); err != nil {
		t.Fatal(err)
	}
	if text, err := io.ReadAll(r); string(text) != long+"\uFFFD\uFFFD" || err != nil {
		t.Errorf("%q, %v", text[max(0, len(text)-10):], err)
	}
}
