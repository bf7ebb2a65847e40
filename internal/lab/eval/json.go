package eval

import (
	"encoding/json"
	"io"
)

// WriteJSON writes the figures of every corpus, of every page and, unless by is
// empty, of every group.
func (r *Result) WriteJSON(w io.Writer, by string) error {
	out := jsonResult{Systems: r.Systems}
	for _, m := range r.Measures {
		out.Measures = append(out.Measures, jsonMeasure{m.Name, m.About, m.Figures})
	}
	for _, c := range r.group("") {
		out.Corpora = append(out.Corpora, r.jsonGroup(c))
	}
	if by != "" {
		groups, err := r.Group(by)
		if err != nil {
			return err
		}
		for _, g := range groups {
			out.Groups = append(out.Groups, r.jsonGroup(g))
		}
	}
	for _, row := range r.Rows {
		out.Pages = append(out.Pages, r.jsonPage(row))
	}
	for _, p := range r.Problems {
		out.Problems = append(out.Problems, p.Error())
	}
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", " ")
	return enc.Encode(out)
}

type jsonResult struct {
	Systems  []string      `json:"systems"`
	Measures []jsonMeasure `json:"measures"`
	Corpora  []jsonGroup   `json:"corpora"`
	Groups   []jsonGroup   `json:"groups,omitempty"`
	Pages    []jsonPage    `json:"pages"`
	Problems []string      `json:"problems,omitempty"`
}

type jsonMeasure struct {
	Name    string   `json:"name"`
	About   string   `json:"about"`
	Figures []string `json:"figures"`
}

// jsonGroup has figures by system and measure.
type jsonGroup struct {
	Corpus  string                            `json:"corpus"`
	Key     string                            `json:"key,omitempty"`
	Pages   int                               `json:"pages"`
	Figures map[string]map[string]jsonFigures `json:"figures"`
}

type jsonFigures struct {
	Pages  int                `json:"pages"`
	Values map[string]float64 `json:"values"`
	Errors map[string]float64 `json:"standard_errors"`
}

type jsonPage struct {
	Corpus  string                                   `json:"corpus"`
	ID      string                                   `json:"id"`
	URL     string                                   `json:"url,omitempty"`
	Site    string                                   `json:"site,omitempty"`
	Lang    string                                   `json:"lang,omitempty"`
	Type    string                                   `json:"type,omitempty"`
	Year    string                                   `json:"year,omitempty"`
	Figures map[string]map[string]map[string]float64 `json:"figures"`
	Errors  map[string]string                        `json:"errors,omitempty"`
}

func (r *Result) jsonGroup(g Group) jsonGroup {
	out := jsonGroup{Corpus: g.Corpus, Key: g.Key, Pages: len(g.Rows), Figures: map[string]map[string]jsonFigures{}}
	for s, system := range r.Systems {
		out.Figures[system] = map[string]jsonFigures{}
		for i, m := range r.Measures {
			if f := r.Figures(g.Rows, s, i); f.Pages > 0 {
				out.Figures[system][m.Name] = jsonFigures{f.Pages, named(m.Figures, f.Values), named(m.Figures, f.Errors)}
			}
		}
	}
	return out
}

func (r *Result) jsonPage(row *Row) jsonPage {
	out := jsonPage{
		Corpus: row.Corpus, ID: row.ID, URL: row.URL, Site: row.Site, Lang: row.Lang, Type: row.Type, Year: row.Year,
		Figures: map[string]map[string]map[string]float64{},
	}
	for s, system := range r.Systems {
		out.Figures[system] = map[string]map[string]float64{}
		for i, m := range r.Measures {
			if v := row.Sums[s][i]; v != nil {
				out.Figures[system][m.Name] = named(m.Figures, m.Total(v))
			}
		}
		if row.Errors[s] != "" {
			if out.Errors == nil {
				out.Errors = map[string]string{}
			}
			out.Errors[system] = row.Errors[s]
		}
	}
	return out
}

func named(names []string, values []float64) map[string]float64 {
	out := make(map[string]float64, len(names))
	for i, name := range names {
		out[name] = values[i]
	}
	return out
}
