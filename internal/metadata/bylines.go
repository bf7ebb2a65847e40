package metadata

import (
	_ "embed"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"
)

//go:embed data/bylines.txt
var bylinesFile string

// vocabulary is the words of bylines.
type vocabulary struct {
	by     []string        // the longest first
	spoken map[string]bool // of these, those that need no markup
	first  map[string]bool // the first words of by
	and    map[string]bool
	role   map[string]bool
	nobody map[string]bool
	path   map[string]bool

	sieve    sieve     // of first
	initial  [256]bool // whether one word that is spoken may begin with this byte, in any case
	longPath int       // bytes of the longest of path
}

var bylineWords = sync.OnceValue(func() *vocabulary {
	v := &vocabulary{and: map[string]bool{}, role: map[string]bool{}, nobody: map[string]bool{}, path: map[string]bool{}, spoken: map[string]bool{}, first: map[string]bool{}}
	for row := range dataRows(bylinesFile) {
		kind, list, _ := strings.Cut(row, ":")
		for w := range strings.SplitSeq(list, ",") {
			w = strings.TrimSpace(w)
			switch kind {
			case "by":
				v.by = append(v.by, w)
			case "spoken":
				v.by, v.spoken[w] = append(v.by, w), true
				if !strings.Contains(w, " ") {
					v.initial[w[0]], v.initial[w[0]&^0x20] = true, true
				}
			case "and":
				v.and[w] = true
			case "role":
				v.role[w] = true
			case "nobody":
				v.nobody[w] = true
			case "path":
				v.path[w] = true
				v.longPath = max(v.longPath, len(w))
			default:
				panic("metadata: bylines.txt: " + row)
			}
		}
	}
	for c := utf8.RuneSelf; c < len(v.initial); c++ {
		v.initial[c] = true // the letters of other scripts have no cases in one byte
	}
	slices.SortStableFunc(v.by, func(a, b string) int { return len(b) - len(a) })
	v.by = slices.Compact(v.by)
	for _, w := range v.by {
		word, _, _ := strings.Cut(w, " ")
		v.first[word] = true
		v.sieve.add(word)
	}
	return v
})
