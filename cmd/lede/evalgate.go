package main

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/lede-news/lede/internal/eval"
)

// gate holds a result against the floors, and raises them when that is asked.
func (e *evaluation) gate(res *eval.Result) error {
	file := e.flags.floors
	floors, err := eval.ReadFloors(file)
	if err != nil {
		return err
	}
	before, err := eval.ReadBaseline(pagesFile(file))
	if err != nil {
		return err
	}
	now, err := res.Pins()
	if err != nil {
		return err
	}
	pins := floors.Full
	if e.flags.sample {
		pins = floors.Sample
	}
	changes := pins.Compare(now)
	lost := 0
	for _, c := range changes {
		if c.Lost() {
			lost++
			e.tellLoss(c, before, res)
		}
	}
	if e.flags.raise {
		raised := pins.Raise(now)
		if !e.flags.sample { // the sample is a part of what the file knows
			before.Update(res)
		}
		if err := errors.Join(floors.Write(file), before.Write(pagesFile(file))); err != nil {
			return err
		}
		fmt.Fprintf(e.out, "%d floors raised in %s\n", raised, file)
	}
	switch {
	case lost > 0:
		return fmt.Errorf("%d of %d figures fell by more than %g below their floors", lost, len(changes), eval.Tolerance)
	case len(changes) == 0 && !e.flags.raise:
		return fmt.Errorf("%s has no floor for any of these figures; pin them with --raise", file)
	}
	if len(changes) > 0 {
		fmt.Fprintf(e.out, "all %d figures stand at or above their floors\n", len(changes))
	}
	return nil
}

// tellLoss names a figure that fell, and the pages that moved the most.
func (e *evaluation) tellLoss(c eval.Change, before *eval.Baseline, res *eval.Result) {
	const most = 10
	fmt.Fprintf(e.out, "%s, %s: %s fell from %.4f to %.4f\n", c.Corpus, c.System, c.Measure, c.Floor, c.Now)
	moved := before.Moved(res, strings.TrimSuffix(c.Corpus, ", articles"), c.System)
	for i, m := range moved {
		if i == most || m.Now > m.Before {
			break
		}
		fmt.Fprintf(e.out, "  %.3f → %.3f  %s  %s\n", m.Before, m.Now, m.ID, m.Site)
	}
}

// pagesFile stands beside the floors.
func pagesFile(floors string) string {
	return strings.TrimSuffix(floors, filepath.Ext(floors)) + "-pages.tsv"
}
