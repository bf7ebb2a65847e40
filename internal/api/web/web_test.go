package web

import (
	"net/http/httptest"
	"strings"
	"testing"
	"testing/fstest"
)

func TestServeFile(t *testing.T) {
	own := fstest.MapFS{"web/main.js": {Data: []byte("own")}, "web/keys.js": {Data: []byte("mine")}, "secret.txt": {Data: []byte("secret")}}
	for name, c := range map[string]struct {
		code       int
		kind, text string
	}{
		"main.js":       {200, "text/javascript; charset=utf-8", "own"},
		"keys.js":       {200, "text/javascript; charset=utf-8", "mine"}, // an application may replace a file
		"element.js":    {200, "text/javascript; charset=utf-8", "createElement"},
		"base.css":      {200, "text/css; charset=utf-8", "--paper"},
		"none.js":       {404, "", ""},
		"../secret.txt": {404, "", ""},
		"":              {404, "", ""},
	} {
		w := httptest.NewRecorder()
		ServeFile(w, httptest.NewRequest("GET", "/", nil), own, name)
		if w.Code != c.code || !strings.Contains(w.Body.String(), c.text) || c.kind != "" && w.Header().Get("Content-Type") != c.kind {
			t.Errorf("%s: %d, %s", name, w.Code, w.Header().Get("Content-Type"))
		}
	}
}
