package serve

import (
	"embed"
	"io/fs"
	"mime"
	"net/http"
	"path"
)

//go:embed web
var web embed.FS

// appPolicy is the content security policy of the page at /.
const appPolicy = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; frame-src 'self'; form-action 'self'; " +
	"base-uri 'none'; frame-ancestors 'none'; img-src data:"

// index serves the page at /.
func (s *server) index(w http.ResponseWriter, r *http.Request) { s.serveFile(w, r, "index.html") }

// file serves a file of the page.
func (s *server) file(w http.ResponseWriter, r *http.Request) { s.serveFile(w, r, r.PathValue("name")) }

func (s *server) serveFile(w http.ResponseWriter, r *http.Request, name string) {
	data, err := fs.ReadFile(web, path.Join("web", path.Base(name)))
	if err != nil {
		http.NotFound(w, r)
		return
	}
	kind := mime.TypeByExtension(path.Ext(name))
	if path.Ext(name) == ".js" {
		kind = "text/javascript; charset=utf-8" // the system may have another type
	}
	h := w.Header()
	h.Set("Content-Type", kind)
	h.Set("Content-Security-Policy", s.policy())
	_, _ = w.Write(data)
}

// policy returns the content security policy of the page at /.
func (s *server) policy() string {
	if s.opts.Pictures {
		return appPolicy + " http: https:"
	}
	return appPolicy
}
