package serve

import (
	"bytes"
	"context"
	_ "embed"
	"encoding/json"
	"io"
	"mime"
	"net/http"
	"strconv"
	"strings"

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

// mediaTypes are the types of the formats.
var mediaTypes = map[string]string{
	"json": "application/json", "md": "text/markdown; charset=utf-8", "text": "text/plain; charset=utf-8",
	"html": "text/html; charset=utf-8", render.Styled: "text/html; charset=utf-8", render.Cleaned: "text/html; charset=utf-8",
}

// extract answers with the article of a page.
func (s *server) extract(w http.ResponseWriter, r *http.Request) {
	var format string
	out, ok := s.process(w, r, request.ExtractOptions, func(q *request.Page) error {
		if q.Format == "" {
			offers := []string{"json", "md", "html", "text"}
			if q.Explain {
				offers = []string{"json", "text"}
			}
			q.Format = negotiate(r, offers, mediaTypes)
		}
		if format = q.Format; format == "" {
			return request.Errorf("not-acceptable", "no type in Accept can be given; accept application/json, text/markdown, "+
				"text/html or text/plain, or name a format with format=")
		}
		return nil
	}, func(ctx context.Context, out *bytes.Buffer, q *request.Page) error {
		return s.pages.Write(ctx, out, q, true)
	})
	if !ok {
		return
	}
	h := w.Header()
	h.Add("Vary", "Accept")
	if mediaTypes[format] == mediaTypes["html"] {
		h.Set("Content-Security-Policy", documentPolicy)
	}
	send(w, mediaTypes[format], out)
}

// links answers with the links of a page, and which of them lead to stories.
func (s *server) links(w http.ResponseWriter, r *http.Request) {
	types := map[string]string{"object": "application/json", "lines": "application/x-ndjson"}
	chosen := negotiate(r, []string{"object", "lines"}, types)
	out, ok := s.process(w, r, request.LinksOptions, func(*request.Page) error {
		if chosen == "" {
			return request.Errorf("not-acceptable", "no type in Accept can be given; accept application/json or application/x-ndjson")
		}
		return nil
	}, func(ctx context.Context, out *bytes.Buffer, q *request.Page) error {
		all, err := s.pages.Links(ctx, q)
		switch {
		case err != nil:
			return err
		case chosen == "lines":
			return render.Lines(out, all...)
		}
		return render.Lines(out, map[string][]storylinks.Verdict{"links": all})
	})
	if ok {
		w.Header().Add("Vary", "Accept")
		send(w, types[chosen], out)
	}
}

// negotiate returns the offer whose media type the client likes best by its Accept headers
// (RFC 9110, section 12.5.1), or "" if it accepts none. Of types that it likes as much,
// the first is chosen.
func negotiate(r *http.Request, offers []string, types map[string]string) (chosen string) {
	qualities := map[string]float64{} // by range, such as text/html, text/* or */*
	for part := range strings.SplitSeq(strings.Join(r.Header.Values("Accept"), ","), ",") {
		media, params, err := mime.ParseMediaType(part)
		quality := 1.0
		if q, ok := params["q"]; ok && err == nil {
			quality, err = strconv.ParseFloat(q, 64)
		}
		if err == nil && strings.Contains(media, "/") && quality >= 0 && quality <= 1 {
			qualities[media] = quality
		}
	}
	if len(qualities) == 0 {
		return offers[0]
	}
	best := 0.0
	for _, offer := range offers {
		media, _, _ := strings.Cut(types[offer], ";")
		group, _, _ := strings.Cut(media, "/")
		for _, name := range []string{media, group + "/*", "*/*"} { // the most specific range decides
			if q, ok := qualities[name]; ok {
				if q > best {
					chosen, best = offer, q
				}
				break
			}
		}
	}
	return chosen
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
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-cache")
	_, _ = w.Write(bytes.Replace(openAPI, []byte(`"version": "devel"`), append([]byte(`"version": `), name...), 1))
}

// health answers that the process is alive.
func (s *server) health(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	_, _ = io.WriteString(w, "ok\n")
}

// ready answers whether requests are accepted.
func (s *server) ready(w http.ResponseWriter, r *http.Request) {
	select {
	case <-s.opts.Stopping:
		http.Error(w, "stopping", http.StatusServiceUnavailable)
	default:
		s.health(w, r)
	}
}

// send writes a response that was made in memory.
func send(w http.ResponseWriter, media string, out *bytes.Buffer) {
	w.Header().Set("Content-Type", media)
	w.Header().Set("Content-Length", strconv.Itoa(out.Len()))
	_, _ = out.WriteTo(w)
}

// writeJSON writes a value.
func writeJSON(w http.ResponseWriter, v any) {
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(v)
}
