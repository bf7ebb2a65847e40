package eval

import (
	"encoding/json"
	"io"
)

// jsonPages has the figures of a page or of a group of pages.
type jsonPages struct {
	Corpus  string                    `json:"corpus"`
	Key     string                    `json:"key,omitempty"`    // of a group
	ID      string                    `json:"id,omitempty"`     // of a page
	Pages   int                       `json:"pages,omitempty"`  // of a group
	Figures map[string]map[string]any `json:"figures"`          // by system and measure
	Errors  map[string]string         `json:"errors,omitempty"` // by system
}

// WriteJSON writes the figures of every corpus, of every page and, unless by is
// empty, of every group.
func (r *Result) WriteJSON(w io.Writer, by string) error {
	var pages []jsonPages
	for _, row := range r.Rows {
		p := jsonPages{Corpus: row.Corpus, ID: row.ID, Errors: map[string]string{}}
		p.Figures = r.jsonFigures(func(s, m int) any {
			if v := row.Sums[s][m]; v != nil {
				return r.named(m, r.Measures[m].Total(v))
			}
			return nil
		})
		for s, err := range row.Errors {
			if err != "" {
				p.Errors[r.Systems[s]] = err
			}
		}
		pages = append(pages, p)
	}
	out := map[string]any{"systems": r.Systems, "corpora": r.jsonGroups(""), "pages": pages}
	if by != "" {
		out["groups"] = r.jsonGroups(by)
	}
	enc := json.NewEncoder(w)
	enc.SetIndent("", " ")
	return enc.Encode(out)
}

func (r *Result) jsonGroups(by string) (all []jsonPages) {
	for _, g := range r.Group(by) {
		all = append(all, jsonPages{Corpus: g.Corpus, Key: g.Key, Pages: len(g.Rows), Figures: r.jsonFigures(func(s, m int) any {
			f := r.Figures(g.Rows, s, m)
			if f.Pages == 0 {
				return nil
			}
			return map[string]any{"pages": f.Pages, "values": r.named(m, f.Values), "standard_errors": r.named(m, f.Errors)}
		})})
	}
	return all
}

// named returns figures of a measure by their names.
func (r *Result) named(m int, values []float64) map[string]float64 {
	out := map[string]float64{}
	for i, name := range r.Measures[m].Figures {
		out[name] = values[i]
	}
	return out
}

// jsonFigures calls of for every system and measure; nil is left out.
func (r *Result) jsonFigures(of func(system, m int) any) map[string]map[string]any {
	out := map[string]map[string]any{}
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
