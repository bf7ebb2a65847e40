// Package rivals wraps other extractors as systems for package eval: Go libraries
// in this process, libraries in other languages as programs with a pipe. Each is
// called as in its documentation, with default settings, and its text is used as
// it is. The time is that from the bytes of the page to the result of the library;
// parsing is timed separately if the library accepts a parsed page.
package rivals

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"

	"github.com/lede-news/lede/internal/lab/eval"
)

// Rival is an extractor that can be measured.
type Rival struct {
	Name     string
	Language string
	// Needs are the required files in the folder of this module. A library that is
	// compiled in needs none.
	Needs []string
	// Open returns the system, and starts its program in home, the folder of this module,
	// if it has one. The caller must call its Close method, if there is one.
	Open func(home string) (eval.System, error)
}

// All returns all rivals, Go libraries first.
func All() []Rival {
	list := compiled()
	const python, rust = ".rivals/python/bin/python", ".rivals/rust/release/rival"
	for _, name := range []string{"trafilatura", "newspaper4k", "resiliparse", "justext", "readability-lxml", "boilerpy3", "news-please"} {
		list = append(list, program(name, "Python", []string{python}, python, "python/rival.py", name))
	}
	// lede's own package for Python is installed after the others.
	list = append(list, program("lede-news", "Python", []string{python, ".rivals/python/bin/lede"}, python, "python/rival.py", "lede-news"))
	for _, name := range []string{"readability.js", "defuddle"} {
		list = append(list, program(name, "JavaScript", []string{"node/node_modules"}, "node", "node/rival.mjs", name))
	}
	return append(list, program("rs-trafilatura", "Rust", []string{rust}, rust))
}

// Installed reports whether all files that the rival needs are in home.
func (r Rival) Installed(home string) bool {
	return !slices.ContainsFunc(r.Needs, func(file string) bool {
		_, err := os.Stat(filepath.Join(home, file))
		return err != nil
	})
}

// Missing returns the names of the rivals that are not installed.
func Missing(home string) []string {
	return Names(slices.DeleteFunc(All(), func(r Rival) bool { return r.Installed(home) }))
}

// Choose returns rivals by name. The name go stands for all Go libraries, all for
// all installed rivals, and none for none. A named rival must be installed.
func Choose(home string, names ...string) ([]Rival, error) {
	for _, name := range names {
		switch {
		case slices.Contains([]string{"all", "go", "none"}, name):
		case !slices.Contains(Names(All()), name):
			return nil, fmt.Errorf("unknown rival %q; available: %s", name, strings.Join(Names(All()), ", "))
		case slices.Contains(Missing(home), name):
			return nil, fmt.Errorf("%s is not installed; run install.sh", name)
		}
	}
	return slices.DeleteFunc(All(), func(r Rival) bool {
		all := slices.Contains(names, "all") || slices.Contains(names, "go") && r.Language == "Go"
		return !(all && r.Installed(home)) && !slices.Contains(names, r.Name)
	}), nil
}

// Names returns the names of rivals.
func Names(list []Rival) []string {
	names := make([]string, len(list))
	for i, r := range list {
		names[i] = r.Name
	}
	return names
}

// program returns a rival that runs as a program. A command with a folder is
// relative to home; others are looked up in PATH.
func program(name, language string, needs []string, command string, args ...string) Rival {
	open := func(home string) (eval.System, error) {
		home, err := filepath.Abs(home)
		if err != nil {
			return nil, err
		}
		run := append([]string{command}, args...)
		if filepath.Base(command) != command {
			run[0] = filepath.Join(home, command)
		}
		return eval.Pipe(name, slices.Concat(oneCore(), run), eval.PipeOptions{Dir: home, Env: oneThread})
	}
	return Rival{name, language, needs, open}
}

// oneThread limits common libraries to one thread.
var oneThread = []string{"OMP_NUM_THREADS=1", "RAYON_NUM_THREADS=1", "GOMAXPROCS=1", "UV_THREADPOOL_SIZE=1"}

// oneCore returns the command prefix that limits a program to the last core, which
// is often the least busy. It is empty if there is no taskset.
var oneCore = sync.OnceValue(func() []string {
	prefix := []string{"taskset", "-c", fmt.Sprint(runtime.NumCPU() - 1)}
	if exec.Command(prefix[0], prefix[1], prefix[2], "true").Run() != nil {
		return nil
	}
	return prefix
})
