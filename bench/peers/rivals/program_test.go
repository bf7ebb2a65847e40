package rivals

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/lede-news/lede/internal/eval"
	"github.com/lede-news/lede/internal/eval/measure"
)

// TestProgram drives a program that misbehaves: each time that page is lost, and
// the next one is done.
func TestProgram(t *testing.T) {
	s := openFake(t)
	good := &measure.Output{Text: "It rained.", Authors: []string{"Ann"}, Parse: time.Millisecond, Time: 2 * time.Millisecond}
	for id, want := range map[string]string{
		"crash":   "out of ideas",
		"garbage": "no JSON",
		"wrong":   `"another"`,
		"fail":    "no text found",
	} {
		if out := s.Extract(t.Context(), &eval.Input{ID: id}); !strings.Contains(out.Error, want) {
			t.Errorf("%s: got %+v, want an error with %q", id, out, want)
		}
		if out := s.Extract(t.Context(), &eval.Input{ID: "good", HTML: []byte("<p>a\nb")}); !reflect.DeepEqual(out, good) {
			t.Errorf("after %s: got %+v, want %+v", id, out, good)
		}
	}
}

func TestProgramHangs(t *testing.T) {
	s := openFake(t)
	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	if out := s.Extract(ctx, &eval.Input{ID: "hang"}); out.Error == "" {
		t.Errorf("got %+v of a program that hangs", out)
	}
	if out := s.Extract(t.Context(), &eval.Input{ID: "good"}); out.Error != "" {
		t.Errorf("after it hung: %s", out.Error)
	}
}

func openFake(t *testing.T) eval.System {
	t.Helper()
	if _, err := exec.LookPath("sh"); err != nil {
		t.Skip("the fake rival is a shell script, and there is no sh")
	}
	script, err := os.ReadFile("testdata/fake.sh")
	if err != nil {
		t.Fatal(err)
	}
	home := t.TempDir()
	r := program("fake", "sh", "bin/fake.sh")
	if r.Installed(home) {
		t.Fatal("installed before it is")
	}
	write(t, filepath.Join(home, "bin/fake.sh"), string(script))
	if !r.Installed(home) {
		t.Fatalf("not installed, needs %q", r.Needs)
	}
	s, err := r.Open(home)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.(*eval.PipeSystem).Close)
	return s
}

// TestPrograms has the rivals that are installed extract a page, and stand one
// that is none.
func TestPrograms(t *testing.T) {
	for _, r := range All()[len(compiled()):] {
		t.Run(r.Name, func(t *testing.T) {
			const home = ".."
			if !r.Installed(home) {
				t.Skipf("%s is not installed; install.sh installs it", r.Name)
			}
			s, err := r.Open(home)
			if err != nil {
				t.Fatal(err)
			}
			p := s.(*eval.PipeSystem)
			defer p.Close()
			if i := p.Info(); i.Name != r.Name || i.Language != r.Language || i.Version == "" {
				t.Errorf("says that it is %+v", i)
			}
			checkStory(t, p.Extract(t.Context(), story(t)))
			if out := p.Extract(t.Context(), &eval.Input{ID: "none"}); out.Error == "" {
				t.Errorf("got %+v of an empty page", out)
			}
			in := story(t)
			in.URL = ""
			checkStory(t, p.Extract(t.Context(), in))
		})
	}
}
