// Package web has what the web pages of lede share: colours and fonts, elements
// built node by node, and keys. They are plain style sheets and ES modules, without
// a build step.
package web

import (
	"bytes"
	"embed"
	"io/fs"
	"mime"
	"net/http"
	"path"
)

//go:embed files
var files embed.FS

// Read returns a shared file by its name.
func Read(name string) ([]byte, error) { return files.ReadFile(path.Join("files", path.Base(name))) }

// Script returns a shared module as the beginning of a plain script, without the
// words that only modules may have, for a page that is one file.
func Script(name string) ([]byte, error) {
	module, err := Read(name)
	if err != nil {
		return nil, err
	}
	var script bytes.Buffer
	for line := range bytes.Lines(module) {
		if !bytes.HasPrefix(line, []byte("import ")) {
			script.Write(bytes.TrimPrefix(line, []byte("export ")))
		}
	}
	return script.Bytes(), nil
}

// ServeFile writes a file of an application: one of its own, in the folder web of
// own, or a shared one.
func ServeFile(w http.ResponseWriter, r *http.Request, own fs.FS, name string) {
	data, err := fs.ReadFile(own, path.Join("web", path.Base(name)))
	if err != nil {
		data, err = Read(name)
	}
	if err != nil {
		http.NotFound(w, r)
		return
	}
	w.Header().Set("Content-Type", typeOf(name))
	_, _ = w.Write(data)
}

// typeOf returns the media type of a file. The system may have another for scripts.
func typeOf(name string) string {
	if path.Ext(name) == ".js" {
		return "text/javascript; charset=utf-8"
	}
	return mime.TypeByExtension(path.Ext(name))
}
