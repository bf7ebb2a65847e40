package batch

import (
	"encoding/json"
	"math"
	"strings"
	"testing"

	"github.com/lede-news/lede/article"
)

func TestNewResult(t *testing.T) {
	a := &article.Article{Title: "The pier", Body: []article.Block{{Kind: article.Paragraph, Spans: []article.Span{{Text: "It *burnt*."}}}}}
	l := NewLine("7", "https://www.paper.example/pier", a)
	l.FoundBy, l.LinkText, l.FirstSeen, l.Changed = []string{"feed", "home"}, "Pier burns", "2026-11-16T06:25:00Z", true
	r, err := NewResult(l, a, "md")
	if err != nil {
		t.Fatal(err)
	}
	var back Line
	if err := json.Unmarshal(r.JSON, &back); err != nil || r.JSON[len(r.JSON)-1] != '\n' {
		t.Fatalf("%s: %v", r.JSON, err)
	}
	if string(back.Body) != `"It \\*burnt\\*."` || back.LinkText != "Pier burns" || !back.Changed || len(back.FoundBy) != 2 ||
		back.FirstSeen != "2026-11-16T06:25:00Z" || back.Text != "It *burnt*." || r.Host() != "paper.example" || r.Err != nil {
		t.Errorf("%s", r.JSON)
	}
	if _, err := NewResult(l, a, "pdf"); err == nil || !strings.Contains(err.Error(), "blocks") {
		t.Errorf("unknown form: %v", err)
	}
	l.Confidence = math.NaN()
	if _, err := NewResult(l, a, ""); err == nil {
		t.Error("no error for a line that cannot be encoded")
	}
}
