package serve

import "testing"

func TestHealth(t *testing.T) {
	stopping := make(chan struct{})
	h := newService(t, Options{Stopping: stopping})
	get := func(path string) int { return ask(h, "GET", path, "").Code }
	if get("/healthz") != 200 || get("/readyz") != 200 {
		t.Errorf("%d and %d, want 200", get("/healthz"), get("/readyz"))
	}
	close(stopping)
	if get("/healthz") != 200 || get("/readyz") != 503 {
		t.Errorf("%d and %d while stopping, want 200 and 503", get("/healthz"), get("/readyz"))
	}
	h = newService(t, Options{})
	if get("/readyz") != 200 {
		t.Errorf("%d without a channel", get("/readyz"))
	}
}
