package site

import (
	"cmp"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
)

// The JSON form is for people to read and edit: it gives places and static rows
// in words. Rows and places of which only the hash is known are listed by how many
// pages have them.

const jsonVersion = 2 // 1 has no clues

type jsonProfile struct {
	Site      string         `json:"site"`
	Version   int            `json:"version"`
	Pages     int            `json:"pages"`
	Templates []jsonTemplate `json:"templates"`
	Seen      []string       `json:"seen,omitempty"`
}

type jsonTemplate struct {
	Pages      int                   `json:"pages"`
	Weight     float32               `json:"weight"`
	Stories    float32               `json:"stories"`
	Used       int                   `json:"used"`
	Unfamiliar int                   `json:"strangers,omitempty"`
	Habits     map[string][]jsonVote `json:"habits,omitempty"`
	Suffixes   []jsonVote            `json:"title_suffixes,omitempty"`
	Static     []jsonRow             `json:"static,omitempty"`
	Rows       map[string]string     `json:"rows,omitempty"`
	Kept       map[string]string     `json:"places_kept,omitempty"`
	Dropped    map[string]string     `json:"places_left,omitempty"`
	Clues      map[string]string     `json:"clues,omitempty"` // by the pages that have them and how much was kept
	Shapes     []string              `json:"shapes"`
}

type jsonVote struct {
	Name  string  `json:"name"`
	Pages float32 `json:"pages"`
}

type jsonRow struct {
	Key   string  `json:"key"`
	Pages float32 `json:"pages"`
	Text  string  `json:"text"`
}

// MarshalJSON returns the profile in a form that people can read and edit.
// Counts are rounded to a hundredth of a page.
func (p *Profile) MarshalJSON() ([]byte, error) {
	out := jsonProfile{Site: p.name, Version: jsonVersion, Pages: p.pages, Templates: []jsonTemplate{}}
	for _, t := range p.templates {
		out.Templates = append(out.Templates, t.toJSON())
	}
	for _, v := range p.seen {
		out.Seen = append(out.Seen, strings.TrimSpace(v.address.String()+" "+formatKeys(v.story)))
	}
	return json.Marshal(out)
}

// UnmarshalJSON decodes a profile that people may have edited. The error wraps
// ErrCorrupt and says what is wrong, or is ErrVersion.
func (p *Profile) UnmarshalJSON(b []byte) error {
	var in jsonProfile
	if err := json.Unmarshal(b, &in); err != nil {
		return fmt.Errorf("%w: %w", ErrCorrupt, err)
	}
	if in.Version > jsonVersion {
		return ErrVersion
	}
	if in.Pages < 0 || in.Pages > maxPages || len(in.Templates) > maxTemplates || len(in.Seen) > maxSeen {
		return fmt.Errorf("%w: %w", ErrCorrupt, errRange)
	}
	n := New(in.Site)
	n.pages = in.Pages
	for i := range in.Templates {
		t, err := in.Templates[i].template()
		if err != nil {
			return fmt.Errorf("%w: template %d: %w", ErrCorrupt, i+1, err)
		}
		n.templates = append(n.templates, t)
	}
	for _, s := range in.Seen {
		keys, err := parseKeys(s)
		if err != nil || len(keys) == 0 || len(keys) > maxStory+1 {
			return fmt.Errorf("%w: an entry of seen is unreadable", ErrCorrupt)
		}
		n.seen = append(n.seen, visit{keys[0], smallest(keys[1:], maxStory)})
	}
	*p = *n
	return nil
}

func (t *template) toJSON() jsonTemplate {
	out := jsonTemplate{
		Pages: t.pages, Weight: round(t.weight), Stories: round(t.stories), Used: t.used, Unfamiliar: t.unfamiliar,
		Suffixes: t.suffixes.toJSON(), Kept: t.kept.toJSON(nil), Dropped: t.dropped.toJSON(nil), Rows: t.rows.toJSON(t.words),
		Clues: t.clues.pairsToJSON(),
	}
	for r, v := range t.habits {
		if len(v) > 0 {
			if out.Habits == nil {
				out.Habits = map[string][]jsonVote{}
			}
			out.Habits[roleNames[r]] = v.toJSON()
		}
	}
	for _, k := range slices.Sorted(maps.Keys(t.words)) {
		out.Static = append(out.Static, jsonRow{k.String(), round(t.rows.get(k).count), t.words[k]})
	}
	for _, s := range t.shapes {
		var b []byte
		for _, v := range s {
			b = binary.BigEndian.AppendUint16(b, v)
		}
		out.Shapes = append(out.Shapes, hex.EncodeToString(b))
	}
	return out
}

func (v votes) toJSON() (out []jsonVote) {
	for _, o := range v {
		out = append(out, jsonVote{o.name, round(o.count)})
	}
	return out
}

// toJSON lists the keys by their counts, without those in words.
func (t table) toJSON(words map[key]string) map[string]string {
	lists := map[string][]key{}
	for _, e := range t {
		if _, ok := words[e.key]; !ok {
			n := strconv.FormatFloat(float64(round(e.count)), 'f', 2, 32)
			lists[n] = append(lists[n], e.key)
		}
	}
	out := make(map[string]string, len(lists))
	for n, keys := range lists {
		out[n] = formatKeys(keys)
	}
	return out
}

