package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// makeCorpus writes a corpus of one made-up page.
func makeCorpus(t *testing.T) string {
	t.Helper()
	page, err := os.ReadFile("rivals/testdata/page.html")
	if err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(t.TempDir(), "courier")
	gold, err := json.Marshal(map[string]any{
		"id": "lighthouse", "url": "https://courier.example/lighthouse", "type": "article",
		"title": "Lighthouse at Corrie Head is lit again",
		"text":  "The lamp of the lighthouse at Corrie Head was lit on Friday evening for the first time in eleven years",
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(filepath.Join(dir, "pages"), 0o777); err != nil {
		t.Fatal(err)
	}
	for file, data := range map[string][]byte{"gold.jsonl": append(gold, '\n'), "pages/lighthouse.html": page} {
		if err := os.WriteFile(filepath.Join(dir, file), data, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func peers(t *testing.T, args ...string) (stdout, stderr string, err error) {
	t.Helper()
	var out, msg bytes.Buffer
	cmd := newCommand()
	cmd.SetArgs(args)
	cmd.SetOut(&out)
	cmd.SetErr(&msg)
	err = cmd.ExecuteContext(t.Context())
	return out.String(), msg.String(), err
}

func TestRun(t *testing.T) {
	dir := makeCorpus(t)
	figures, chart := filepath.Join(t.TempDir(), "figures.json"), filepath.Join(t.TempDir(), "chart.svg")
	out, msg, err := peers(t, dir, "--home", t.TempDir(), "--methods", "blend,nce", "--json", figures)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(out), "\n")
	if len(lines) != 2+2+4 {
		t.Errorf("not a table of two methods and four libraries:\n%s", out)
	}
	columns := len(strings.Fields(lines[2]))
	for _, part := range []string{"courier, 1 pages", "bag F1", "time ms", "lede blend", "go-trafilatura+fallback"} {
		if !strings.Contains(out, part) {
			t.Errorf("%q is missing in\n%s", part, out)
		}
	}
	if strings.Contains(out, "–") || columns < 8 {
		t.Errorf("missing figures:\n%s", out)
	}
	if !strings.Contains(msg, "not installed: trafilatura,") {
		t.Errorf("no message about missing rivals: %s", msg)
	}
	var result struct{ Systems []string }
	if data, err := os.ReadFile(figures); err != nil || json.Unmarshal(data, &result) != nil || len(result.Systems) != 6 {
		t.Errorf("figures: %v, systems %q", err, result.Systems)
	}
	if _, _, err := peers(t, "chart", figures, "--out", chart); err != nil {
		t.Fatal(err)
	}
	if svg, err := os.ReadFile(chart); err != nil || !bytes.Contains(svg, []byte("go-domdistiller")) || !bytes.Contains(svg, []byte("mean over 1 pages of 1 corpora")) {
		t.Errorf("chart: %v, %s", err, svg)
	}
}

func TestRunErrors(t *testing.T) {
	dir := makeCorpus(t)
	for args, want := range map[string]string{
		"":                                     "at least 1 arg",
		t.TempDir():                            "not a corpus",
		dir + " --rivals nobody":               `unknown rival "nobody"`,
		dir + " --rivals news-please":          "run install.sh",
		dir + " --methods fast":                `"fast"`,
		dir + " --methods none --rivals none":  "nothing to measure",
		dir + " --rivals go --json /no/such/x": "/no/such/x",
	} {
		_, _, err := peers(t, append(strings.Fields(args), "--home", t.TempDir())...)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v, want %q", args, err, want)
		}
	}
}
