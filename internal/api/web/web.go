// Package web has what the web applications of lede share: style sheets and ES modules,
// which need no build step, and the guard against the requests of other sites.
package web

import (
	"embed"
	"io/fs"
	"mime"
	"net/http"
	"path"
	"strings"
)

//go:embed files
var files embed.FS

// ServeFile writes a file of an application: one of its own, in the folder web of
// own, or a shared one.
func ServeFile(w http.ResponseWriter, r *http.Request, own fs.FS, name string) {
	data, err := fs.ReadFile(own, path.Join("web", path.Base(name)))
	if err != nil {
		data, err = files.ReadFile(path.Join("files", path.Base(name)))
	}
	if err != nil {
		http.NotFound(w, r)
		return
	}
	media := mime.TypeByExtension(path.Ext(name))
	if strings.HasSuffix(name, ".js") { // for which the system may have another type
		media = "text/javascript; charset=utf-8"
	}
	w.Header().Set("Content-Type", media)
	_, _ = w.Write(data)
}
