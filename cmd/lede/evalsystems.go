package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/lede-news/lede"
	"github.com/lede-news/lede/article"
	"github.com/lede-news/lede/eval"
	"github.com/lede-news/lede/eval/corpus"
)

// chooseSystems makes the systems: methods, predictions, programs.
func (e *evaluation) chooseSystems() error {
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
	for _, name := range names {
		if _, err := lede.NewMethod(name); err != nil {
			return err
		}
		x := lede.New(lede.WithMethod(name))
		e.systems = append(e.systems, eval.Method(name, func(ctx context.Context, in *eval.Input) (*article.Article, error) {
			return x.ExtractDocument(in.Doc, lede.WithContext(ctx), lede.WithURL(in.URL))
		}))
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
