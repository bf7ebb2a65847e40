package fetch

import (
	"errors"
	"net/http"
	"testing"
)

// A picture is no page, unless anything will do.
func TestAnyType(t *testing.T) {
	const gif = "GIF89a\x01\x00\x01\x00"
	srv := serve(t, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "image/gif")
		_, _ = w.Write([]byte(gif))
	}))
	if _, err := newClient(t, Options{}).Get(t.Context(), srv.URL); !errors.Is(err, ErrNotHTML) {
		t.Errorf("as a page: %v", err)
	}
	resp, err := newClient(t, Options{AnyType: true}).Get(t.Context(), srv.URL)
	if err != nil || string(resp.Body) != gif || resp.ContentType != "image/gif" {
		t.Errorf("as anything: %+v, %v", resp, err)
	}
}