// pairsToJSON lists the keys by both counts.
func (t table) pairsToJSON() map[string]string {
	lists := map[string][]key{}
	for _, e := range t {
		n := fmt.Sprintf("%.2f %.2f", round(e.count), round(e.kept))
		lists[n] = append(lists[n], e.key)
	}
	out := make(map[string]string, len(lists))
	for n, keys := range lists {
		out[n] = formatKeys(keys)
	}
	return out
}

func round(f float32) float32 { return float32(math.Round(float64(min(f, maxCount))*100) / 100) }

// String returns the key in eight hexadecimal digits.
func (k key) String() string { return fmt.Sprintf("%08x", uint32(k)) }

func formatKeys(keys []key) string {
	list := make([]string, len(keys))
	for i, k := range keys {
		list[i] = k.String()
	}
	return strings.Join(list, " ")
}

var errRange = errors.New("a number is out of range")

// template validates what was read: people edit it, so neither the order nor the
// numbers can be relied on.
func (in *jsonTemplate) template() (*template, error) {
	t := &template{pages: in.Pages, weight: in.Weight, stories: in.Stories, used: in.Used, unfamiliar: in.Unfamiliar}
	if in.Pages < 0 || in.Used < 0 || in.Unfamiliar < 0 || in.Unfamiliar > redesignPages || !isCount(in.Weight) || !isCount(in.Stories) ||
		in.Pages > maxPages || in.Used > maxPages || len(in.Shapes) > maxShapes || len(in.Static) > maxWords {
		return nil, errRange
	}
	var err error
	if t.rows, err = parseTable(in.Rows); err != nil {
		return nil, err
	}
	for _, r := range in.Static {
		keys, err := parseKeys(r.Key)
		if err != nil || len(keys) != 1 || !isCount(r.Pages) {
			return nil, fmt.Errorf("static row %.40q is unreadable", r.Key)
		}
		t.rows = t.rows.merge(table{{key: keys[0], count: r.Pages}}, maxKeys)
		t.setWords(keys[0], clip(r.Text, maxSample))
	}
	t.rows = t.rows.truncate(maxKeys)
	if t.kept, err = parseTable(in.Kept); err != nil {
		return nil, err
	}
	if t.dropped, err = parseTable(in.Dropped); err != nil {
		return nil, err
	}
	t.kept, t.dropped = t.kept.truncate(maxKnownPlaces), t.dropped.truncate(maxKnownPlaces)
	if t.clues, err = parseTable(in.Clues); err != nil {
		return nil, err
	}
	t.clues = t.clues.truncate(maxKnownClues)
	for name, list := range in.Habits {
		r := slices.Index(roleNames[:], name)
		if r < 0 {
			return nil, fmt.Errorf("unknown habit %.40q", name)
		}
		if t.habits[r], err = parseVotes(list); err != nil {
			return nil, err
		}
	}
	if t.suffixes, err = parseVotes(in.Suffixes); err != nil {
		return nil, err
	}
	for _, s := range in.Shapes {
		b, err := hex.DecodeString(s)
		if err != nil || len(b) != 2*shapeSize {
			return nil, errors.New("a shape is unreadable")
		}
		var sh shape
		for i := range sh {
			sh[i] = binary.BigEndian.Uint16(b[2*i:])
		}
		t.shapes = append(t.shapes, sh)
	}
	return t, nil
}

func isCount(f float32) bool { return f >= 0 && f <= maxCount } // false for NaN

func parseVotes(list []jsonVote) (votes, error) {
	var v votes
	for _, o := range list {
		if !isCount(o.Pages) {
			return nil, errRange
		}
		v = v.count(vote{clip(o.Name, maxName), o.Pages})
	}
	return v.truncate(), nil
}

func parseTable(lists map[string]string) (table, error) {
	var t table
	for count, list := range lists {
		pages, part, _ := strings.Cut(count, " ")
		n, err := strconv.ParseFloat(pages, 32)
		if err != nil || !isCount(float32(n)) {
			return nil, errRange
		}
		var kept float64
		if part != "" {
			if kept, err = strconv.ParseFloat(part, 32); err != nil || !isCount(float32(kept)) || kept > n {
				return nil, errRange
			}
		}
		keys, err := parseKeys(list)
		if err != nil {
			return nil, err
		}
		for _, k := range keys {
			t = append(t, entry{k, float32(n), float32(kept)})
		}
	}
	slices.SortFunc(t, func(a, b entry) int { // of two counts the larger one is kept
		return cmp.Or(cmp.Compare(a.key, b.key), cmp.Compare(b.count, a.count))
	})
	return slices.CompactFunc(t, func(a, b entry) bool { return a.key == b.key }), nil
}

func parseKeys(s string) ([]key, error) {
	var keys []key
	for f := range strings.FieldsSeq(s) {
		k, err := strconv.ParseUint(f, 16, 32)
		if err != nil {
			return nil, fmt.Errorf("key %.40q is unreadable", f)
		}
		keys = append(keys, key(k))
	}
	return keys, nil
}
