package blocks

import (
	"testing"

	"github.com/lede-news/lede/dom"
)

func TestEveryFeatureHasAName(t *testing.T) {
	d, err := dom.Parse(t.Context(), []byte("<title>A storm</title><h1>A storm</h1><p>The harbour was closed, as the wind rose to a storm.</p><ul><li><a href=x>Home</a></ul>"), dom.Options{})
	if err != nil {
		t.Fatal(err)
	}
	v := Read(d, new(Tables))
	if got, want := len(v.Rows(Signals{})), len(v.Blocks)*len(Features); got != want || len(v.Blocks) != 3 {
		t.Errorf("%d numbers for %d blocks, want %d: features.txt and Rows differ", got, len(v.Blocks), want)
	}
}
