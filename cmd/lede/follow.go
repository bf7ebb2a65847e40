package main

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"github.com/lede-news/lede"
	"github.com/lede-news/lede/article"
	"github.com/lede-news/lede/batch"
	"github.com/lede-news/lede/fetch"
	"github.com/lede-news/lede/follow"
	"github.com/lede-news/lede/internal/api/render"
	"github.com/lede-news/lede/internal/cli"
	"github.com/lede-news/lede/internal/page/lines"
	"github.com/lede-news/lede/internal/sites"
	"github.com/lede-news/lede/site/store"
)

type followFlags struct {
	pageFlags
	cli.WebFlags
	siteFlags
	storyFlags
	politeFlags
	sites  []string
	state  string
	out    string
	warc   string
	body   string
	every  time.Duration
	since  dayFlag
	by     []string
	budget int
	render bool
	status bool
	quiet  bool
}

func newFollow() *cobra.Command {
	f := followFlags{since: dayFlag(follow.DefaultSince)}
	cmd := &cobra.Command{
		Use:   "follow [URL…] --out FILE",
		Short: "Follow news sites and extract their new stories",
		Long: `Follow news sites: find their stories, and extract each once, when it is new.

URL is a home page, a feed or a sitemap; --sites reads a list with one on each line.
For a home page, lede reads its feeds, the sitemaps that robots.txt names, the page
itself and up to 30 of its sections; --by restricts that. See also lede links.

What was seen is kept in one SQLite file, --state (default: FILE.follow.db beside the
output), so that the next run writes only what is new, also after a crash. A story that
its feed or sitemap says has changed is fetched again, and written again with changed if
it has. --status shows what the state file says about each site.

The records are those of lede batch, with found_by (feed, sitemap, home, section),
link_text, first_seen and changed in addition, as JSON lines (.jsonl, also with .gz or
.zst) or SQLite. FILE is appended to; if it was moved away, it is begun anew. A FOLDER/
has one file of JSON lines for each day. --warc keeps the pages in a folder of web
archives, for lede batch FOLDER/*.warc.gz --site-store STATE.sites --no-learn. --stories and
--one-per-story are those of lede batch.

robots.txt is obeyed; a host gets one request at a time, --delay apart, or more if it
asks for that, and at most --budget in a day; errors make lede wait longer. The exit
status is 1 if some sites could not be visited.`,
		Example: `  lede follow https://paper.example/ https://other.example/feed.xml --out stories.jsonl
  lede follow --sites papers.txt --state follow.db --warc archive/ --out stories/ --every 30m
  lede follow --sites papers.txt --stories stories.db --one-per-story --out stories.jsonl --every 30m
  lede follow --state follow.db --status
  lede follow https://paper.example/ --by feed --since 2d --out today.jsonl
  lede follow https://paper.example/ --out - | jq -r '[.first_seen, .title] | @tsv'`,
		RunE: f.run,
	}
	f.pageFlags.add(cmd)
	f.WebFlags.Add(cmd)
	f.storyFlags.add(cmd)
	f.politeFlags.add(cmd)
	fl := cmd.Flags()
	fl.StringVar(&f.siteFlags.path, "site-store", "", "use and update what is known about sites, in a SQLite `FILE` (default: beside the state)")
	fl.StringArrayVar(&f.sites, "sites", nil, "`FILE` with the address of a site on each line; repeatable")
	fl.StringVar(&f.state, "state", "", "SQLite `FILE` with what was seen (default: beside the output)")
	fl.StringVarP(&f.out, "out", "o", "", "output `FILE`, FOLDER/ or - for standard output (required)")
	fl.StringVar(&f.warc, "warc", "", "keep the pages of stories in web archives in this `FOLDER`")
	fl.StringVar(&f.body, "body", "text", "`FORM` of the body: "+strings.Join(batch.BodyForms(), ", ")+"; the others are added to text, as the field body")
	fl.DurationVar(&f.every, "every", 0, "visit the sites again after this `TIME`, until stopped (default: visit each once)")
	fl.Var(&f.since, "since", "fetch stories up to this `AGE`, where a feed, sitemap or address says it")
	fl.StringSliceVar(&f.by, "by", nil, "`LIST` of ways to find stories: "+strings.Join(followWays, ", ")+" (default: all)")
	fl.IntVar(&f.budget, "budget", follow.DefaultBudget, "maximum number of requests to a host in a day; 0 is no limit")
	fl.BoolVar(&f.render, "render", false, "use Chromium for pages that are empty without scripts")
	fl.BoolVar(&f.status, "status", false, "show what the state file says about each site, and exit")
	fl.BoolVarP(&f.quiet, "quiet", "q", false, "print no progress and no summary")
	cli.Complete(cmd, "body", batch.BodyForms()...)
	cli.Complete(cmd, "by", followWays...)
	return cmd
}

var followWays = []string{"feed", "sitemap", "home"}

// dayFlag is a time that may be given in days, such as 7d.
type dayFlag time.Duration

