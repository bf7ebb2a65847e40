package site_test

import (
	"bytes"
	"flag"
	"os"
	"testing"

	"github.com/lede-news/lede/site"
)

var update = flag.Bool("update", false, "rewrite the golden files")

func TestDescribe(t *testing.T) {
	t.Parallel()
	p := learned(t, daily, 10)
	learn(t, p, video, 20, 24)
	learn(t, p, redesign, 40, 41)
	var b bytes.Buffer
	if err := p.Describe(&b); err != nil {
		t.Fatal(err)
	}
	const golden = "testdata/describe.txt"
	if *update {
		if err := os.WriteFile(golden, b.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if got := b.String(); got != string(want) {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	b.Reset()
	if err := site.New("new.example").Describe(&b); err != nil || b.String() != "new.example: 0 pages read\n" {
		t.Errorf("a new site: %q, %v", b.String(), err)
	}
}
