package main

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/lede-news/lede/internal/cli"
	"github.com/lede-news/lede/internal/twopass"
	"github.com/lede-news/lede/site"
)

func newStepProfiles() *cobra.Command {
	var workers int
	cmd := &cobra.Command{
		Use:   "profiles",
		Short: "Learn about sites from observations of their pages",
		Long: `Learn about sites from the observations that lede batch --observe has written. The
profiles are those of lede batch --two-pass on all pages at once.

Input: lines of lede batch --observe, of any number of files, sorted by site (by its
bytes). An observation may occur more than once. Of each site the 64 with the smallest
hashes are used, so that it does not matter if a site has more.

Output: a line for each site: site, pages (the number learned from) and data. lede site
import reads it.`,
		Example: `  cat *.jsonl | LC_ALL=C sort | lede step profiles > profiles.jsonl
  lede site import profiles.jsonl --site-store sites.db
  lede batch CC-NEWS-1.warc.gz --site-store sites.db --no-learn --out 1.parquet`,
		Args: cli.NoArguments,
		RunE: func(cmd *cobra.Command, _ []string) error { return stepProfiles(cmd, workers) },
	}
	stepWorkers(cmd, &workers)
	return cmd
}

// siteGroup is the observations of a site.
type siteGroup struct {
	name     string
	line     int // the first
	smallest twopass.Smallest
}

func stepProfiles(cmd *cobra.Command, workers int) error {
	if err := checkStepWorkers(workers); err != nil {
		return err
	}
	type result struct {
		line []byte
		err  error
	}
	out := newLineWriter(cmd.OutOrStdout())
	return out.finish(cli.Fail(inOrder(cmd.Context(), workers, func(yield func(*siteGroup) error) error {
		return eachSite(cmd, yield)
	}, func(g *siteGroup) (r result) {
		if r.line, r.err = g.learn(cmd.Context()); r.err != nil {
			r.err = lineError(g.line, r.err)
		}
		return r
	}, func(r result) error {
		if r.err != nil {
			return r.err
		}
		return out.writeBytes(r.line)
	})))
}

// eachSite reads observations and calls do with those of each site.
func eachSite(cmd *cobra.Command, do func(*siteGroup) error) error {
	var g *siteGroup
	err := eachLine(cmd.InOrStdin(), maxStepLine, func(number int, text []byte) error {
		var o twopass.Observation
		err := json.Unmarshal(text, &o)
		if err == nil {
			err = o.Check()
		}
		switch {
		case err != nil:
			return lineError(number, fmt.Errorf("not an observation of lede batch --observe: %w", err))
		case g != nil && o.Site < g.name:
			return lineError(number, fmt.Errorf("the lines are not sorted by site: %q follows %q; sort them by the bytes of site, as LC_ALL=C sort does", o.Site, g.name))
		case g == nil || o.Site != g.name:
			if g != nil {
				if err := do(g); err != nil {
					return err
				}
			}
			g = &siteGroup{name: o.Site, line: number}
		}
		g.smallest.Add(o)
		return nil
	})
	if err == nil && g != nil {
		err = do(g)
	}
	return err
}

// learn returns the profile of a site as a line. It is empty if there is nothing to
// learn.
func (g *siteGroup) learn(ctx context.Context) ([]byte, error) {
	p, err := g.smallest.Profile(ctx, g.name)
	if err != nil || p.Pages() == 0 {
		return nil, err
	}
	return profileLine(p)
}

// profileLine returns a profile as a line.
func profileLine(p *site.Profile) ([]byte, error) { return jsonLine(p) }
