package eval

import (
	"encoding/json"
	"io"
)

// named has figures by their names.
type named map[string]float64

func newNamed(names []string, values []float64) named {
	out := named{}
	for i, name := range names {
		out[name] = values[i]
	}
	return out
}

// jsonFigures has figures by system and measure.
type jsonFigures map[string]map[string]any

type jsonGroup struct {
	Corpus  string      `json:"corpus"`
	Key     string      `json:"key,omitempty"`
	Pages   int         `json:"pages"`
	Figures jsonFigures `json:"figures"`
}

type jsonPage struct {
	Corpus  string            `json:"corpus"`
	ID      string            `json:"id"`
	Figures jsonFigures       `json:"figures"`
	Errors  map[string]string `json:"errors,omitempty"`
}

// WriteJSON writes the figures of every corpus, of every page and, unless by is
// empty, of every group.
func (r *Result) WriteJSON(w io.Writer, by string) error {
	var out struct {
		Systems []string    `json:"systems"`
		Corpora []jsonGroup `json:"corpora"`
		Groups  []jsonGroup `json:"groups,omitempty"`
		Pages   []jsonPage  `json:"pages"`
	}
	out.Systems, out.Corpora = r.Systems, r.jsonGroups("")
	if by != "" {
		out.Groups = r.jsonGroups(by)
	}
	for _, row := range r.Rows {
		p := jsonPage{Corpus: row.Corpus, ID: row.ID, Errors: map[string]string{}}
		p.Figures = r.jsonFigures(func(s, m int) any {
			if v := row.Sums[s][m]; v != nil {
				return newNamed(r.Measures[m].Figures, r.Measures[m].Total(v))
			}
			return nil
		})
		for s, err := range row.Errors {
			if err != "" {
				p.Errors[r.Systems[s]] = err
			}
		}
		out.Pages = append(out.Pages, p)
	}
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", " ")
	return enc.Encode(out)
}

func (r *Result) jsonGroups(by string) (all []jsonGroup) {
	for _, g := range r.Group(by) {
		all = append(all, jsonGroup{g.Corpus, g.Key, len(g.Rows), r.jsonFigures(func(s, m int) any {
			f := r.Figures(g.Rows, s, m)
			if f.Pages == 0 {
				return nil
			}
			names := r.Measures[m].Figures
			return map[string]any{"pages": f.Pages, "values": newNamed(names, f.Values), "standard_errors": newNamed(names, f.Errors)}
		})})
	}
	return all
}

// jsonFigures calls of for every system and measure; nil is left out.
func (r *Result) jsonFigures(of func(system, m int) any) jsonFigures {
	out := jsonFigures{}
	for s, system := range r.Systems {
		out[system] = map[string]any{}
		for i, m := range r.Measures {
			if x := of(s, i); x != nil {
				out[system][m.Name] = x
			}
		}
	}
	return out
}
