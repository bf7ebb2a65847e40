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

	open func(home string) (eval.System, error)
}

// All returns all rivals, Go libraries first.
func All() []Rival {
	return slices.Concat(compiled(), python(), node(), rust())
}

// Installed reports whether all files that the rival needs are in home, the folder
// of this module.
func (r Rival) Installed(home string) bool {
	return !slices.ContainsFunc(r.Needs, func(file string) bool {
		_, err := os.Stat(filepath.Join(home, file))
		return err != nil
	})
}

// Open returns the system, and starts its program if it has one. The caller must
// call its Close method, if there is one.
func (r Rival) Open(home string) (eval.System, error) { return r.open(home) }

// Installed returns the rivals that are installed and those that are not.
func Installed(home string) (installed, missing []Rival) {
	for _, r := range All() {
		if r.Installed(home) {
			installed = append(installed, r)
		} else {
			missing = append(missing, r)
		}
	}
	return installed, missing
}

// Choose returns rivals by name. The name go stands for all Go libraries, all for
// all installed rivals, and none for none. A named rival must be installed.
func Choose(home string, names ...string) ([]Rival, error) {
	installed, missing := Installed(home)
	var chosen []Rival
	add := func(more ...Rival) {
		for _, r := range more {
			if !slices.ContainsFunc(chosen, func(c Rival) bool { return c.Name == r.Name }) {
				chosen = append(chosen, r)
			}
		}
	}
	for _, name := range names {
		named := func(r Rival) bool { return r.Name == name }
		switch {
		case name == "none":
		case name == "all":
			add(installed...)
		case name == "go":
			add(compiled()...)
		case slices.ContainsFunc(installed, named):
			add(installed[slices.IndexFunc(installed, named)])
		case slices.ContainsFunc(missing, named):
			return nil, fmt.Errorf("%s is not installed; run install.sh", name)
		default:
			return nil, fmt.Errorf("unknown rival %q; available: %s", name, strings.Join(Names(All()), ", "))
		}
	}
	return chosen, nil
}

// Names returns the names of rivals.
func Names(list []Rival) []string {
	names := make([]string, len(list))
	for i, r := range list {
		names[i] = r.Name
	}
	return names
}

// FromPython is the name of lede's own package for Python, which is measured as the
// rivals are.
const FromPython = "lede-news"

func python() []Rival {
	var list []Rival
	for _, name := range []string{"trafilatura", "newspaper4k", "resiliparse", "justext", "readability-lxml", "boilerpy3", "news-please", FromPython} {
		list = append(list, program(name, "Python", ".rivals/python/bin/python", "python/rival.py", name))
	}
	own := &list[len(list)-1]
	own.Needs = append(own.Needs, ".rivals/python/bin/lede") // it is installed after the others
	return list
}

func node() []Rival {
	var list []Rival
	for _, name := range []string{"readability.js", "defuddle"} {
		r := program(name, "JavaScript", "node", "node/rival.mjs", name)
		r.Needs = []string{"node/node_modules"}
		list = append(list, r)
	}
	return list
}

func rust() []Rival {
	return []Rival{program("rs-trafilatura", "Rust", ".rivals/rust/release/rival")}
}

// program returns a rival that runs as a program. A command with a folder is
// relative to home; others are looked up in PATH.
func program(name, language, command string, args ...string) Rival {
	r := Rival{Name: name, Language: language}
	local := filepath.Base(command) != command
	if local {
		r.Needs = []string{command}
	}
	r.open = func(home string) (eval.System, error) {
		home, err := filepath.Abs(home)
		if err != nil {
			return nil, err
		}
		run := append([]string{command}, args...)
		if local {
			run[0] = filepath.Join(home, command)
		}
		return eval.Pipe(name, slices.Concat(oneCore(), run), eval.PipeOptions{Dir: home, Env: oneThread})
	}
	return r
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
