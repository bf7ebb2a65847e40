package format_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/lede-news/lede/article"
	"github.com/lede-news/lede/format"
)

var update = flag.Bool("update", false, "write the golden files anew")

func load(t testing.TB, file string) *article.Article {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var a article.Article
	if err := json.Unmarshal(data, &a); err != nil {
		t.Fatalf("%s: %v", file, err)
	}
	return &a
}

func stories(t testing.TB) []string {
	t.Helper()
	files, err := filepath.Glob("testdata/*.json")
	if err != nil || len(files) == 0 {
		t.Fatalf("no stories in testdata: %v", err)
	}
	return files
}

func TestGolden(t *testing.T) {
	for _, file := range stories(t) {
		for _, name := range format.Names() {
			t.Run(filepath.Base(file)+"/"+name, func(t *testing.T) {
				var got bytes.Buffer
				if err := format.Write(&got, load(t, file), name, format.Options{Indent: true}); err != nil {
					t.Fatal(err)
				}
				compare(t, strings.TrimSuffix(file, ".json")+"."+name+".golden", got.Bytes())
			})
		}
	}
}

func compare(t *testing.T, golden string, got []byte) {
	t.Helper()
	if *update {
		if err := os.WriteFile(golden, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatalf("%v (go test -update writes it)", err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("differs from %s (go test -update accepts it); got:\n%s", golden, got)
	}
}
