package serve

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"net/http"

	"github.com/lede-news/lede/internal/version"
)

// openAPI describes the API. It is written by hand; tests validate every response
// against it.
//
//go:embed openapi.json
var openAPI []byte

// describe answers with the description of the API.
func (s *server) describe(w http.ResponseWriter, _ *http.Request) {
	name, _ := json.Marshal(version.Get()) // a string
	h := w.Header()
	h.Set("Content-Type", "application/json")
	h.Set("Cache-Control", "no-cache")
	_, _ = w.Write(bytes.Replace(openAPI, []byte(`"version": "devel"`), append([]byte(`"version": `), name...), 1))
}
