package rivals

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/lede-news/lede/internal/lab/eval"
	"github.com/lede-news/lede/internal/lab/eval/measure"
)

func TestAll(t *testing.T) {
	seen := map[string]bool{"all": true, "go": true, "none": true} // reserved names
	for _, r := range All() {
		if r.Name == "" || r.Language == "" || r.open == nil {
			t.Errorf("incomplete: %+v", r)
		}
		if strings.ContainsAny(r.Name, " ,/:") {
			t.Errorf("%q is not valid in a list or a file name", r.Name)
		}
		if seen[r.Name] {
			t.Errorf("repeated name %s", r.Name)
		}
		seen[r.Name] = true
		if (r.Language == "Go") != (len(r.Needs) == 0) {
			t.Errorf("%s, %s, needs %q", r.Name, r.Language, r.Needs)
		}
	}
}

func TestInstalled(t *testing.T) {
	home := t.TempDir()
	installed, missing := Installed(home)
	if got, want := Names(installed), Names(compiled()); !slices.Equal(got, want) {
		t.Errorf("in an empty folder: %q, want %q", got, want)
	}
	if len(installed)+len(missing) != len(All()) {
		t.Errorf("%d installed, %d missing", len(installed), len(missing))
	}
	write(t, filepath.Join(home, rust()[0].Needs[0]), "")
	if !rust()[0].Installed(home) {
		t.Error("not installed, although its file exists")
	}
}

func TestChoose(t *testing.T) {
	home := t.TempDir()
	for names, want := range map[string]string{
		"all":                       strings.Join(Names(compiled()), " "),
		"go":                        strings.Join(Names(compiled()), " "),
		"none":                      "",
		"go-readability,go":         "go-readability go-trafilatura go-trafilatura+fallback go-domdistiller",
		"go-readability,trafilatur": `unknown rival "trafilatur"`,
		"trafilatura":               "trafilatura is not installed; run install.sh",
	} {
		chosen, err := Choose(home, strings.Split(names, ",")...)
		got := strings.Join(Names(chosen), " ")
		if err != nil {
			got = err.Error()
		}
		if err != nil && !strings.HasPrefix(got, want) || err == nil && got != want {
			t.Errorf("%s: got %q, want %q", names, got, want)
		}
	}
}

// write writes an executable file.
func write(t *testing.T, file, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o777); err != nil {
		t.Fatal(err)
	}
}

// TestProgram runs a program that fails on some pages. The next page works.
func TestProgram(t *testing.T) {
	s := openFake(t)
	good := &measure.Output{Text: "It rained.", Authors: []string{"Ann"}, Parse: time.Millisecond, Time: 2 * time.Millisecond}
	for id, want := range map[string]string{
		"crash":   "out of memory",
		"garbage": "not JSON",
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
		t.Errorf("hanging program: %+v", out)
	}
	if out := s.Extract(t.Context(), &eval.Input{ID: "good"}); out.Error != "" {
		t.Errorf("after a hang: %s", out.Error)
	}
}

func openFake(t *testing.T) eval.System {
	t.Helper()
	if _, err := exec.LookPath("sh"); err != nil {
		t.Skip("no sh for the fake rival")
	}
	script, err := os.ReadFile("testdata/fake.sh")
	if err != nil {
		t.Fatal(err)
	}
	home := t.TempDir()
	r := program("fake", "sh", "bin/fake.sh")
	if r.Installed(home) {
		t.Fatal("installed without its file")
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

// TestPrograms runs the installed rivals on an article and on an empty page.
func TestPrograms(t *testing.T) {
	for _, r := range All()[len(compiled()):] {
		t.Run(r.Name, func(t *testing.T) {
			const home = ".."
			if !r.Installed(home) {
				t.Skipf("%s is not installed; run install.sh", r.Name)
			}
			s, err := r.Open(home)
			if err != nil {
				t.Fatal(err)
			}
			p := s.(*eval.PipeSystem)
			defer p.Close()
			if i := p.Info(); i.Name != r.Name || i.Language != r.Language || i.Version == "" {
				t.Errorf("info: %+v", i)
			}
			checkArticle(t, p.Extract(t.Context(), article(t)))
			if out := p.Extract(t.Context(), &eval.Input{ID: "none"}); out.Error == "" {
				t.Errorf("empty page: %+v", out)
			}
			in := article(t)
			in.URL = ""
			checkArticle(t, p.Extract(t.Context(), in))
		})
	}
}
