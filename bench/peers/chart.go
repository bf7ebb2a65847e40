package main

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"
)

func newChart() *cobra.Command {
	var out, own string
	cmd := &cobra.Command{
		Use:   "chart FIGURES.json",
		Short: "Draw the quality and the speed of a run as an SVG file",
		Long: `Draw the figures that --json has written as an SVG file: F1 of the words against
pages per second, means over all pages of all corpora, one point for each system.`,
		Example: `  go run . ../../../shared/corpora/* --json figures.json
  go run . chart figures.json --out ../../docs/speed.svg`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			figures, err := os.ReadFile(args[0])
			if err != nil {
				return err
			}
			c, err := readChart(figures, own)
			if err != nil {
				return fmt.Errorf("%s: %w", args[0], err)
			}
			if out == "" {
				_, err = cmd.OutOrStdout().Write(c.svg())
				return err
			}
			return os.WriteFile(out, c.svg(), 0o644)
		},
	}
	cmd.Flags().StringVar(&out, "out", "", "write the chart to `FILE` (default: standard output)")
	cmd.Flags().StringVar(&own, "own", "lede blend", "the `SYSTEM` that is shown as lede")
	return cmd
}

// chart is what an SVG file shows.
type chart struct {
	pages, corpora int
	points         []point // the best first
}

// point is a system with its quality and its speed.
type point struct {
	name  string
	own   bool // lede itself, in any language
	f1    float64
	speed float64 // pages per second
}

// readChart reads the figures of a run. Systems without quality or time are left out.
func readChart(figures []byte, own string) (*chart, error) {
	var run struct {
		Systems []string
		Corpora []struct {
			Pages   int
			Figures map[string]map[string]struct {
				Pages  int
				Values map[string]float64
			}
		}
	}
	if err := json.Unmarshal(figures, &run); err != nil {
		return nil, err
	}
	c := &chart{corpora: len(run.Corpora)}
	for _, g := range run.Corpora {
		c.pages += g.Pages
	}
	for _, system := range run.Systems {
		mean := func(measure, figure string) float64 {
			sum, pages := 0.0, 0
			for _, g := range run.Corpora {
				f := g.Figures[system][measure]
				sum += f.Values[figure] * float64(f.Pages)
				pages += f.Pages
			}
			return sum / float64(max(pages, 1))
		}
		f1, ms := mean("bag", "F1"), mean("time", "ms")
		if f1 <= 0 || ms <= 0 {
			continue
		}
		p := point{name: system, own: strings.HasPrefix(system, "lede"), f1: f1, speed: 1000 / ms}
		switch system {
		case own:
			p.name = "lede"
		case "lede-news":
			p.name = "lede from Python"
		}
		c.points = append(c.points, p)
	}
	if len(c.points) == 0 {
		return nil, errors.New("no system has both F1 and time; write the file with --json and the measure bag")
	}
	slices.SortStableFunc(c.points, func(a, b point) int { return cmp.Compare(b.f1, a.f1) })
	return c, nil
}
