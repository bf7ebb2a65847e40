package newsroom

import (
	"bufio"
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func readGold(t *testing.T, dir string) []Gold {
	t.Helper()
	f, err := os.Open(filepath.Join(dir, "gold.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var all []Gold
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var g Gold
		if err := json.Unmarshal(lines.Bytes(), &g); err != nil {
			t.Fatal(err)
		}
		all = append(all, g)
	}
	return all
}

func TestWrite(t *testing.T) {
	t.Parallel()
	n, dir := New(1), filepath.Join(t.TempDir(), "corpus")
	opts := WriteOptions{Sites: []string{"lanxi-ribao", "le-fanal"}, Pages: 3, Index: true}
	if err := n.Write(dir, opts); err != nil {
		t.Fatal(err)
	}
	golds := readGold(t, dir)
	if want := 2 * (3 + 1 + 5); len(golds) != want {
		t.Errorf("%d lines, want %d", len(golds), want)
	}
	for _, g := range golds {
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
