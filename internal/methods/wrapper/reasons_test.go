package wrapper

import (
	"testing"

	"github.com/lede-news/lede/internal/lab/methodtest"
)

// TestWords checks that every feature is described in plain words, whatever its
// value.
func TestWords(t *testing.T) {
	for _, value := range []float64{0, 0.2, 0.995, 1} {
		for _, f := range BodyFeatures() {
			methodtest.CheckWords(t, bodyWords(f.Name, value))
		}
		for _, f := range TitleFeatures() {
			methodtest.CheckWords(t, titleWords(f.Name, value))
		}
	}
	if got, want := titleWords("RectTop", -0.5), "above the screen on which the story begins"; got != want {
		t.Errorf("a title above the screen: %q, want %q", got, want)
	}
}
