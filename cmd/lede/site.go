package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/lede-news/lede"
	"github.com/lede-news/lede/article"
	"github.com/lede-news/lede/batch"
	"github.com/lede-news/lede/internal/cli"
	"github.com/lede-news/lede/internal/sites"
	"github.com/lede-news/lede/site"
	"github.com/lede-news/lede/site/store"
)

func newSite() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "site",
		Short: "Manage what lede has learned about sites",
		Long: `Manage what lede has learned about sites: what is the same on all their pages,
where headline, body, byline and date are, what follows titles and articles.
lede learns from its own extractions; pages need not be labelled.

Profiles are kept in a store, --site-store: a SQLite file, which several
processes may share, or a folder (a path that ends in a slash) with a JSON file
for each site, to read and edit. lede extract and lede batch use the same store.`,
		Example: `  lede site learn archive/ --site-store sites.db
  lede site show paper.example --site-store sites.db
  lede batch archive/ --site-store sites.db --out articles.jsonl`,
	}
	cmd.AddCommand(newSiteLearn(), newSiteShow(), newSiteList(), newSiteExport(), newSiteImport(), newSiteForget())
	return cmd
}

// storeCommand returns a subcommand that works on an open store.
func storeCommand(use, short, long, example string, args cobra.PositionalArgs, do func(cmd *cobra.Command, s store.Store, args []string) error) *cobra.Command {
	var path string
	cmd := &cobra.Command{
		Use: use, Short: short, Long: long, Example: example, Args: args,
		RunE: func(cmd *cobra.Command, args []string) error {
			if path == "" {
				return errors.New("no store: name one with --site-store")
			}
			report := func(err error) { fmt.Fprintf(cmd.ErrOrStderr(), "lede: %s\n", cli.OneLine(err)) }
			s, err := openStore(path, cmd.Name() == "import", report)
			if err != nil {
				return cli.Fail(err)
			}
			return cli.Fail(errors.Join(do(cmd, s, args), s.Close()))
		},
	}
	cmd.Flags().StringVar(&path, "site-store", "", "site store: a SQLite `FILE` or a FOLDER/ of JSON files (required)")
	return cmd
}

// openStore opens a store. It must exist unless create is set.
func openStore(path string, create bool, report func(error)) (store.Store, error) {
	if _, err := os.Stat(path); err != nil && !create {
		return nil, fmt.Errorf("no store at %s; create one with lede site learn", path)
	}
	return store.Open(path, store.Options{Report: report})
}

func newSiteShow() *cobra.Command {
	return storeCommand("show SITE…", "Show what is known about sites", "", "  lede site show paper.example --site-store sites.db",
		cli.SomeArguments("no site: name sites, as lede site ls lists them"), func(cmd *cobra.Command, s store.Store, args []string) error {
			w := cli.NewConsole(cmd.OutOrStdout())
			for i, name := range args {
				if i > 0 {
					fmt.Fprintln(w)
				}
				p, err := profile(cmd.Context(), s, name)
				if err != nil {
					return err
				}
				if err := p.Describe(w); err != nil {
					return err
				}
			}
			return nil
		})
}

// profile returns the profile of a site, given its name or the address of a page.
func profile(ctx context.Context, s store.Store, name string) (*site.Profile, error) {
	p, err := s.Profile(ctx, name) // also finds subdomains in stores of older versions
	if err == nil && p.Pages() == 0 {
		p, err = s.Profile(ctx, sites.Name(name))
	}
	if err != nil {
		return nil, err
	}
	if p.Pages() == 0 {
		return nil, fmt.Errorf("nothing is known about %s; lede site ls lists the sites", name)
	}
	return p, nil
}

func newSiteList() *cobra.Command {
	return storeCommand("ls", "List the sites", "List the sites with the number of pages learned from and the size of the profile.",
		"  lede site ls --site-store sites.db", cli.NoArguments, func(cmd *cobra.Command, s store.Store, _ []string) error {
			w := bufio.NewWriter(cli.NewConsole(cmd.OutOrStdout()))
			for info, err := range s.Sites(cmd.Context()) {
				if err != nil {
					return errors.Join(err, w.Flush())
				}
				fmt.Fprintf(w, "%-40s %8d pages %8.1f KB\n", info.Name, info.Pages, float64(info.Bytes)/1024)
			}
			return w.Flush()
		})
}

