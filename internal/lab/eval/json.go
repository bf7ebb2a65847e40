package eval

import (
	"encoding/json"
	"io"
)

// jsonPages has the figures of a corpus or of a page.
type jsonPages struct {
	Corpus  string                    `json:"corpus"`
	ID      string                    `json:"id,omitempty"`     // of a page
	Pages   int                       `json:"pages,omitempty"`  // of a corpus
	Figures map[string]map[string]any `json:"figures"`          // by system and measure
	Errors  map[string]string         `json:"errors,omitempty"` // by system
}

// WriteJSON writes the figures of every corpus and of every page.
func (r *Result) WriteJSON(w io.Writer) error {
	var corpora, pages []jsonPages
	for _, rows := range r.byCorpus() {
		corpora = append(corpora, jsonPages{Corpus: rows[0].Corpus, Pages: len(rows), Figures: r.jsonFigures(func(s, m int) any {
			f := r.Figures(rows, s, m)
			if f.Pages == 0 {
				return nil
			}
			return map[string]any{"pages": f.Pages, "values": r.named(m, f.Values), "standard_errors": r.named(m, f.Errors)}
		})})
	}
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
	enc := json.NewEncoder(w)
	enc.SetIndent("", " ")
	return enc.Encode(map[string]any{"systems": r.Systems, "corpora": corpora, "pages": pages})
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
