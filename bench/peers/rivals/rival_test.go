package rivals

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestAll(t *testing.T) {
	seen := map[string]bool{"all": true, "go": true, "none": true} // what Choose takes for more than a name
	for _, r := range All() {
		if r.Name == "" || r.Language == "" || r.open == nil {
			t.Errorf("half a rival: %+v", r)
		}
		if strings.ContainsAny(r.Name, " ,/:") {
			t.Errorf("%q cannot be named in a list or a file", r.Name)
		}
		if seen[r.Name] {
			t.Errorf("two rivals are called %s", r.Name)
		}
		seen[r.Name] = true
		if (r.Language == "Go") != (len(r.Needs) == 0) {
			t.Errorf("%s, %s, needs %q", r.Name, r.Language, r.Needs)
		}
	}
}

func TestInstalled(t *testing.T) {
	home := t.TempDir()
	here, missing := Installed(home)
	if got, want := Names(here), Names(compiled()); !slices.Equal(got, want) {
		t.Errorf("in an empty folder there is %q, want %q", got, want)
	}
	if len(here)+len(missing) != len(All()) {
		t.Errorf("%d here and %d missing", len(here), len(missing))
	}
	write(t, filepath.Join(home, rust()[0].Needs[0]), "")
	if !rust()[0].Installed(home) {
		t.Error("its file is there, and it is not installed")
	}
}

func TestChoose(t *testing.T) {
	home := t.TempDir()
	for names, want := range map[string]string{
		"all":                       strings.Join(Names(compiled()), " "),
		"go":                        strings.Join(Names(compiled()), " "),
		"none":                      "",
		"go-readability,go":         "go-readability go-trafilatura go-trafilatura+fallback go-domdistiller",
		"go-readability,trafilatur": `no rival "trafilatur"`,
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

// write makes a file that can be run.
func write(t *testing.T, file, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o777); err != nil {
		t.Fatal(err)
	}
}
