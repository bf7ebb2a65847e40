package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestServe answers pages as lede-lab eval expects it.
func TestServe(t *testing.T) {
	var in, out bytes.Buffer
	enc := json.NewEncoder(&in)
	for _, p := range []page{article(t), {ID: "none"}} {
		if err := enc.Encode(map[string]string{"id": p.ID, "url": p.URL, "charset": "utf-8", "html": p.HTML}); err != nil {
			t.Fatal(err)
		}
	}
	if err := libraries[0].serve(&in, &out); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(out.String()), "\n")
	if len(lines) != 3 || !strings.HasPrefix(lines[0], `{"language":"Go","name":"lede",`) {
		t.Fatalf("not a line about the library and one for each page:\n%s", out.String())
	}
	var first, second answer
	if err := json.Unmarshal([]byte(lines[1]), &first); err != nil {
		t.Fatal(err)
	}
	checkArticle(t, first)
	if err := json.Unmarshal([]byte(lines[2]), &second); err != nil || second.ID != "none" || second.Error == "" {
		t.Errorf("an empty page: %+v, %v", second, err)
	}
}

func TestChart(t *testing.T) {
	figures, chart := filepath.Join(t.TempDir(), "figures.json"), filepath.Join(t.TempDir(), "chart.svg")
	const run = `{"systems":["lede","go-domdistiller"],"corpora":[{"corpus":"courier","pages":1,"figures":{
		"lede":{"bag":{"pages":1,"values":{"F1":0.9}},"time":{"pages":1,"values":{"ms":2}}},
		"go-domdistiller":{"bag":{"pages":1,"values":{"F1":0.8}},"time":{"pages":1,"values":{"ms":4}}}}}]}`
	if err := os.WriteFile(figures, []byte(run), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := drawChart(figures, chart); err != nil {
		t.Fatal(err)
	}
	if svg, err := os.ReadFile(chart); err != nil || !bytes.Contains(svg, []byte("go-domdistiller")) || !bytes.Contains(svg, []byte("mean over 1 pages of 1 corpora")) {
		t.Errorf("chart: %v, %s", err, svg)
	}
}

func TestRunErrors(t *testing.T) {
	none := filepath.Join(t.TempDir(), "none.json")
	if err := os.WriteFile(none, []byte(`{"systems":["lede"]}`), 0o666); err != nil {
		t.Fatal(err)
	}
	for args, want := range map[string]string{
		"":                         "usage: peers LIBRARY",
		"nobody":                   "libraries: lede, go-trafilatura",
		"chart /no/such/x a.svg":   "/no/such/x",
		"chart " + none + " a.svg": "no system has both F1 and time",
	} {
		if err := run(strings.Fields(args)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v, want %q", args, err, want)
		}
	}
}
