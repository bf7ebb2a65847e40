package eval

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/lede-news/lede/internal/eval/corpus"
	"github.com/lede-news/lede/internal/eval/measure"
)

// Predictions are outputs read from a file, such as lede batch writes: a line
// of JSON a page, with id and text. They stand for the system that made them.
type Predictions struct {
	name string
	by   map[key]*measure.Output
	// where pages of an id are, to tell wrong ids and ambiguous ones
	corpora map[string][]string
}

type key struct{ corpus, id string }

// NewPredictions makes a system without any outputs yet, for pages of these corpora.
func NewPredictions(name string, corpora []*corpus.Corpus) *Predictions {
	p := &Predictions{name: name, by: map[key]*measure.Output{}, corpora: map[string][]string{}}
	for _, c := range corpora {
		for i := range c.Gold {
			id := c.Gold[i].ID
			p.corpora[id] = append(p.corpora[id], c.Name)
		}
	}
	return p
}

// Name is the name of the system.
func (p *Predictions) Name() string { return p.name }

// Extract gives what was read for the page. A page without a line is a failure.
func (p *Predictions) Extract(_ context.Context, in *Input) *measure.Output {
	if out := p.by[key{in.Corpus, in.ID}]; out != nil {
		return out
	}
	return &measure.Output{Error: "no prediction"}
}

// Read adds the lines of a file. What is wrong with a line is told with the
// line's number, and reading goes on unless tell gives an error.
func (p *Predictions) Read(file string, tell func(corpus.Problem) error) error {
	f, err := os.Open(file)
	if err != nil {
		return err
	}
	defer f.Close()
	b := bufio.NewReaderSize(f, 1<<16)
	for n := 1; ; n++ {
		row, err := b.ReadBytes('\n')
		if err != nil && err != io.EOF {
			return corpus.Problem{File: file, Line: n, Err: err}
		}
		if row = bytes.TrimSpace(row); len(row) > 0 {
			if wrong := p.add(row); wrong != nil {
				if err := tell(corpus.Problem{File: file, Line: n, Err: wrong}); err != nil {
					return err
				}
			}
		}
		if err == io.EOF {
			return nil
		}
	}
}

func (p *Predictions) add(row []byte) error {
	var a answer
	if err := json.Unmarshal(row, &a); err != nil {
		return fmt.Errorf("a broken line: %w", err)
	}
	if a.ID == "" {
		return errors.New("a prediction without id")
	}
	switch in := p.corpora[a.ID]; len(in) {
	case 0:
		return fmt.Errorf("a prediction for an unknown page %q", a.ID)
	case 1:
		k := key{in[0], a.ID}
		if p.by[k] != nil {
			return fmt.Errorf("a second prediction for page %q; the first is kept", a.ID)
		}
		p.by[k] = a.output()
		return nil
	default:
		return fmt.Errorf("page %q is in %s; evaluate them apart", a.ID, strings.Join(in, " and "))
	}
}
