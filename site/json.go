package site

import (
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

// The JSON form is for people: it says in words where things stand and what is
// static, and may be edited. Rows and places that are known by their hash alone
// stand in lists, by how many pages have them.

type jsonProfile struct {
	Site      string         `json:"site"`
	Version   int            `json:"version"`
	Pages     int            `json:"pages"`
	Templates []jsonTemplate `json:"templates"`
	Seen      []string       `json:"seen,omitempty"`
}

type jsonTemplate struct {
	Pages    int                   `json:"pages"`
	Weight   float32               `json:"weight"`
	Stories  float32               `json:"stories"`
	Used     int                   `json:"used"`
	Strange  int                   `json:"strangers,omitempty"`
	Habits   map[string][]jsonVote `json:"habits,omitempty"`
	Suffixes []jsonVote            `json:"title_suffixes,omitempty"`
	Static   []jsonRow             `json:"static,omitempty"`
	Rows     map[string]string     `json:"rows,omitempty"`
	Kept     map[string]string     `json:"places_kept,omitempty"`
	Left     map[string]string     `json:"places_left,omitempty"`
	Shapes   []string              `json:"shapes"`
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

// MarshalJSON writes the profile for people. Counts are rounded to a hundredth
// of a page.
func (p *Profile) MarshalJSON() ([]byte, error) {
	out := jsonProfile{Site: p.name, Version: version, Pages: p.pages, Templates: []jsonTemplate{}}
	for _, t := range p.templates {
		out.Templates = append(out.Templates, t.toJSON())
	}
	for _, v := range p.seen {
		out.Seen = append(out.Seen, strings.TrimSpace(v.address.String()+" "+spell(v.story)))
	}
	return json.Marshal(out)
}

// UnmarshalJSON reads what MarshalJSON wrote, and people may have edited. The
// error is ErrCorrupt, with what is wrong, or ErrVersion.
func (p *Profile) UnmarshalJSON(b []byte) error {
	var in jsonProfile
	if err := json.Unmarshal(b, &in); err != nil {
		return fmt.Errorf("%w: %w", ErrCorrupt, err)
	}
	if in.Version > version {
		return ErrVersion
	}
	if in.Pages < 0 || in.Pages > maxPages || len(in.Templates) > maxTemplates || len(in.Seen) > maxSeen {
		return fmt.Errorf("%w: a number is out of range", ErrCorrupt)
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
		keys, err := unspell(s)
		if err != nil || len(keys) == 0 || len(keys) > maxStory+1 {
			return fmt.Errorf("%w: a page that was seen is unreadable", ErrCorrupt)
		}
		n.seen = append(n.seen, visit{keys[0], distinct(keys[1:], maxStory)})
	}
	*p = *n
	return nil
}

func (t *template) toJSON() jsonTemplate {
	out := jsonTemplate{
		Pages: t.pages, Weight: round(t.weight), Stories: round(t.stories), Used: t.used, Strange: t.strangers,
		Suffixes: t.suffixes.toJSON(), Kept: t.kept.toJSON(nil), Left: t.left.toJSON(nil), Rows: t.rows.toJSON(t.words),
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
		out.Static = append(out.Static, jsonRow{k.String(), round(t.rows.get(k)), t.words[k]})
	}
	for _, s := range t.shapes {
		var b []byte
		for _, v := range s {
			b = append(b, byte(v>>8), byte(v))
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

// toJSON lists the keys by their counts, but for those in words.
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
		out[n] = spell(keys)
	}
	return out
}

func round(f float32) float32 { return float32(math.Round(float64(min(f, maxCount))*100) / 100) }

// String is the key in eight hexadecimal digits.
func (k key) String() string { return fmt.Sprintf("%08x", uint32(k)) }

func spell(keys []key) string {
	var b strings.Builder
	for i, k := range keys {
		if i > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(k.String())
	}
	return b.String()
}

var errRange = errors.New("a number is out of range")

// template makes a template of what was read. People edit it, so that order and
// numbers are not taken on trust.
func (in *jsonTemplate) template() (*template, error) {
	t := &template{pages: in.Pages, weight: in.Weight, stories: in.Stories, used: in.Used, strangers: in.Strange}
	if in.Pages < 0 || in.Used < 0 || in.Strange < 0 || in.Strange > redesign || !isCount(in.Weight) || !isCount(in.Stories) ||
		in.Pages > maxPages || in.Used > maxPages || len(in.Shapes) > maxShapes || len(in.Static) > maxWords {
		return nil, errRange
	}
	var err error
	if t.rows, err = readTable(in.Rows); err != nil {
		return nil, err
	}
	for _, r := range in.Static {
		keys, err := unspell(r.Key)
		if err != nil || len(keys) != 1 || !isCount(r.Pages) {
			return nil, fmt.Errorf("static row %.40q is unreadable", r.Key)
		}
		t.rows = t.rows.merge(table{{keys[0], r.Pages}}, maxKeys)
		if t.words == nil {
			t.words = map[key]string{}
		}
		t.words[keys[0]] = clip(r.Text, maxSample)
	}
	t.rows = t.rows.cut(maxKeys)
	if t.kept, err = readTable(in.Kept); err != nil {
		return nil, err
	}
	if t.left, err = readTable(in.Left); err != nil {
		return nil, err
	}
	t.kept, t.left = t.kept.cut(maxKnownPlaces), t.left.cut(maxKnownPlaces)
	for name, list := range in.Habits {
		r := slices.Index(roleNames[:], name)
		if r < 0 {
			return nil, fmt.Errorf("unknown habit %.40q", name)
		}
		if t.habits[r], err = readVotes(list); err != nil {
			return nil, err
		}
	}
	if t.suffixes, err = readVotes(in.Suffixes); err != nil {
		return nil, err
	}
	for _, s := range in.Shapes {
		b, err := hex.DecodeString(s)
		if err != nil || len(b) != 2*shapeSize {
			return nil, errors.New("a shape is unreadable")
		}
		var sh shape
		for i := range sh {
			sh[i] = uint16(b[2*i])<<8 | uint16(b[2*i+1])
		}
		t.shapes = append(t.shapes, sh)
	}
	return t, nil
}

func isCount(f float32) bool { return f >= 0 && f <= maxCount } // false for NaN

func readVotes(list []jsonVote) (votes, error) {
	var v votes
	for _, o := range list {
		if !isCount(o.Pages) {
			return nil, errRange
		}
		v = v.count(vote{clip(o.Name, maxName), o.Pages})
	}
	return v.cut(), nil
}

func readTable(lists map[string]string) (table, error) {
	var t table
	for count, list := range lists {
		n, err := strconv.ParseFloat(count, 32)
		if err != nil || !isCount(float32(n)) {
			return nil, errRange
		}
		keys, err := unspell(list)
		if err != nil {
			return nil, err
		}
		for _, k := range keys {
			t = append(t, entry{k, float32(n)})
		}
	}
	slices.SortFunc(t, func(a, b entry) int {
		if a.key == b.key && a.count > b.count {
			return -1 // the larger of two counts is kept
		}
		return compare(a.key, b.key)
	})
	return slices.CompactFunc(t, func(a, b entry) bool { return a.key == b.key }), nil
}

func unspell(s string) ([]key, error) {
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
