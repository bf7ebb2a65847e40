package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/lede-news/lede/bench/peers/rivals"
	"github.com/lede-news/lede/internal/eval"
	"github.com/lede-news/lede/internal/eval/corpus"
	"github.com/lede-news/lede/internal/eval/measure"
)

// run is one run of the command.
type run struct {
	corpora                   []string
	rivals, methods, measures []string
	report, json, save        string
	home                      string
	limit                     int
	out, err                  io.Writer
}

func (r *run) do(ctx context.Context) error {
	quality := slices.DeleteFunc(slices.Clone(r.measures), func(name string) bool { return name == "time" })
	if len(quality) == 0 {
		return errors.New("--measure names no measure of quality; time is taken anyway")
	}
	measures, err := measure.Find(append(quality, "time")...)
	if err != nil {
		return err
	}
	corpora, err := r.openCorpora()
	if err != nil {
		return err
	}
	systems, err := r.openSystems()
	defer closeAll(systems)
	if err != nil {
		return err
	}
	files, err := r.openFiles(systems)
	if err != nil {
		return err
	}
	warm(ctx, corpora[0], systems)
	res, err := eval.Run(ctx, corpora, systems, measures, eval.Options{
		Workers: 1, Each: files.add, Problem: r.problem,
		Progress: func(done, total int) {
			if done%100 == 0 {
				r.say("%d of %d pages", done, total)
			}
		},
	})
	if err == nil {
		err = printTables(r.out, res)
	}
	return errors.Join(err, files.finish(res))
}

func (r *run) say(format string, args ...any) { fmt.Fprintf(r.err, "peers: "+format+"\n", args...) }

func (r *run) problem(p corpus.Problem) { r.say("%v", p) }

func (r *run) openCorpora() ([]*corpus.Corpus, error) {
	var list []*corpus.Corpus
	for _, dir := range r.corpora {
		c, err := corpus.Open(dir, corpus.Options{Problem: r.problem})
		if err != nil {
			return nil, err
		}
		if r.limit > 0 {
			left := r.limit
			c = c.Only(func(*corpus.Gold) bool { left--; return left >= 0 })
		}
		list = append(list, c)
	}
	return list, nil
}

// openSystems makes lede's methods and the rivals. A rival that does not start
// is told and left out: the others can be measured without it.
func (r *run) openSystems() ([]eval.System, error) {
	systems, err := methods(r.methods)
	if err != nil {
		return nil, err
	}
	chosen, err := rivals.Choose(r.home, r.rivals...)
	if err != nil {
		return systems, err
	}
	if _, missing := rivals.Installed(r.home); len(missing) > 0 && slices.Contains(r.rivals, "all") {
		r.say("not installed: %s; install.sh installs them", strings.Join(rivals.Names(missing), ", "))
	}
	for _, rival := range chosen {
		s, err := rival.Open(r.home)
		if err != nil {
			r.say("left out: %v", err)
			continue
		}
		systems = append(systems, fresh{s})
		if known, ok := s.(interface{ Info() eval.PipeInfo }); ok {
			r.say("%s %s, %s", s.Name(), strings.TrimPrefix(known.Info().Version, "v"), rival.Language)
		}
	}
	if len(systems) == 0 {
		return nil, errors.New("nothing to measure: choose --methods or --rivals")
	}
	return systems, nil
}

func closeAll(systems []eval.System) {
	for _, s := range systems {
		if c, ok := s.(fresh).System.(interface{ Close() }); ok {
			c.Close()
		}
	}
}
