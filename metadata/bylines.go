package metadata

import (
	_ "embed"
	"slices"
	"strings"
	"sync"
)

//go:embed data/bylines.txt
var bylinesFile string

// vocabulary is the words of bylines.
type vocabulary struct {
	by     []string // the longest first
	and    map[string]bool
	role   map[string]bool
	nobody map[string]bool
}

var bylineWords = sync.OnceValue(func() vocabulary {
	v := vocabulary{and: map[string]bool{}, role: map[string]bool{}, nobody: map[string]bool{}}
	for row := range dataRows(bylinesFile) {
		kind, list, _ := strings.Cut(row, ":")
		for w := range strings.SplitSeq(list, ",") {
			w = strings.TrimSpace(w)
			switch kind {
			case "by":
				v.by = append(v.by, w)
			case "and":
				v.and[w] = true
			case "role":
				v.role[w] = true
			case "nobody":
				v.nobody[w] = true
			default:
				panic("metadata: bylines.txt: " + row)
			}
		}
	}
	slices.SortStableFunc(v.by, func(a, b string) int { return len(b) - len(a) })
	v.by = slices.Compact(v.by)
	return v
})
