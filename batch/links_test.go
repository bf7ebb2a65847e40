package batch

import (
	"path/filepath"
	"slices"
	"testing"
)

const linked = `{"id":"own","url":"https://quay.example/1","html":"<p>a","link_text":"Own text"}
{"id":"none","url":"https://quay.example/3","html":"<p>a"}
{"id":"failed","url":"https://quay.example/2","link_text":7}
`

func TestLinkTexts(t *testing.T) {
	path := filepath.Join(t.TempDir(), "pages.jsonl")
	write(t, path, linked)
	var got []string
	stats, err := Run(t.Context(), source(path).Inputs(), titled, func(r *Result) error {
		got = append(got, r.Line.ID+": "+r.Line.Title)
		return nil
	}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if want := []string{"own: Own text", "none: ", "pages.jsonl:3: "}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	if stats.Failed != 1 {
		t.Errorf("got %+v", stats)
	}
}
