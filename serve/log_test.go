package serve

import (
	"bytes"
	"encoding/json"
	"io"
	"log/slog"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// logLines returns the lines of a JSON log.
func logLines(t *testing.T, log string) (lines []map[string]any) {
	t.Helper()
	for line := range strings.Lines(log) {
		var m map[string]any
		if err := json.Unmarshal([]byte(line), &m); err != nil {
			t.Fatalf("%v: %s", err, line)
		}
		lines = append(lines, m)
	}
	return lines
}

func TestLog(t *testing.T) {
	t.Parallel()
	var log bytes.Buffer
	h, secrets := newKeyed(t, Options{Token: "the-secret", Log: slog.New(slog.NewJSONHandler(&log, nil))}, "desk")
	bearer := "Bearer " + secrets[0]
	const private = "confidential"
	ask(h, "POST", "/v1/extract?url=https://"+private+".example/story", lookPage, "Authorization", bearer, "X-Request-Id", "abc-1.2_3")
	ask(h, "POST", "/v1/extract?method="+private, lookPage, "Authorization", bearer)
	ask(h, "GET", "/v1/methods?"+private, "", "Authorization", "Bearer "+private, "X-Request-Id", "not plain")
	ask(h, "GET", "/healthz", "") // for -v only
	form := post(t, h, framePath, "token", "desk."+private, "html", private)
	if form.Code != 401 {
		t.Errorf("form: %d", form.Code)
	}
	lines := logLines(t, log.String())
	if len(lines) != 4 {
		t.Fatalf("%d lines, want 4:\n%s", len(lines), log.String())
	}
	for i, want := range []map[string]any{
		{"msg": "request", "method": "POST", "path": "/v1/extract", "status": 200.0, "key": "desk", "id": "abc-1.2_3", "bytes_in": float64(len(lookPage))},
		{"method": "POST", "path": "/v1/extract", "status": 400.0, "kind": "method", "key": "desk", "level": "INFO"},
		{"method": "GET", "path": "/v1/methods", "status": 401.0, "kind": "key"},
		{"method": "POST", "path": "/ui/frame", "status": 401.0, "kind": "key"},
	} {
		for name, value := range want {
			if lines[i][name] != value {
				t.Errorf("line %d: %s is %v, want %v", i, name, lines[i][name], value)
			}
		}
		if id, _ := lines[i]["id"].(string); !plainID.MatchString(id) {
			t.Errorf("line %d: ID %q", i, id)
		}
		if out, _ := lines[i]["bytes_out"].(float64); out == 0 {
			t.Errorf("line %d: no bytes", i)
		}
	}
	for _, secret := range []string{private, secrets[0], "the-secret", "arbour", "not plain"} {
		if strings.Contains(log.String(), secret) {
			t.Errorf("the log has %q:\n%s", secret, log.String())
		}
	}
}

func TestLogIsBounded(t *testing.T) {
	t.Parallel()
	var log bytes.Buffer
	h := newService(t, Options{Log: slog.New(slog.NewTextHandler(&log, nil))})
	ask(h, "GET", "/"+strings.Repeat("x", 10000)+"%0alevel=ERROR", "", "X-Request-Id", strings.Repeat("y", 10000)+"\"")
	if n := strings.Count(log.String(), "\n"); n != 1 || log.Len() > 500 {
		t.Errorf("%d lines, %d bytes: %.300s", n, log.Len(), log.String())
	}
}

func TestPanic(t *testing.T) {
	t.Parallel()
	var log bytes.Buffer
	s := &server{opts: Options{Log: slog.New(slog.NewJSONHandler(&log, nil))}.withDefaults(), metrics: newMetrics()}
	before := s.observe(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { panic("before") }))
	w := ask(before, "GET", "/v1/extract", "")
	if w.Code != 500 || problemIn(w).Kind != "crash" || strings.Contains(w.Body.String(), "before") {
		t.Errorf("%d %s", w.Code, w.Body)
	}
	srv := httptest.NewServer(s.observe(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = io.WriteString(w, "half of the response")
		panic("after")
	})))
	resp, err := http.Get(srv.URL)
	if err == nil {
		_, err = io.ReadAll(resp.Body)
		resp.Body.Close()
	}
	srv.Close() // it waits for the handler, which writes the log
	if err == nil {
		t.Error("half of a response looks complete")
	}
	if text := log.String(); !strings.Contains(text, "before") || !strings.Contains(text, "after") || !strings.Contains(text, "goroutine") {
		t.Errorf("the log does not say what happened: %s", text)
	}
}

