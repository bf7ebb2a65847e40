package site

import "slices"

// fade is what the support of a page is worth after the next page: half after
// seven pages, an eighth after twenty.
const fade = 0.9

// forgotten is the support below which a key is dropped: that of a key that
// was seen once and not on the seven pages after.
const forgotten = 0.5

// table counts the pages that have a key, sorted by key. Old pages count less.
type table []entry

type entry struct {
	key   key
	count float32
}

// add fades the table by a page and counts the keys of the new one, in one
// pass over both. At most limit keys are kept, those with the most support.
func (t table) add(keys []key, limit int) table {
	out := make(table, 0, len(t)+len(keys))
	for len(t) > 0 || len(keys) > 0 {
		switch {
		case len(keys) == 0 || len(t) > 0 && t[0].key < keys[0]:
			if e := (entry{t[0].key, t[0].count * fade}); e.count >= forgotten {
				out = append(out, e)
			}
			t = t[1:]
		case len(t) == 0 || keys[0] < t[0].key:
			out = append(out, entry{keys[0], 1})
			keys = keys[1:]
		default:
			out = append(out, entry{keys[0], t[0].count*fade + 1})
			t, keys = t[1:], keys[1:]
		}
	}
	return out.cut(limit)
}

// merge adds up two tables.
func (t table) merge(u table, limit int) table {
	out := make(table, 0, len(t)+len(u))
	for len(t) > 0 || len(u) > 0 {
		switch {
		case len(u) == 0 || len(t) > 0 && t[0].key < u[0].key:
			out, t = append(out, t[0]), t[1:]
		case len(t) == 0 || u[0].key < t[0].key:
			out, u = append(out, u[0]), u[1:]
		default:
			out = append(out, entry{t[0].key, t[0].count + u[0].count})
			t, u = t[1:], u[1:]
		}
	}
	return out.cut(limit)
}

// cut keeps the keys with the most support; of those with the same, the
// smaller ones.
func (t table) cut(limit int) table {
	if len(t) <= limit {
		return t
	}
	counts := make([]float32, len(t))
	for i, e := range t {
		counts[i] = e.count
	}
	slices.Sort(counts)
	least := counts[len(t)-limit]
	room := limit // for keys with just the least
	for _, c := range counts[len(t)-limit:] {
		if c > least {
			room--
		}
	}
	out := make(table, 0, limit)
	for _, e := range t {
		switch {
		case e.count > least:
			out = append(out, e)
		case e.count == least && room > 0:
			out = append(out, e)
			room--
		}
	}
	return out
}

// get is the support of a key. Keys are spread evenly, so that a guess at the
// index is hardly ever more than a few entries off.
func (t table) get(k key) float32 {
	i := int(uint64(k) * uint64(len(t)) >> 32)
	for i > 0 && (i >= len(t) || t[i].key > k) {
		i--
	}
	for i < len(t) && t[i].key < k {
		i++
	}
	if i < len(t) && t[i].key == k {
		return t[i].count
	}
	return 0
}
