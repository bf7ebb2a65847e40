package command

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/lede-news/lede"
	"github.com/lede-news/lede/article"
	"github.com/lede-news/lede/internal/cli"
	"github.com/lede-news/lede/internal/lab/eval"
)

// chooseSystems sets up the systems: methods, predictions, programs.
func (e *evaluation) chooseSystems() error {
	names := e.methods
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
		if err := e.addMethod(name); err != nil {
			return err
		}
	}
	if err := errors.Join(e.addPredictions(), e.addRivals()); err != nil {
		return cli.Fail(err)
	}
	seen := map[string]bool{}
	for _, s := range e.systems {
		if seen[s.Name()] {
			return fmt.Errorf("two systems are called %s; rename one", s.Name())
		}
		seen[s.Name()] = true
	}
	if len(e.systems) == 0 {
		return errors.New("nothing to measure: use --methods, --pred or --rival")
	}
	return nil
}

// addMethod adds a method of lede.
func (e *evaluation) addMethod(name string) error {
	x, err := lede.New(lede.WithMethod(name), lede.WithReasons(false))
	if err != nil {
		return err
	}
	e.systems = append(e.systems, eval.Method(name, func(ctx context.Context, in *eval.Input) (*article.Article, string, error) {
		found, err := x.ExplainDocument(ctx, in.Doc, lede.WithURL(in.URL))
		if err != nil {
			return nil, "", err
		}
		return found.Article, found.MethodTitle(), nil
	}))
	return nil
}

func (e *evaluation) addPredictions() error {
	by := map[string]*eval.Predictions{}
	for _, s := range e.preds {
		name, file, ok := strings.Cut(s, "=")
		if !ok || name == "" {
			return fmt.Errorf("--pred %s: not of the form NAME=FILE", s)
		}
		if by[name] == nil {
			by[name] = eval.NewPredictions(name, e.corpora)
			e.systems = append(e.systems, by[name])
		}
		if err := by[name].Read(file, e.problem); err != nil {
			return err
		}
	}
	return nil
}

func (e *evaluation) addRivals() error {
	for _, s := range e.rivals {
		name, command, ok := strings.Cut(s, "=")
		if !ok || name == "" {
			return fmt.Errorf("--rival %s: not of the form NAME=COMMAND", s)
		}
		p, err := eval.Pipe(name, strings.Fields(command), eval.PipeOptions{})
		if err != nil {
			return err
		}
		e.systems = append(e.systems, p)
	}
	return nil
}
