package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"github.com/lede-news/lede/batch"
	"github.com/lede-news/lede/internal/cli"
)

// runPlan is what plan.json has: what all processes that write to one folder must have
// in common. lede_news.spark reads and writes it too.
type runPlan struct {
	Format   int          `json:"plan"`
	Settings planSettings `json:"settings"`
	Fields   []string     `json:"fields"` // of a record
	Archives []string     `json:"archives"`
	Sizes    []int64      `json:"sizes"` // -1 if it is unknown
	Tasks    []batch.Task `json:"tasks"`
}

// planSettings is what the results depend on, beside the archives.
type planSettings struct {
	Flags       []string `json:"flags"` // of lede batch
	PartitionBy []string `json:"partition_by"`
	Sites       bool     `json:"sites"`
	Split       int64    `json:"split"`
}

const planFormat = 1

// overwriting is in plan.json while the results of another run are deleted.
const overwriting = "an overwrite was interrupted: use --overwrite again"

func newRunPlan(archives []batch.Archive, split int64, flags []string) *runPlan {
	p := &runPlan{Format: planFormat, Settings: planSettings{Flags: flags, PartitionBy: []string{}, Split: split},
		Archives: make([]string, len(archives)), Sizes: make([]int64, len(archives)), Tasks: []batch.Task{}}
	for f := range reflect.TypeFor[batch.Line]().Fields() {
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		p.Fields = append(p.Fields, name)
	}
	p.Tasks = append(p.Tasks, batch.Plan(archives, split)...)
	for _, t := range p.Tasks {
		p.Archives[t.Archive], p.Sizes[t.Archive] = t.Path, archives[t.Archive].Size
	}
	return p
}

// planFlags are the flags of batch that the results of a task depend on.
var planFlags = slices.Concat(resultFlags, []string{"anchors", "index", "no-learn"})

// wholeFlags are flags of batch that need all pages at once, so that no task can have
// them.
var wholeFlags = []string{"shard", "two-pass", "stories", "one-per-story"}

// batchFlagsOf returns the flags of a batch that its results depend on, with their
// values.
func batchFlagsOf(args []string) ([]string, error) {
	cmd := newBatch()
	if err := cmd.ParseFlags(args); err != nil {
		return nil, cli.FlagError(cmd, err)
	}
	if rest := cmd.Flags().Args(); len(rest) > 0 {
		return nil, fmt.Errorf("%q is not expected after --: name flags of lede batch only", rest[0])
	}
	return planFlagsOf(cmd.Flags()), nil
}

func planFlagsOf(flags *pflag.FlagSet) []string {
	args := []string{}
	flags.VisitAll(func(fl *pflag.Flag) {
		if slices.Contains(planFlags, fl.Name) && !slices.Contains(wholeFlags, fl.Name) {
			args = append(args, flagArgs(fl)...)
		}
	})
	slices.Sort(args)
	return args
}

// parsePlan reads a plan.json.
func parsePlan(text []byte) (*runPlan, error) {
	p := new(runPlan)
	if bytes.HasPrefix(text, []byte("an overwrite")) { // of this program or of lede_news.spark
		return nil, errors.New(overwriting)
	}
	if err := json.Unmarshal(text, p); err != nil || len(p.Sizes) != len(p.Archives) {
		return nil, errors.New("it is damaged")
	}
	flags, err := batchFlagsOf(p.Settings.Flags)
	if err != nil {
		return nil, fmt.Errorf("it is of another version of lede: %w", err)
	}
	p.Settings.Flags = flags
	for i, t := range p.Tasks {
		if t.Part != i || t.Archive < 0 || t.Archive >= len(p.Archives) {
			return nil, errors.New("it is damaged")
		}
	}
	return p, nil
}

// check returns an error if a run with another plan cannot continue this one.
func (p *runPlan) check(run *runPlan) error {
	old, now := &p.Settings, &run.Settings
	switch {
	case !slices.Equal(old.Flags, now.Flags):
		return fmt.Errorf("it has results with other settings: %s, and not %s", onlyIn(old.Flags, now.Flags), onlyIn(now.Flags, old.Flags))
	case old.Sites, len(old.PartitionBy) > 0:
		return errors.New("it has results of Spark with --sites or --partition-by, which only lede_news.spark can continue")
	case old.Split != now.Split:
		return fmt.Errorf("it has results with --split %d, and not %d", old.Split, now.Split)
	case len(p.Fields) > 0 && !slices.Equal(p.Fields, run.Fields):
		return errors.New("it has results of another version of lede, whose records have other fields")
	case len(p.Archives) != len(run.Archives):
		return fmt.Errorf("it has results of another list, of %d archives, and not of %d", len(p.Archives), len(run.Archives))
	}
	for i, path := range run.Archives {
		if p.Archives[i] != path {
			return fmt.Errorf("it has results of other archives: number %d is %s, and not %s", i+1, p.Archives[i], path)
		}
		if was, is := p.Sizes[i], run.Sizes[i]; was > 0 && is >= 0 && was != is {
			return fmt.Errorf("%s has changed since: it had %d bytes, and now has %d", path, was, is)
		}
	}
	return nil
}

// onlyIn lists what is in a and not in b.
func onlyIn(a, b []string) string {
	list := slices.DeleteFunc(slices.Clone(a), func(s string) bool { return slices.Contains(b, s) })
	if len(list) == 0 {
		return "nothing"
	}
	return strings.Join(list, " ")
}