func TestMetrics(t *testing.T) {
	t.Parallel()
	h, secrets := newKeyed(t, Options{Workers: 3, Queue: 5}, "desk", "night")
	bearer := "Bearer " + secrets[0]
	for range 2 {
		ask(h, "POST", "/v1/extract", lookPage, "Authorization", bearer)
	}
	ask(h, "POST", "/v1/extract?method=none", lookPage, "Authorization", bearer)
	ask(h, "POST", "/v1/extract", `{"url": "https://paper.example/"}`, "Authorization", bearer, "Content-Type", "application/json")
	ask(h, "GET", "/v1/methods", "")
	for _, path := range []string{"/a", "/b", "/c%0a", "/web/x", "/web/y"} {
		ask(h, "GET", path, "", "Authorization", bearer)
	}
	w := ask(h, "GET", "/metrics", "", "Authorization", bearer)
	if kind := w.Header().Get("Content-Type"); kind != "text/plain; version=0.0.4; charset=utf-8" {
		t.Errorf("Content-Type %q", kind)
	}
	got := parseMetrics(t, w.Body.String())
	for series, want := range map[string]float64{
		`lede_serve_requests_total{route="POST /v1/extract",status="200"}`:      2,
		`lede_serve_requests_total{route="POST /v1/extract",status="400"}`:      1,
		`lede_serve_requests_total{route="POST /v1/extract",status="403"}`:      1,
		`lede_serve_requests_total{route="none",status="401"}`:                  1,
		`lede_serve_requests_total{route="none",status="404"}`:                  3,
		`lede_serve_requests_total{route="GET /web/{name}",status="404"}`:       2,
		`lede_serve_request_seconds_count{route="POST /v1/extract"}`:            4,
		`lede_serve_request_seconds_bucket{route="POST /v1/extract",le="+Inf"}`: 4,
		`lede_serve_problems_total{kind="method"}`:                              1,
		`lede_serve_problems_total{kind="no-fetch"}`:                            1,
		`lede_serve_problems_total{kind="key"}`:                                 1,
		`lede_serve_workers`:                                                    3,
		`lede_serve_workers_busy`:                                               0,
		`lede_serve_waiting`:                                                    0,
	} {
		if value, ok := got[series]; !ok || value != want {
			t.Errorf("%s is %v, want %v", series, value, want)
		}
	}
}

// docs/serve.md lists the metrics.
func TestMetricsAreDescribed(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../docs/serve.md")
	if err != nil {
		t.Fatal(err)
	}
	h, secrets := newKeyed(t, Options{}, "desk")
	served := regexp.MustCompile(`(?m)^# TYPE (\S+)`).FindAllStringSubmatch(ask(h, "GET", "/metrics", "", "Authorization", "Bearer "+secrets[0]).Body.String(), -1)
	described := regexp.MustCompile("`(lede_serve_\\w+)`").FindAllStringSubmatch(string(text), -1)
	names := func(list [][]string) map[string]bool {
		set := map[string]bool{}
		for _, m := range list {
			set[m[1]] = true
		}
		return set
	}
	if got, want := names(described), names(served); !maps.Equal(got, want) || len(want) < 7 {
		t.Errorf("described are %v, served %v", slices.Sorted(maps.Keys(got)), slices.Sorted(maps.Keys(want)))
	}
}