func newSiteExport() *cobra.Command {
	var exact bool
	cmd := storeCommand("export [SITE…]", "Write profiles as JSON lines", "Write the profiles of all sites, or of the named ones, to standard output as JSON lines. They can be read and\nedited; counts are rounded to a hundredth of a page, but not with --exact, which writes them as lede step\nprofiles does.",
		"  lede site export --site-store sites.db > profiles.jsonl", cobra.ArbitraryArgs, func(cmd *cobra.Command, s store.Store, args []string) error {
			names := args
			if len(names) == 0 {
				for info, err := range s.Sites(cmd.Context()) {
					if err != nil {
						return err
					}
					names = append(names, info.Name)
				}
			}
			w := bufio.NewWriter(cmd.OutOrStdout())
			write := func(p *site.Profile) error { return json.NewEncoder(w).Encode(p) }
			if exact {
				write = func(p *site.Profile) error {
					line, err := profileLine(p)
					if err == nil {
						_, err = w.Write(line)
					}
					return err
				}
			}
			for _, name := range names {
				p, err := profile(cmd.Context(), s, name)
				if err == nil {
					err = write(p)
				}
				if err != nil {
					return errors.Join(err, w.Flush())
				}
			}
			return w.Flush()
		})
	cmd.Flags().BoolVar(&exact, "exact", false, "write profiles without loss, in a form that cannot be edited")
	return cmd
}

func newSiteImport() *cobra.Command {
	var replace bool
	cmd := storeCommand("import FILE…", "Read profiles written by export", "Read profiles written by export, from files or from - for standard input. They are merged into existing\nprofiles, or replace them with --replace.",
		"  lede site import profiles.jsonl --site-store sites.db", cli.SomeArguments("no input: name files written by lede site export, or - for standard input"), func(cmd *cobra.Command, s store.Store, args []string) error {
			put := s.Merge
			if replace {
				put = s.Put
			}
			bar := cli.NewStatus(cmd.ErrOrStderr())
			defer bar.Clear()
			for _, file := range args {
				n, err := importFile(cmd, file, func(read int, profiles []*site.Profile) error {
					bar.Step("reading "+file, read, 0, "profiles")
					return put(cmd.Context(), profiles...)
				})
				bar.Clear()
				if err != nil {
					return err
				}
				fmt.Fprintf(cmd.ErrOrStderr(), "lede: %d profiles read from %s\n", n, file)
			}
			return nil
		})
	cmd.Flags().BoolVar(&replace, "replace", false, "replace existing profiles instead of merging")
	return cmd
}

// importBatch is how many profiles are stored at a time, in one transaction.
const importBatch = 32

// importFile calls put with the profiles of a file, some at a time, and how many were read.
func importFile(cmd *cobra.Command, file string, put func(read int, profiles []*site.Profile) error) (n int, err error) {
	in := cmd.InOrStdin()
	if file != "-" {
		f, err := os.Open(file)
		if err != nil {
			return 0, err
		}
		defer f.Close()
		in = f
	}
	dec := json.NewDecoder(bufio.NewReader(in))
	var some []*site.Profile
	for ; ; n++ {
		p := new(site.Profile)
		err := dec.Decode((*readProfile)(p))
		switch {
		case err == io.EOF:
		case err != nil:
			err = fmt.Errorf("%s, profile %d: %w", file, n+1, err)
		case p.Name() == "":
			err = fmt.Errorf("%s, profile %d: no site name", file, n+1)
		default:
			some = append(some, p)
		}
		if len(some) >= importBatch || err != nil && len(some) > 0 {
			if bad := put(n, some); bad != nil {
				return n, bad
			}
			some = nil
		}
		if err == io.EOF {
			return n, nil
		}
		if err != nil {
			return n, err
		}
	}
}

