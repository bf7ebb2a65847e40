package markup

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/html/atom"
)

// TestReadWord compares readWord with a loop.
func TestReadWord(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	const bytes = "az09`{/:-A \x00\xe1\xfa\xff=>"
	for range 200_000 {
		b := make([]byte, 9+rng.IntN(3))
		for i := range b {
			if b[i] = byte('a' + rng.IntN(26)); rng.IntN(4) == 0 {
				b[i] = bytes[rng.IntN(len(bytes))]
			}
		}
		want := 0
		for want < 8 && (b[want] >= 'a' && b[want] <= 'z' || b[want] >= '0' && b[want] <= '9') {
			want++
		}
		var word uint64
		for i, c := range b[:want] {
			word |= uint64(c) << (8 * i)
		}
		if got, length := readWord(string(b), 0); got != word || length != want {
			t.Fatalf("%q: %x of length %d, want %x of length %d", b, got, length, word, want)
		}
	}
	if _, length := readWord("the page ends", 5); length != 0 {
		t.Errorf("length %d at the end of a page, want 0", length)
	}
}

// TestWordTables checks that every word is found at its place, and nothing else is.
func TestWordTables(t *testing.T) {
	e := elements()
	names := []string{""}
	for _, element := range e.list[1:] {
		names = append(names, element.name)
	}
	for what, c := range map[string]struct {
		table *wordTable
		list  []string
	}{"elements": {e.words, names}, "attributes": {keyWords, commonKeys}} {
		if len(c.list) > 256 {
			t.Errorf("%d %s have no number of 8 bits", len(c.list), what)
		}
		for i, name := range c.list[1:] {
			word, length := readWord(name+strings.Repeat(" ", 9), 0)
			if got := c.table.find(word); length == len(name) && got != uint8(i+1) {
				t.Errorf("%s: %s is %d, want %d", what, name, got, i+1)
			}
			if slices.Index(c.list, name) != i+1 {
				t.Errorf("%s: %s is there twice", what, name)
			}
			word, length = readWord(name+"q        ", 0)
			if got := c.table.find(word); length == len(name)+1 && got != 0 && !slices.Contains(c.list, name+"q") {
				t.Errorf("%s: %sq is %s", what, name, c.list[got])
			}
		}
	}
	if slices.ContainsFunc(commonKeys, func(name string) bool { return strings.HasPrefix(name, "data-") }) {
		t.Error("a common key begins with data-, which Tree.key does not expect")
	}
	for k, name := range map[Key]string{
		AriaHidden: "aria-hidden", Class: "class", Hidden: "hidden", Href: "href", ID: "id", Open: "open",
		Popover: "popover", ShadowRoot: "shadowroot", ShadowRootMode: "shadowrootmode", Style: "style",
	} {
		if commonKeys[k] != name {
			t.Errorf("key %d is %s, want %s", k, commonKeys[k], name)
		}
	}
}

// TestNames checks that names are the same again.
func TestNames(t *testing.T) {
	var tree Tree
	list := slices.Concat(commonKeys[1:], []string{"x-card", "data-a", "CLASS", "a\x00"})
	for i := range 500 {
		list = append(list, strings.Repeat("x", i%7)+string(rune('a'+i)))
	}
	for range 2 {
		for _, name := range list {
			if got := tree.Key(tree.key(name)); got != name {
				t.Errorf("key %q, want %q", got, name)
			}
			if got := tree.name(tree.atom(name)); got != name {
				t.Errorf("name %q, want %q", got, name)
			}
		}
	}
	if a := tree.atom("div"); a != atom.Div {
		t.Errorf("div is %v", a)
	}
}
