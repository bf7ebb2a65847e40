package command

import (
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/lede-news/lede/internal/cli"
	"github.com/lede-news/lede/internal/lab/newsroom"
)

// pressFlags are the flags of lede-lab newsroom serve for sites that publish over
// time.
type pressFlags struct {
	sites        int
	speed, start string
	ways         []string
	traps        bool
}

func (f *pressFlags) add(cmd *cobra.Command) {
	fl := cmd.Flags()
	fl.IntVar(&f.sites, "press", 0, "serve `N` sites that publish stories over time")
	fl.StringVar(&f.speed, "speed", "1x", "speed of the clock of --press, such as 60x: an hour in a minute; 0x stands still")
	fl.StringVar(&f.start, "start", "", "`TIME` of the clock of --press at the start, such as 2026-03-02 or 2026-03-02T08:00:00Z (default: now)")
	fl.StringSliceVar(&f.ways, "ways", nil, "where sites of --press list stories: home, feeds, sitemaps (default: differs by site)")
	fl.BoolVar(&f.traps, "traps", false, "with --press, also serve hosts that are traps for crawlers")
	cli.Complete(cmd, "ways", "home", "feeds", "sitemaps")
}

// open returns the handler of the press and what it serves, nil without --press.
func (f *pressFlags) open(cmd *cobra.Command, seed uint64) (http.Handler, string, error) {
	fl := cmd.Flags()
	if f.sites < 0 || f.sites == 0 && fl.Changed("press") {
		return nil, "", errors.New("--press must be 1 or more")
	}
	if f.sites == 0 {
		for _, name := range []string{"speed", "start", "ways", "traps"} {
			if fl.Changed(name) {
				return nil, "", fmt.Errorf("--%s requires --press", name)
			}
		}
		return nil, "", nil
	}
	if fl.Changed("kind") {
		return nil, "", errors.New("--kind and --press cannot be used together")
	}
	speed, err := strconv.ParseFloat(strings.TrimSuffix(f.speed, "x"), 64)
	if err != nil || speed < 0 || speed > 1e6 {
		return nil, "", fmt.Errorf("--speed %q: use a factor such as 60x, at most 1000000x", f.speed)
	}
	start := time.Now()
	if f.start != "" {
		if start, err = parseStart(f.start); err != nil {
			return nil, "", err
		}
	}
	opts := newsroom.PressOptions{Sites: f.sites, Start: start, Traps: f.traps}
	for _, way := range f.ways {
		w, ok := map[string]newsroom.Ways{"home": newsroom.HomePages, "feeds": newsroom.Feeds, "sitemaps": newsroom.Sitemaps}[way]
		if !ok {
			return nil, "", fmt.Errorf("--ways %q: use home, feeds or sitemaps", way)
		}
		opts.Ways |= w
	}
	press := newsroom.NewPress(seed, opts)
	return press.ClockHandler(newsroom.NewClock(start, speed)), fmt.Sprintf("%d made-up sites that publish over time", f.sites), nil
}

// parseStart reads the value of --start.
func parseStart(s string) (time.Time, error) {
	for _, layout := range []string{time.RFC3339, time.DateTime, time.DateOnly} {
		if t, err := time.Parse(layout, s); err == nil {
			return t, nil
		}
	}
	return time.Time{}, fmt.Errorf("--start %q: use a time such as 2026-03-02 or 2026-03-02T08:00:00Z", s)
}
