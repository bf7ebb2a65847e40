package main

import (
	"fmt"
	"io"
	"slices"

	"github.com/lede-news/lede"
	"github.com/lede-news/lede/bench/peers/rivals"
	"github.com/lede-news/lede/internal/lab/eval"
	"github.com/lede-news/lede/internal/lab/eval/measure"
)

// same compares the outputs of lede from Python with those of lede in Go, which
// must be equal.
type same struct {
	golang, python int // systems; -1 if it is not measured
	pages, equal   int
	log            func(format string, args ...any)
}

func newSame(systems []eval.System, log func(format string, args ...any)) *same {
	find := func(name string) int {
		return slices.IndexFunc(systems, func(s eval.System) bool { return s.Name() == name })
	}
	return &same{golang: find("lede " + lede.DefaultMethod), python: find(rivals.FromPython), log: log}
}

// add compares the outputs for a page.
func (s *same) add(page *eval.Page) {
	if s.golang < 0 || s.python < 0 {
		return
	}
	s.pages++
	if part := difference(page.Outputs[s.golang], page.Outputs[s.python]); part != "" {
		s.log("%s %s: lede in Go and from Python differ: %s", page.Corpus, page.ID, part)
		return
	}
	s.equal++
}

// print writes the result of the comparison.
func (s *same) print(w io.Writer) {
	if s.pages > 0 {
		fmt.Fprintf(w, "%s has the output of lede %s on %d of %d pages\n", rivals.FromPython, lede.DefaultMethod, s.equal, s.pages)
	}
}

// difference names the first part in which two outputs differ.
func difference(a, b *measure.Output) string {
	switch {
	case (a.Error == "") != (b.Error == ""):
		return fmt.Sprintf("error %q, %q", a.Error, b.Error)
	case a.Title != b.Title:
		return fmt.Sprintf("title %q, %q", a.Title, b.Title)
	case a.Text != b.Text:
		return fmt.Sprintf("text of %d and %d bytes", len(a.Text), len(b.Text))
	case !slices.Equal(a.Authors, b.Authors):
		return fmt.Sprintf("authors %q, %q", a.Authors, b.Authors)
	case a.Date != b.Date:
		return fmt.Sprintf("date %q, %q", a.Date, b.Date)
	case a.Type != b.Type:
		return fmt.Sprintf("type %q, %q", a.Type, b.Type)
	}
	return ""
}
