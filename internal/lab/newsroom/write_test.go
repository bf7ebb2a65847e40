package newsroom

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestWrite(t *testing.T) {
	t.Parallel()
	n, dir := New(1), filepath.Join(t.TempDir(), "corpus")
	opts := WriteOptions{Sites: []string{"lanxi-ribao", "le-fanal"}, Pages: 3, Index: true}
	if err := n.Write(dir, opts); err != nil {
		t.Fatal(err)
	}
	gold, err := os.ReadFile(filepath.Join(dir, "gold.jsonl"))
	if want := 2 * (3 + 1 + 5); err != nil || bytes.Count(gold, []byte("\n")) != want {
		t.Errorf("gold: %v, want %d lines:\n%s", err, want, gold)
	}
	for line := range bytes.Lines(gold) {
		var g Gold
		if err := json.Unmarshal(line, &g); err != nil {
			t.Fatal(err)
		}
		if _, err := os.Stat(filepath.Join(dir, "pages", g.ID+".html")); err != nil {
			t.Error(err)
		}
	}
	s, _ := n.Site("lanxi-ribao")
	page, err := os.ReadFile(filepath.Join(dir, "pages", "lanxi-ribao-000001.html"))
	if err != nil || !bytes.Equal(page, s.Page(1).HTML) {
		t.Errorf("the file differs from the page: %v", err)
	}
	if err := n.Write(dir, opts); err == nil || !strings.Contains(err.Error(), "is not empty") {
		t.Errorf("a folder that is not empty: %v", err)
	}
}
