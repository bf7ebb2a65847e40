package rivals

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/lede-news/lede/internal/lab/eval"
)

func TestAll(t *testing.T) {
	seen := map[string]bool{"all": true, "go": true, "none": true} // reserved names
	for _, r := range All() {
		if r.Name == "" || r.Language == "" || r.Open == nil {
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

func TestChoose(t *testing.T) {
	home := t.TempDir()
	for names, want := range map[string]string{
		"all":                       strings.Join(Names(compiled()), " "),
		"go":                        strings.Join(Names(compiled()), " "),
		"none":                      "",
		"go-readability,go":         strings.Join(Names(compiled()), " "),
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

// TestProgram runs a program that is relative to the folder.
func TestProgram(t *testing.T) {
	if _, err := exec.LookPath("sh"); err != nil {
		t.Skip("no sh for the fake rival")
	}
	home := t.TempDir()
	r := program("fake", "sh", []string{"bin/fake.sh"}, "bin/fake.sh")
	if r.Installed(home) {
		t.Error("installed before there is a file")
	}
	write(t, filepath.Join(home, "bin/fake.sh"), `#!/bin/sh
echo '{"name":"fake","version":"1","language":"sh"}'
read -r line
echo '{"id":"good","text":"It rained."}'
`)
	if !r.Installed(home) {
		t.Fatalf("not installed, needs %q", r.Needs)
	}
	s, err := r.Open(home)
	if err != nil {
		t.Fatal(err)
	}
	defer s.(*eval.PipeSystem).Close()
	if out := s.Extract(t.Context(), &eval.Input{ID: "good"}); out.Error != "" || out.Text != "It rained." {
		t.Errorf("got %+v", out)
	}
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
