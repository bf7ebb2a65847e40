package links

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"os"
	"testing"

	"github.com/lede-news/lede/internal/lab/testkit"
)

// TestModelIsCurrent checks that the model of internal/crawl/storylinks is what training
// gives, and that its cross-validated quality is kept.
func TestModelIsCurrent(t *testing.T) {
	t.Parallel()
	labels, err := ReadLabels(testkit.Shared("links", "labels.jsonl"))
	if errors.Is(err, fs.ErrNotExist) {
		t.Skip("no links/labels.jsonl in ../shared beside the repository")
	} else if err != nil {
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
	all, bare, err := CrossValidate(context.Background(), labels, 10, 1)
	if err != nil {
		t.Fatal(err)
	}
	if all.F1() < 0.95 || bare.F1() < 0.93 {
		t.Errorf("F1 %.4f, and %.4f by URLs only: want 0.95 and 0.93", all.F1(), bare.F1())
	}
}
