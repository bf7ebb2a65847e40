package serve

import (
	"embed"
	"encoding/json"
	"fmt"
	"html/template"
	"net/http"
	"strings"

	shared "github.com/lede-news/lede/internal/api/web"
)

//go:embed web
var web embed.FS

// appPolicy is the content security policy of the page at /.
const appPolicy = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; frame-src 'self'; form-action 'self'; " +
	"base-uri 'none'; frame-ancestors 'none'; img-src data:"

var appTemplate = template.Must(template.ParseFS(web, "web/index.html"))

// sentPage is a page that the bookmarklet has sent, for the page at /.
type sentPage struct {
	HTML string `json:"html"`
	URL  string `json:"url"`
}

// index serves the page at /.
func (s *server) index(w http.ResponseWriter, r *http.Request) { s.writeApp(w, r, nil) }

// writeApp writes the page at /, also as the answer of another path. It opens the
// page that was sent, unless that is nil.
func (s *server) writeApp(w http.ResponseWriter, r *http.Request, sent *sentPage) {
	// The path may be below a prefix that was stripped, so links are relative.
	root := strings.Repeat("../", strings.Count(r.URL.Path, "/")-1)
	var data template.JS
	if sent != nil {
		encoded, err := json.Marshal(sent) // escapes <, > and &
		if err != nil {
			s.fail(w, r, fmt.Errorf("the page that was sent: %w", err))
			return
		}
		data = template.JS(encoded)
	}
	h := w.Header()
	h.Set("Content-Type", htmlType)
	h.Set("Content-Security-Policy", s.policy())
	h.Set("Cache-Control", "no-store")
	_ = appTemplate.Execute(w, map[string]any{"Root": root, "Sent": data})
}

// file serves a file of the page.
func (s *server) file(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	h.Set("Content-Security-Policy", s.policy())
	h.Set("Cache-Control", "no-cache")
	name := r.PathValue("name")
	if name == "index.html" { // a template
		http.NotFound(w, r)
		return
	}
	shared.ServeFile(w, r, web, name)
}

// policy returns the content security policy of the page at /.
func (s *server) policy() string {
	if s.opts.Pictures {
		return appPolicy + " http: https:"
	}
	return appPolicy
}
