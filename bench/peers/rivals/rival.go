package rivals

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/lede-news/lede/internal/eval"
)

// Rival is an extractor that can be measured.
type Rival struct {
	Name     string
	Language string
	// Needs are the files that have to be there, under the folder of this module;
	// none for a library that is compiled in.
	Needs []string

	open func(home string) (eval.System, error)
}

// All lists the rivals, those that are compiled in first.
func All() []Rival {
	return slices.Concat(compiled(), python(), node(), rust())
}

// Installed says whether everything that the rival needs is under home, the
// folder of this module.
func (r Rival) Installed(home string) bool {
	return !slices.ContainsFunc(r.Needs, func(file string) bool {
		_, err := os.Stat(filepath.Join(home, file))
		return err != nil
	})
}

// Open makes the system, and starts its program if it has one. A system with
// a Close method is to be closed.
func (r Rival) Open(home string) (eval.System, error) { return r.open(home) }

// Installed lists the rivals that can be opened, and those that cannot.
func Installed(home string) (here, missing []Rival) {
	for _, r := range All() {
		if r.Installed(home) {
			here = append(here, r)
		} else {
			missing = append(missing, r)
		}
	}
	return here, missing
}

// Choose finds rivals by name. The name go means those that are compiled in, all
// those that are installed, none none. A rival that is named must be installed.
func Choose(home string, names ...string) ([]Rival, error) {
	here, missing := Installed(home)
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
			add(here...)
		case name == "go":
			add(compiled()...)
		case slices.ContainsFunc(here, named):
			add(here[slices.IndexFunc(here, named)])
		case slices.ContainsFunc(missing, named):
			return nil, fmt.Errorf("%s is not installed; run install.sh", name)
		default:
			return nil, fmt.Errorf("no rival %q; there is %s", name, strings.Join(Names(All()), ", "))
		}
	}
	return chosen, nil
}

// Names are the names of rivals.
func Names(list []Rival) []string {
	names := make([]string, len(list))
	for i, r := range list {
		names[i] = r.Name
	}
	return names
}
