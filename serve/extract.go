package serve

import (
	"bytes"
	"cmp"
	"context"
	_ "embed"
	"encoding/json"
	"io"
	"net/http"

	"github.com/lede-news/lede"
	"github.com/lede-news/lede/internal/api/render"
	"github.com/lede-news/lede/internal/api/request"
	"github.com/lede-news/lede/internal/crawl/storylinks"
	"github.com/lede-news/lede/internal/version"
)

// documentPolicy is the content security policy of HTML in responses, whose text and
// markup come from pages.
const documentPolicy = "default-src 'none'; img-src http: https: data:; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; " +
	"frame-ancestors 'none'; sandbox"

const jsonType = "application/json"

// mediaTypes are the types of the formats.
var mediaTypes = map[string]string{
	"json": jsonType, "md": "text/markdown; charset=utf-8", "text": "text/plain; charset=utf-8",
	"html": htmlType, render.Styled: htmlType, render.Cleaned: htmlType,
}

const htmlType = "text/html; charset=utf-8"

// extract answers with the article of a page.
func (s *server) extract(w http.ResponseWriter, r *http.Request) {
	s.process(w, r, request.ExtractOptions, func(ctx context.Context, out *bytes.Buffer, q *request.Page) (media string, err error) {
		q.Format = cmp.Or(q.Format, "json")
		return mediaTypes[q.Format], s.pages.Write(ctx, out, q, true)
	})
}

// links answers with the links of a page, and which of them lead to stories.
func (s *server) links(w http.ResponseWriter, r *http.Request) {
	s.process(w, r, request.LinksOptions, func(ctx context.Context, out *bytes.Buffer, q *request.Page) (media string, err error) {
		all, err := s.pages.Links(ctx, q)
		if err != nil {
			return "", err
		}
		return jsonType, render.Lines(out, map[string][]storylinks.Verdict{"links": all})
	})
}

// methods answers with the methods and their settings.
func (s *server) methods(w http.ResponseWriter, _ *http.Request) {
	type setting struct {
		Name  string `json:"name"`
		Value string `json:"value"` // the default
		About string `json:"about"`
	}
	type info struct {
		Name     string    `json:"name"`
		About    string    `json:"about"`
		Default  bool      `json:"default,omitempty"`
		Settings []setting `json:"settings"`
	}
	var list []info
	for _, m := range lede.Methods() {
		one := info{Name: m.Name, About: m.About, Default: m.Name == lede.DefaultMethod, Settings: []setting{}}
		for _, p := range m.Params() {
			one.Settings = append(one.Settings, setting{p.Name, p.Value, p.About})
		}
		list = append(list, one)
	}
	writeJSON(w, map[string][]info{"methods": list})
}

// openAPI describes the API. It is written by hand; tests validate every response
// against it.
//
//go:embed openapi.json
var openAPI []byte

// describe answers with the description of the API.
func (s *server) describe(w http.ResponseWriter, _ *http.Request) {
	name, _ := json.Marshal(version.Get()) // a string
	w.Header().Set("Content-Type", jsonType)
	w.Header().Set("Cache-Control", "no-cache")
	_, _ = w.Write(bytes.Replace(openAPI, []byte(`"version": "devel"`), append([]byte(`"version": `), name...), 1))
}

// health answers that the process is alive.
func (s *server) health(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	_, _ = io.WriteString(w, "ok\n")
}

// writeJSON writes a value.
func writeJSON(w http.ResponseWriter, v any) {
	w.Header().Set("Content-Type", jsonType)
	_ = json.NewEncoder(w).Encode(v)
}
