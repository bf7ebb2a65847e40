package robots

import (
	"strings"
	"testing"
)

// BenchmarkHostile matches a long address with as many rules as fit into a file, none
// of which matches.
func BenchmarkHostile(b *testing.B) {
	text := "user-agent: *\n" + strings.Repeat("disallow:*a*b*c$\n", MaxBytes/17-1)
	path := "/" + strings.Repeat("abc", 700) + "d"
	r := Parse([]byte(text))
	for b.Loop() {
		r.Allowed("lede", path)
	}
}

func BenchmarkParse(b *testing.B) {
	text := []byte("user-agent: *\n" + strings.Repeat("disallow: /archive/*/print\nallow: /archive/\n", 100))
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		Parse(text)
	}
}
