package main

import (
	"bytes"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/lede-news/lede/batch"
	"github.com/lede-news/lede/internal/lab/testkit"
)

func someStats() batch.Stats {
	return batch.Stats{Done: 50, Failed: 3, Bytes: 5e6, Input: 1000,
		Errors: map[string]int{"empty": 2, "timeout": 1}, Types: map[string]int{"article": 47}, Langs: map[string]int{"en": 40, "a\"b": 7}}
}

func TestProgressLine(t *testing.T) {
	p := &progress{began: time.Now().Add(-10 * time.Second)}
	p.bytes.Store(4000)
	want := "50 pages   25%  5 pages/s  0.5 MB/s  30s left  3 failed (2 empty, 1 timeout)"
	if got := p.line(someStats()); got != want {
		t.Errorf("got  %q\nwant %q", got, want)
	}
	p.bytes.Store(-1) // a pipe
	p.what = "learning"
	if got := p.line(someStats()); !strings.HasPrefix(got, "learning  50 pages  5 pages/s") || strings.Contains(got, "left") {
		t.Errorf("from a pipe: %q", got)
	}
	p.bytes.Store(4000)
	p.resumed(batch.Stats{Done: 40, Bytes: 4e6, Input: 900})
	p.began = p.began.Add(-10 * time.Second)
	if got := p.line(someStats()); !strings.Contains(got, "  1 pages/s  0.1 MB/s  5m0s left") {
		t.Errorf("resumed: %q", got)
	}
}

func TestProgressLog(t *testing.T) {
	var out bytes.Buffer
	p := &progress{began: time.Now().Add(-10 * time.Second), log: progressLog(&out)}
	p.bytes.Store(4000)
	p.update(someStats())
	for _, want := range []string{"msg=progress", "pages=50", "failed=3", "pages_per_second=5", "percent=25", "left=30s", `errors="2 empty, 1 timeout"`} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("no %s in %s", want, out.String())
		}
	}
	n := out.Len()
	if p.update(someStats()); out.Len() != n {
		t.Error("two lines at once")
	}
}

func TestMetrics(t *testing.T) {
	var said bytes.Buffer
	p := newProgress(io.Discard, true)
	stop, err := p.serveMetrics("127.0.0.1:0", &said)
	if err != nil {
		t.Fatal(err)
	}
	defer stop()
	p.Last = time.Time{}
	p.update(someStats())
	_, addr, _ := strings.Cut(strings.TrimSpace(said.String()), "http://")
	resp, err := http.Get("http://" + addr)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	b, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	testkit.ParseMetrics(t, string(b))
	for _, want := range []string{
		"# TYPE lede_batch_pages_total counter\nlede_batch_pages_total 50\n", "lede_batch_pages_failed_total 3\n",
		`lede_batch_errors_total{kind="timeout"} 1`, `lede_batch_articles_total{type="article"} 47`, `lede_batch_languages_total{lang="a\"b"} 7`,
	} {
		if !strings.Contains(string(b), want) {
			t.Errorf("no %q in\n%s", want, b)
		}
	}
}
