package storylinks

import (
	"bytes"
	"context"
	"errors"
	"os"
	"testing"

	"github.com/lede-news/lede/internal/lab/testkit"
)

// readShared returns the labels of people, or skips the test.
func readShared(t *testing.T) []Label {
	t.Helper()
	f, err := os.Open(testkit.Shared("links", "labels.jsonl"))
	if err != nil {
		t.Skip("no links/labels.jsonl in ../shared beside the repository")
	}
	defer f.Close()
	labels, err := ReadLabels(f)
	if err != nil {
		t.Fatal(err)
	}
	return labels
}

func TestCrossValidation(t *testing.T) {
	labels := readShared(t)
	sum, bare := 0.0, 0.0
	const seeds = 2
	for seed := range uint64(seeds) {
		c, err := CrossValidate(context.Background(), labels, TrainOptions{Seed: seed + 1})
		if err != nil {
			t.Fatal(err)
		}
		all := c.All()
		t.Logf("seed %d: precision %.4f, recall %.4f, F1 %.4f; alone %.4f, address only %.4f, unknown site %.4f", seed+1, all.Precision(), all.Recall(), all.F1(), c.Alone.F1(), c.Bare.F1(), c.Foreign.F1())
		sum, bare = sum+all.F1()/seeds, bare+c.Bare.F1()/seeds
	}
	if sum < 0.95 || bare < 0.93 {
		t.Errorf("F1 %.4f, and %.4f by addresses only: want 0.95 and 0.93", sum, bare)
	}
}

// TestModelIsCurrent checks that the embedded model is what training gives.
func TestModelIsCurrent(t *testing.T) {
	m, err := Train(context.Background(), readShared(t), TrainOptions{Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	data, err := m.MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(data, modelFile) {
		t.Error("model.bin is out of date: run lede-lab train links ../shared/links/labels.jsonl --out internal/crawl/storylinks/model.bin")
	}
}

func TestModelFile(t *testing.T) {
	data, err := defaultModel().MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(data, modelFile) {
		t.Error("a model that is read and written is another")
	}
	if len(data) > 200<<10 {
		t.Errorf("%d bytes", len(data))
	}
	for _, n := range []int{0, 5, len(modelMagic), len(modelMagic) + 9, 1000, len(data) / 2, len(data) - 1} {
		if err := new(Model).UnmarshalBinary(data[:n]); !errors.Is(err, errModel) {
			t.Errorf("%d bytes: %v", n, err)
		}
	}
}

func TestReadLabels(t *testing.T) {
	got, err := ReadLabels(bytes.NewBufferString("{\"site\":\"quay\",\"url\":\"/a\",\"text\":\"A\",\"story\":true}\n\n{\"site\":\"quay\",\"url\":\"/b\"}"))
	if err != nil || len(got) != 2 || !got[0].Story || got[1].URL != "/b" {
		t.Errorf("%v, %v", got, err)
	}
	for _, bad := range []string{"", "x", `{"site":"a"}`, `{"url":"/a"}`} {
		if _, err := ReadLabels(bytes.NewBufferString(bad)); err == nil {
			t.Errorf("%q is read", bad)
		}
	}
}
