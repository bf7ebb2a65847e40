package site

import (
	"encoding/hex"
	"encoding/json"
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