func (d *dayFlag) Set(s string) error {
	if n, err := strconv.ParseFloat(strings.TrimSuffix(s, "d"), 64); err == nil && strings.HasSuffix(s, "d") && n >= 0 && n < 1e5 {
		*d = dayFlag(n * float64(24*time.Hour))
		return nil
	}
	v, err := time.ParseDuration(s)
	if err != nil {
		return errors.New("use a time such as 7d or 36h")
	}
	*d = dayFlag(v)
	return nil
}

func (d *dayFlag) String() string {
	if v := time.Duration(*d); v >= 24*time.Hour && v%(24*time.Hour) == 0 {
		return fmt.Sprintf("%dd", v/(24*time.Hour))
	}
	return time.Duration(*d).String()
}

func (d *dayFlag) Type() string { return "age" }

// stateFile returns the state file, or "" for one in memory.
func (f *followFlags) stateFile() string {
	if f.state != "" || f.out == "-" || f.out == "" {
		return f.state
	}
	return strings.TrimRight(f.out, `/\`) + ".follow.db"
}

func (f *followFlags) check(addresses []string) error {
	switch {
	case len(addresses) == 0 && len(f.sites) > 0:
		return cli.Fail(fmt.Errorf("no addresses in %s", strings.Join(f.sites, ", ")))
	case len(addresses) == 0:
		return errors.New("no site: give the address of a home page or feed, or a list with --sites FILE")
	case f.out == "" && f.warc == "":
		return errors.New("no output: name a file with --out FILE.jsonl or a folder with --out FOLDER/, or use --out - for standard output")
	case !slices.Contains(batch.BodyForms(), f.body):
		return fmt.Errorf("--body %q: use one of %s", f.body, strings.Join(batch.BodyForms(), ", "))
	case slices.ContainsFunc(f.by, func(way string) bool { return !slices.Contains(followWays, way) }):
		return fmt.Errorf("--by %q: use one or more of %s", strings.Join(f.by, ","), strings.Join(followWays, ", "))
	case f.every < 0 || f.since < 0 || f.budget < 0:
		return errors.New("--every, --since and --budget must not be negative")
	case f.every > 0 && f.every < time.Minute && !f.AllowPrivate:
		return errors.New("--every must be at least 1m: sites are not visited more often")
	}
	return cmp.Or(f.politeFlags.check(), f.storyFlags.check())
}

// addresses returns the addresses of the command line and of the lists.
func (f *followFlags) addresses(args []string) ([]string, error) {
	all := slices.Clone(args)
	for _, name := range f.sites {
		text, err := os.ReadFile(name)
		if err != nil {
			return nil, cli.Fail(fmt.Errorf("--sites: %w", err))
		}
		all = slices.AppendSeq(all, lines.Data(strings.TrimPrefix(string(text), "\ufeff")))
	}
	for _, a := range all {
		if !isAddress(a) {
			return nil, fmt.Errorf("%q is not an address: begin it with https://", a)
		}
	}
	return all, nil
}

func (f *followFlags) run(cmd *cobra.Command, args []string) error {
	if f.status {
		return f.showStatus(cmd, args)
	}
	addresses, err := f.addresses(args)
	if err == nil {
		err = f.check(addresses)
	}
	if err != nil {
		return err
	}
	log := f.logger(cmd.ErrOrStderr())
	ex, err := f.extractor(log, lede.WithCleaned(f.body == render.Cleaned))
	if err != nil {
		return err
	}
	state := f.stateFile()
	if f.siteFlags.path == "" && state != "" {
		f.siteFlags.path = state + ".sites"
		if err := os.MkdirAll(filepath.Dir(state), 0o755); err != nil {
			return cli.Fail(err)
		}
	}
	known, err := f.siteFlags.open(cmd.ErrOrStderr(), store.Options{})
	if err != nil {
		return err
	}
	if known == nil { // what is learned is in memory, as the state is
		known = &sites.Sites{}
		if known.Store, err = store.Open("", store.Options{}); err != nil {
			return cli.Fail(err)
		}
	}
	defer func() {
		if err := known.Close(); err != nil {
			fmt.Fprintf(cmd.ErrOrStderr(), "lede: %s\n", cli.OneLine(err))
		}
	}()
	run := &followRun{flags: f, cmd: cmd, ex: ex, known: known, bar: cli.NewStatus(cmd.ErrOrStderr())}
	run.bar.Live = run.bar.Live && !f.quiet
	return run.run(addresses, state, log)
}

// followRun is a run of lede follow.
type followRun struct {
	flags *followFlags
	cmd   *cobra.Command
	ex    *lede.Extractor
	known *sites.Sites
	bar   *cli.Status
	web   *cli.Chromium

	follower *follow.Follower
}

func (r *followRun) run(addresses []string, state string, log *slog.Logger) error {
	f := r.flags
	out := &followOutput{run: r}
	index, err := f.storyFlags.open()
	if err != nil {
		return cli.Fail(err)
	}
	if index != nil {
		out.index = index
		defer func() {
			if err := index.Close(); err != nil {
				fmt.Fprintf(r.cmd.ErrOrStderr(), "lede: %s\n", cli.OneLine(err))
			}
		}()
	}
	opts := follow.Options{
		Sites: addresses, State: state, Every: f.every, Since: time.Duration(f.since), Ways: f.by,
		Client: f.Client(f.maxBytes, log), UserAgent: f.UserAgent, Delay: f.delay, Connections: f.connections, Budget: cmp.Or(f.budget, -1),
		Extract: r.extract, Report: r.report, Logger: log,
	}
	if f.render {
		r.web = (&cli.ChromiumFlags{}).Chromium(r.cmd.ErrOrStderr(), f.pageTime, f.AllowPrivate, log)
		defer r.web.Close()
		opts.Render = func(ctx context.Context, address string) (*fetch.Response, error) {
			return rendered(ctx, r.web, address)
		}
	}
	follower, err := follow.New(opts, out)
	if err != nil {
		return cli.Fail(err)
	}
	r.follower = follower
	if err := out.open(follower); err != nil {
		return errors.Join(cli.Fail(err), follower.Close(), out.close())
	}
	if state == "" && !f.quiet {
		fmt.Fprintln(r.cmd.ErrOrStderr(), "lede: without --state, the next run will write the same stories again")
	}
	err = follower.Run(r.cmd.Context())
	r.bar.Clear()
	stats := follower.Stats()
	closed := errors.Join(follower.Close(), out.close())
	stopped := errors.Is(err, context.Canceled)
	if closed != nil && (err == nil || stopped) { // otherwise it is a consequence
		err, stopped = closed, false
	}
	if !f.quiet {
		text := followSummary(stats)
		if index != nil && index.leftOut > 0 {
			text += fmt.Sprintf("; %s left out", number(index.leftOut,
				"copy or further article of a known story was", "copies and further articles of known stories were"))
		}
		fmt.Fprintf(r.cmd.ErrOrStderr(), "lede: %s\n", text)
	}
	switch {
	case stopped && f.every > 0:
		return nil // that is how it ends
	case stopped:
		return cli.Fail(errors.New("stopped; what was written is saved, and the next run goes on"))
	case err != nil:
		return cli.Fail(err)
	case stats.Problems > 0:
		return cli.ErrSomeFailed
	}
	return nil
}

// followSummary returns the counts of a run in one line.
func followSummary(s follow.Stats) string {
	parts := []string{number(s.New, "new story", "new stories") + " of " + number(s.Total, "site", "sites"), number(s.Requests, "request", "requests")}
	for _, x := range []struct {
		n         int
		one, many string
	}{
		{s.Changed, "changed story", "changed stories"}, {s.Copies, "copy under another address", "copies under other addresses"},
		{s.Others, "page that is no story", "pages that are no stories"}, {s.Failed, "page failed", "pages failed"},
	} {
		if x.n > 0 {
			parts = append(parts, number(x.n, x.one, x.many))
		}
	}
	return strings.Join(parts, ", ")
}

// number returns a number of things.
func number(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

// showProgress shows a live line.
func (r *followRun) showProgress() {
	s := r.follower.Stats()
	if r.flags.every > 0 {
		s.Total = 0
	}
	r.bar.Step("following", s.Sites, s.Total, "sites", fmt.Sprintf("%d new stories", s.New), fmt.Sprintf("%d requests", s.Requests))
}

func (r *followRun) report(site string, err error) {
	r.bar.Clear()
	text := cli.OneLine(cli.HintPrivate(err))
	if site != "" && !strings.HasPrefix(text, site) {
		text = site + ": " + text
	}
	fmt.Fprintf(r.cmd.ErrOrStderr(), "lede: %s\n", text)
}

// extract extracts a page with what is known about its site.
func (r *followRun) extract(ctx context.Context, p *follow.Page) (*article.Article, error) {
	x, err := r.known.Extract(ctx, r.ex, bytes.NewReader(p.Body), p.URL, "",
		lede.WithHeaderCharset(p.Charset), lede.WithLinkText(p.LinkText), lede.WithReasons(false))
	if err != nil {
		return nil, err
	}
	x.Article.SetPartial(p.TruncatedReason)
	return x.Article, nil
}

// showStatus prints a table of the sites.
func (f *followFlags) showStatus(cmd *cobra.Command, args []string) error {
	state := f.stateFile()
	if state == "" {
		return errors.New("--status needs the state file: name it with --state, or the output with --out")
	}
	list, err := follow.Status(cmd.Context(), state)
	if err != nil {
		return cli.Fail(err)
	}
	w := tabwriter.NewWriter(cli.NewConsole(cmd.OutOrStdout()), 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "SITE\tLAST VISIT\tNEW\tSTORIES\tQUEUED\tERRORS\tNEXT VISIT\tREMARK")
	for _, s := range list {
		if len(args) > 0 && !slices.Contains(args, s.URL) {
			continue
		}
		fmt.Fprintf(w, "%s\t%s\t%d\t%d\t%d\t%d\t%s\t%s\n", s.URL, clock(s.Visited), s.New, s.Stories, s.Queued, s.Errors+s.Failed, clock(s.Next), s.Reason)
	}
	return cli.Fail(w.Flush())
}

// clock returns a local time to the minute.
func clock(t time.Time) string {
	if t.IsZero() {
		return "never"
	}
	return t.Local().Format("2006-01-02 15:04")
}
