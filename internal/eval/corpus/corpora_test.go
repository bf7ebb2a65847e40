package corpus

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/lede-news/lede/internal/testkit"
)

// TestCorpora opens every corpus there is. Nothing is wrong with any of them,
// but that nobody wrote down the story of a few pages.
func TestCorpora(t *testing.T) {
	if testing.Short() {
		t.Skip("reading all corpora takes long; this runs without -short")
	}
	dirs, _ := filepath.Glob(testkit.Shared("corpora", "*", "gold.jsonl"))
	if len(dirs) == 0 {
		t.Skip("no corpora in ../shared/corpora; this runs where they are")
	}
	for _, file := range dirs {
		textless := 0
		c, err := Open(filepath.Dir(file), Options{Problem: func(p Problem) {
			if !errors.Is(p, ErrNoText) {
				t.Error(p)
			}
			textless++
		}})
		if err != nil {
			t.Error(err)
			continue
		}
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if lines := strings.Count(string(data), "\n"); len(c.Gold) != lines || c.Form != "shared" || c.Charset != "utf-8" {
			t.Errorf("%s: %d pages of %d, form %s, charset %s", c.Name, len(c.Gold), lines, c.Form, c.Charset)
		}
		if textless > len(c.Gold)/50 {
			t.Errorf("%s: %d of %d pages without text", c.Name, textless, len(c.Gold))
		}
		var years, held int
		for i := range c.Gold {
			if c.Gold[i].Year() != "" {
				years++
			}
			if HeldOut(c.Gold[i].SiteName()) {
				held++
			}
		}
		page, err := c.Page(&c.Gold[len(c.Gold)-1])
		if err != nil || len(page) == 0 {
			t.Errorf("%s: an empty page, %v", c.Name, err)
		}
		t.Logf("%s: %d pages, %d without text, %d with a year, %d held out", c.Name, len(c.Gold), textless, years, held)
	}
}