func newSiteForget() *cobra.Command {
	return storeCommand("forget SITE…", "Delete profiles", "Delete everything that is known about sites.", "  lede site forget paper.example --site-store sites.db",
		cli.SomeArguments("no site: name the sites to delete, as lede site ls lists them"), func(cmd *cobra.Command, s store.Store, args []string) error {
			for _, name := range args {
				err := s.Forget(cmd.Context(), name)
				if errors.Is(err, store.ErrNotFound) {
					err = s.Forget(cmd.Context(), sites.Name(name))
				}
				if err != nil {
					return err
				}
			}
			return nil
		})
}

type siteLearnFlags struct {
	pageFlags
	siteFlags
	workers int
	quiet   bool
}

func newSiteLearn() *cobra.Command {
	var f siteLearnFlags
	cmd := &cobra.Command{
		Use:   "learn DIR|FILE…",
		Short: "Learn about sites from pages",
		Long: `Learn about sites from pages, as lede batch does while it extracts. Ten pages of
a site are enough for most of it. A page that was learned from before changes
nothing; a page that cannot be read is reported and skipped.`,
		Example: `  lede site learn archive/ --site-store sites.db
  lede site learn paper/*.html --site paper.example --site-store profiles/`,
		RunE: f.run,
	}
	f.pageFlags.add(cmd)
	f.siteFlags.add(cmd)
	cmd.Flags().IntVarP(&f.workers, "workers", "w", 0, "number of concurrent workers (default: GOMAXPROCS)")
	cmd.Flags().BoolVarP(&f.quiet, "quiet", "q", false, "print no progress and no summary")
	return cmd
}

func (f *siteLearnFlags) run(cmd *cobra.Command, args []string) error {
	switch {
	case len(args) == 0:
		return errors.New("no input: name files or folders")
	case f.path == "":
		return errors.New("no store: name one with --site-store")
	}
	ex, err := f.extractor(f.logger(cmd.ErrOrStderr()))
	if err != nil {
		return err
	}
	in := &batch.Source{Paths: args}
	if in.Files() == 0 {
		return cli.Fail(fmt.Errorf("no pages found in %s", strings.Join(args, ", ")))
	}
	known, err := f.siteFlags.open(cmd.ErrOrStderr(), f.pageTime)
	if err != nil {
		return err
	}
	bar := newProgress(cmd.ErrOrStderr(), 0, f.quiet)
	bar.what = "learning"
	bar.measure(in)
	failed := &failures{}
	stats, err := batch.Run(cmd.Context(), in.Inputs(), func(ctx context.Context, p batch.Input, r io.Reader) (*article.Article, error) {
		x, err := known.Extract(ctx, ex, r, p.URL, p.Site, lede.WithReasons(false))
		if err != nil {
			return nil, err
		}
		return x.Article, nil
	}, failed.add, batch.Options{Workers: f.workers, Progress: bar.update})
	bar.Clear()
	failed.print(cmd.ErrOrStderr())
	err = errors.Join(err, known.Close())
	if errors.Is(err, context.Canceled) {
		err = fmt.Errorf("stopped after %d pages; what was learned from them is saved", stats.Done)
	}
	if err != nil {
		return cli.Fail(err)
	}
	if !f.quiet {
		fmt.Fprintf(cmd.ErrOrStderr(), "lede: learned from %s\n", summary(stats))
	}
	if stats.Failed > 0 {
		return cli.ErrSomeFailed
	}
	return nil
}

// failures collects the errors among batch records.
type failures struct{ lines []string }

func (f *failures) add(r *batch.Result) error {
	if r.Err != nil {
		f.lines = append(f.lines, r.Line.ID+": "+r.Line.Error)
	}
	return nil
}

// print prints the first errors.
func (f *failures) print(w io.Writer) {
	const most = 20
	slices.Sort(f.lines)
	for i, l := range f.lines {
		if i == most {
			fmt.Fprintf(w, "lede: and %d more pages failed\n", len(f.lines)-most)
			return
		}
		fmt.Fprintf(w, "lede: %s\n", l)
	}
}
