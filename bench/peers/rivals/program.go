package rivals

import (
	"fmt"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"sync"

	"github.com/lede-news/lede/internal/eval"
)

func python() []Rival {
	var list []Rival
	for _, name := range []string{"trafilatura", "newspaper4k", "resiliparse", "justext", "readability-lxml", "boilerpy3", "news-please"} {
		list = append(list, program(name, "Python", ".rivals/python/bin/python", "python/rival.py", name))
	}
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

// program is a rival that runs as a process of its own. The command is looked
// up under home when it has a folder in it, else on the path.
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

// oneThread asks the usual libraries for one thread, where cores cannot be given out.
var oneThread = []string{"OMP_NUM_THREADS=1", "RAYON_NUM_THREADS=1", "GOMAXPROCS=1", "UV_THREADPOOL_SIZE=1"}

// oneCore is the command that holds another one to the last core, which others
// use least; nothing where there is none, as outside Linux.
var oneCore = sync.OnceValue(func() []string {
	hold := []string{"taskset", "-c", fmt.Sprint(runtime.NumCPU() - 1)}
	if exec.Command(hold[0], hold[1], hold[2], "true").Run() != nil {
		return nil
	}
	return hold
})
