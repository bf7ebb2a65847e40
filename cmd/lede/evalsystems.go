package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/lede-news/lede"
	"github.com/lede-news/lede/article"
	"github.com/lede-news/lede/internal/eval"
	"github.com/lede-news/lede/internal/eval/corpus"
)

// chooseSystems makes the systems: methods, predictions, programs.
func (e *evaluation) chooseSystems(ctx context.Context) error {
	f := e.flags
	names := f.methods
	if len(names) == 0 {
		for _, m := range lede.Methods() {
			if !strings.Contains(m.Name, ":") {
				names = append(names, m.Name)
			}
		}
	}
	if slices.Equal(names, []string{"none"}) {
		names = nil
	}
	if err := e.addMethods(ctx, names); err != nil {
		return err
	}
	if err := e.addPredictions(); err != nil {
		return failure{err}
	}
	if err := e.addRivals(); err != nil {
		return failure{err}
	}
	seen := map[string]bool{}
	for _, s := range e.systems {
		if seen[s.Name()] {
			return fmt.Errorf("two systems are called %s", s.Name())
		}
		seen[s.Name()] = true
	}
	if len(e.systems) == 0 {
		return errors.New("nothing to measure: choose --methods, --pred or --rival")
	}
	return nil
}

// addMethods adds methods of lede, with every number of neighbours asked for.
func (e *evaluation) addMethods(ctx context.Context, names []string) error {
	if len(e.flags.neighbours) == 0 {
		for _, name := range names {
			if err := e.addMethod(name, name, nil); err != nil {
				return err
			}
		}
		return nil
	}
	around, err := e.meetNeighbours(ctx)
	if err != nil {
		return err
	}
	for _, name := range names {
		for _, n := range e.flags.neighbours {
			called := name + "+" + n
			if n == "0" {
				called = name
			}
			know, err := around.teacher(name, n)
			if err != nil {
				return err
			}
			if err := e.addMethod(called, name, know); err != nil {
				return err
			}
		}
	}
	return nil
}

func (e *evaluation) addMethod(called, name string, know func(*eval.Input) lede.Site) error {
	s, err := ledeSystem(called, name, know)
	if err == nil {
		e.systems = append(e.systems, s)
	}
	return err
}

// ledeSystem is a method of lede that knows the site of a page, or, where know
// is nil, nothing.
func ledeSystem(called, name string, know func(*eval.Input) lede.Site) (eval.System, error) {
	x, err := lede.New(lede.WithMethod(name))
	if err != nil {
		return nil, err
	}
	return eval.Method(called, func(ctx context.Context, in *eval.Input) (*article.Article, error) {
		opts := []lede.Option{lede.WithURL(in.URL)}
		if know != nil {
			if s := know(in); s != nil {
				opts = append(opts, lede.WithSite(s))
			}
		}
		return x.ExtractDocument(ctx, in.Doc, opts...)
	}), nil
}

func (e *evaluation) addPredictions() error {
	by := map[string]*eval.Predictions{}
	for _, s := range e.flags.preds {
		name, file, ok := strings.Cut(s, "=")
		if !ok || name == "" {
			return fmt.Errorf("--pred %s: it takes the form NAME=FILE", s)
		}
		if by[name] == nil {
			by[name] = eval.NewPredictions(name, e.corpora)
			e.systems = append(e.systems, by[name])
		}
		err := by[name].Read(file, func(p corpus.Problem) error {
			if e.flags.strict {
				return p
			}
			e.problem(p)
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

func (e *evaluation) addRivals() error {
	for _, s := range e.flags.rivals {
		name, command, ok := strings.Cut(s, "=")
		if !ok || name == "" {
			return fmt.Errorf("--rival %s: it takes the form NAME=COMMAND", s)
		}
		p, err := eval.Pipe(name, strings.Fields(command), eval.PipeOptions{})
		if err != nil {
			return err
		}
		e.pipes = append(e.pipes, p)
		e.systems = append(e.systems, p)
	}
	return nil
}
