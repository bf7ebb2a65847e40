package newsroom

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/lede-news/lede/internal/lab/testkit"
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
	var done, total int
	err := n.Write(dir, WriteOptions{Sites: []string{"lanxi-ribao", "le-fanal"}, Pages: 3, Index: true,
		Progress: func(d, of int) { done, total = d, of }})
	if err != nil {
		t.Fatal(err)
	}
	golds := readGold(t, dir)
	if want := 2 * (3 + 1 + 5); len(golds) != want || done != want || total != want {
		t.Errorf("%d lines, progress %d of %d, want %d", len(golds), done, total, want)
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
	if entries, _ := os.ReadDir(dir); len(entries) != 2 {
		t.Errorf("folder has %v", entries)
	}
}

func TestWriteNotEmpty(t *testing.T) {
	t.Parallel()
	n, dir := New(1), t.TempDir()
	opts := WriteOptions{Sites: []string{"northcape-wire"}, Pages: 2}
	if err := n.Write(dir, opts); err != nil {
		t.Fatalf("empty folder: %v", err)
	}
	if err := n.Write(dir, opts); !errors.Is(err, ErrNotEmpty) {
		t.Errorf("folder that is not empty: %v", err)
	}
	opts.Force, opts.Gzip = true, true
	if err := n.Write(dir, opts); err != nil {
		t.Fatalf("forced: %v", err)
	}
	s, _ := n.Site("northcape-wire")
	if page := testkit.Gunzip(t, filepath.Join(dir, "pages", "northcape-wire-000000.html.gz")); !bytes.Equal(page, s.Page(0).HTML) {
		t.Error("the compressed file differs from the page")
	}
}
