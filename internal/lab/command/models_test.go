package command

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/lede-news/lede/internal/lab/testkit"
)

// TestWrapperModels runs the commands of the help text that built the models of the
// wrapper, and compares the bytes. One of them takes half a minute, and is for the long form.
func TestWrapperModels(t *testing.T) {
	models := 0
	for line := range strings.Lines(newTrainWrapper().Example) {
		args := strings.Fields(line)
		shipped := args[len(args)-1]
		if !strings.HasPrefix(shipped, "internal/methods/wrapper/") {
			continue
		}
		models++
		t.Run(filepath.Base(shipped), func(t *testing.T) {
			made := filepath.Join(t.TempDir(), "model.json")
			for i, arg := range args {
				if name, ok := strings.CutPrefix(arg, "corpora/"); ok {
					if os.Getenv("LEDE_LONG") == "" {
						t.Skip("only in the long form")
					}
					args[i] = testkit.Corpus(t, name)
				}
			}
			args[len(args)-1] = made
			cmd := New()
			cmd.SetArgs(args[1:])
			if err := cmd.ExecuteContext(t.Context()); err != nil {
				t.Fatal(err)
			}
			want, err := os.ReadFile(filepath.Join("..", "..", "..", shipped))
			if err != nil {
				t.Fatal(err)
			}
			if got, err := os.ReadFile(made); err != nil || !bytes.Equal(got, want) {
				t.Errorf("the command gives another model than %s: %v; if that is intended, run it", shipped, err)
			}
		})
	}
	if models != 2 {
		t.Errorf("the help has commands for %d models, want 2", models)
	}
}
