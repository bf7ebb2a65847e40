package site

import (
	"cmp"
	"slices"
)

// votes counts the pages that have something under a name. Old pages count less.
type votes []vote

type vote struct {
	name  string
	count float32
}

const maxVotes = 8

// add fades the votes by a page and counts those of the new one.
func (v votes) add(names ...string) votes {
	for i := range v {
		v[i].count *= fade
	}
	for _, name := range names {
		v = v.count(vote{name, 1})
	}
	return v.cut()
}

func (v votes) count(n vote) votes {
	if n.name == "" {
		return v
	}
	if i := slices.IndexFunc(v, func(o vote) bool { return o.name == n.name }); i >= 0 {
		v[i].count += n.count
		return v
	}
	return append(v, n)
}

func (v votes) merge(u votes) votes {
	for _, n := range u {
		v = v.count(n)
	}
	return v.cut()
}

// cut keeps the names with the most votes, the first of them first.
func (v votes) cut() votes {
	v = slices.DeleteFunc(v, func(o vote) bool { return o.count < forgotten })
	slices.SortFunc(v, func(a, b vote) int {
		return cmp.Or(cmp.Compare(b.count, a.count), cmp.Compare(a.name, b.name))
	})
	return v[:min(len(v), maxVotes)]
}
