package links

import (
	"bytes"
	"context"
	"os"
	"strings"
	"testing"

	"github.com/lede-news/lede/internal/lab/testkit"
)

// TestModelIsCurrent checks that the model of internal/crawl/storylinks is what training
// gives, and that its cross-validated quality is kept.
func TestModelIsCurrent(t *testing.T) {
	t.Parallel()
	f, err := os.Open(testkit.Shared("links", "labels.jsonl"))
	if err != nil {
		t.Skip("no links/labels.jsonl in ../shared beside the repository")
	}
	defer f.Close()
	labels, err := ReadLabels(f)
	if err != nil {
		t.Fatal(err)
	}
	got, err := Train(context.Background(), labels, 1)
	if err != nil {
		t.Fatal(err)
	}
	want, err := os.ReadFile("../../../crawl/storylinks/model.bin")
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Error("model.bin is out of date: run lede-lab train links ../shared/links/labels.jsonl --out internal/crawl/storylinks/model.bin")
	}
	c, err := CrossValidate(context.Background(), labels, 10, 1)
	if err != nil {
		t.Fatal(err)
	}
	if c.All.F1() < 0.95 || c.Bare.F1() < 0.93 {
		t.Errorf("F1 %.4f, and %.4f by URLs only: want 0.95 and 0.93", c.All.F1(), c.Bare.F1())
	}
}

func TestReadLabels(t *testing.T) {
	t.Parallel()
	got, err := ReadLabels(strings.NewReader(`{"site":"quay","url":"/a","text":"A","story":true}

{"site":"quay","url":"/b"}`))
	if err != nil || len(got) != 2 || !got[0].Story || got[1].URL != "/b" {
		t.Errorf("%v, %v", got, err)
	}
	for _, bad := range []string{"", "x", `{"site":"a"}`, `{"url":"/a"}`} {
		if _, err := ReadLabels(strings.NewReader(bad)); err == nil {
			t.Errorf("%q is read", bad)
		}
	}
}
