package links

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
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

func TestReadLabels(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "labels.jsonl")
	read := func(text string) ([]Label, error) {
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		return ReadLabels(file)
	}
	got, err := read("{\"site\":\"quay\",\"url\":\"/a\",\"text\":\"A\",\"story\":true}\n\n{\"site\":\"quay\",\"url\":\"/b\"}")
	if err != nil || len(got) != 2 || !got[0].Story || got[1].URL != "/b" {
		t.Errorf("%v, %v", got, err)
	}
	for _, bad := range []string{"", "x", `{"site":"a"}`, `{"url":"/a"}`} {
		if _, err := read(bad); err == nil {
			t.Errorf("%q is read", bad)
		}
	}
}
