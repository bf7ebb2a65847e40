package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
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
where headline and body are, what follows titles and articles.
lede learns from its own extractions; pages need not be labelled.

Profiles are kept in a store, --site-store FILE, which any number of processes may
share. lede extract, batch, follow and serve use the same store.`,
		Example: `  lede site learn archive/ --site-store sites.db
  lede batch archive/ --site-store sites.db --no-learn --out articles.jsonl
  lede site show paper.example --site-store sites.db
  lede site export paper.example --site-store sites.db > profile.json`,
	}
	cmd.AddCommand(newSiteLearn(), newSiteShow(), newSiteList(), newSiteExport(), newSiteImport(), newSiteForget())
	return cmd
}

// storeCommand returns a subcommand that works on an open store.
func storeCommand(cmd *cobra.Command, do func(cmd *cobra.Command, s *store.Store, args []string) error) *cobra.Command {
	var path string
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if path == "" {
			return errNoStore
		}
		if _, err := os.Stat(path); err != nil && cmd.Name() != "import" {
			return cli.Fail(fmt.Errorf("no store at %s; create one with lede site learn", path))
		}
		s, err := store.Open(path, store.Options{Report: func(err error) { fmt.Fprintf(cmd.ErrOrStderr(), "lede: %s\n", cli.OneLine(err)) }})
		if err != nil {
			return cli.Fail(err)
		}
		return cli.Fail(errors.Join(do(cmd, s, args), s.Close()))
	}
	cmd.Flags().StringVar(&path, "site-store", "", "site store, a SQLite `FILE` (required)")
	return cmd
}

var errNoStore = errors.New("no store: name one with --site-store")

func newSiteShow() *cobra.Command {
	return storeCommand(&cobra.Command{
		Use: "show SITE…", Short: "Show what is known about sites",
		Example: "  lede site show paper.example --site-store sites.db",
		Args:    cli.SomeArguments("no site: name sites, as lede site ls lists them"),
	}, func(cmd *cobra.Command, s *store.Store, args []string) error {
		w := cli.NewConsole(cmd.OutOrStdout())
		for i, name := range args {
			if i > 0 {
				fmt.Fprintln(w)
			}
			p, err := s.Profile(cmd.Context(), sites.Name(name))
			if err == nil {
				err = p.Describe(w)
			}
			if err != nil {
				return err
			}
		}
		return nil
	})
}

func newSiteList() *cobra.Command {
	return storeCommand(&cobra.Command{
		Use: "ls", Short: "List the sites", Args: cli.Arguments(0, 0, ""),
		Long:    "List the sites with the number of pages learned from and the size of the profile.",
		Example: "  lede site ls --site-store sites.db",
	}, func(cmd *cobra.Command, s *store.Store, _ []string) error {
		w := cli.NewConsole(cmd.OutOrStdout())
		list, err := s.Sites(cmd.Context())
		for _, info := range list {
			fmt.Fprintf(w, "%-40s %8d pages %8.1f KB\n", info.Name, info.Pages, float64(info.Bytes)/1024)
		}
		return err
	})
}

func newSiteExport() *cobra.Command {
	return storeCommand(&cobra.Command{
		Use: "export [SITE…]", Short: "Write profiles as JSON lines", Args: cobra.ArbitraryArgs,
		Long: "Write the profiles of all sites, or of the named ones, to standard output as JSON lines.\n" +
			"They can be read, edited, and imported into another store.",
		Example: "  lede site export --site-store sites.db > profiles.jsonl",
	}, func(cmd *cobra.Command, s *store.Store, args []string) error {
		var names []string
		for _, name := range args {
			names = append(names, sites.Name(name))
		}
		if len(names) == 0 {
			list, err := s.Sites(cmd.Context())
			if err != nil {
				return err
			}
			for _, info := range list {
				names = append(names, info.Name)
			}
		}
		return writeJSON("-", cmd.OutOrStdout(), func(encode func(any) error) error {
			for _, name := range names {
				p, err := s.Profile(cmd.Context(), name)
				if err == nil {
					err = encode(p)
				}
				if err != nil {
					return err
				}
			}
			return nil
		})
	})
}

func newSiteImport() *cobra.Command {
	return storeCommand(&cobra.Command{
		Use: "import FILE…", Short: "Read profiles written by export",
		Long:    "Read profiles written by export, from files or from - for standard input. They replace existing ones.",
		Example: "  lede site import profiles.jsonl --site-store sites.db",
		Args:    cli.SomeArguments("no input: name files written by lede site export, or - for standard input"),
	}, func(cmd *cobra.Command, s *store.Store, args []string) error {
		for _, name := range args {
			n := 0
			err := readJSON(name, cmd.InOrStdin(), func(p *site.Profile) error {
				if p.Name() == "" {
					return errors.New("no site name")
				}
				n++
				return s.Put(cmd.Context(), p)
			})
			if err != nil {
				return err
			}
			fmt.Fprintf(cmd.ErrOrStderr(), "lede: %d profiles read from %s\n", n, name)
		}
		return nil
	})
}

func newSiteForget() *cobra.Command {
	return storeCommand(&cobra.Command{
		Use: "forget SITE…", Short: "Delete profiles",
		Long:    "Delete everything that is known about sites.",
		Example: "  lede site forget paper.example --site-store sites.db",
		Args:    cli.SomeArguments("no site: name the sites to delete, as lede site ls lists them"),
	}, func(cmd *cobra.Command, s *store.Store, args []string) error {
		for _, name := range args {
			if err := s.Forget(cmd.Context(), sites.Name(name)); err != nil {
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
		Long: `Learn about sites from pages and archives, as lede batch does while it extracts. Ten
pages of a site are enough for most of it. A page that cannot be read is reported and
skipped.`,
		Example: `  lede site learn archive/ --site-store sites.db
  lede site learn CC-NEWS-1.warc.gz --site-store sites.db
  lede site learn paper/*.html --site paper.example --site-store sites.db`,
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
		return errNoStore
	}
	ex, err := f.extractor(f.logger(cmd.ErrOrStderr()))
	if err != nil {
		return err
	}
	in := &batch.Source{Paths: args}
	if in.Files() == 0 {
		return cli.Fail(fmt.Errorf("no pages found in %s", strings.Join(args, ", ")))
	}
	known, err := f.siteFlags.open(cmd.ErrOrStderr(), store.Options{})
	if err != nil {
		return err
	}
	bar := newProgress(cmd.ErrOrStderr(), f.quiet)
	bar.what = "learning"
	bar.measure(in)
	stats, err := batch.Run(cmd.Context(), in.Inputs(), func(ctx context.Context, p batch.Input, r io.Reader) (*article.Article, error) {
		x, err := known.Extract(ctx, ex, r, p.URL, p.Site, lede.WithReasons(false))
		if err != nil {
			return nil, err
		}
		return x.Article, nil
	}, func(r *batch.Result) error {
		if r.Err != nil {
			bar.Clear()
			fmt.Fprintf(cmd.ErrOrStderr(), "lede: %s: %s\n", r.Line.ID, r.Line.Error)
		}
		return nil
	}, batch.Options{Workers: f.workers, Progress: bar.update})
	bar.Clear()
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

// siteFlags are the flags of commands that use a site store.
type siteFlags struct {
	path       string
	name       string
	neighbours []string
}

func (f *siteFlags) add(cmd *cobra.Command) {
	cmd.Flags().StringVar(&f.path, "site-store", "", "use and update what is known about sites, in a SQLite `FILE`")
	cmd.Flags().StringVar(&f.name, "site", "", "`NAME` of the site of all pages (default: from their addresses)")
}

func (f *siteFlags) addNeighbours(cmd *cobra.Command) {
	cmd.Flags().StringArrayVar(&f.neighbours, "neighbours", nil, "learn what the site repeats from its pages in a `FILE|FOLDER`; repeatable")
}

func (f *siteFlags) check() error {
	switch {
	case f.name != "" && f.path == "":
		return errors.New("--site requires --site-store")
	case len(f.neighbours) > 0 && f.path != "":
		return errors.New("use either --neighbours or --site-store")
	}
	return nil
}

// open opens the store. It returns nil without --site-store.
func (f *siteFlags) open(w io.Writer, opts store.Options) (*sites.Sites, error) {
	if f.path == "" {
		return nil, f.check()
	}
	opts.Report = func(err error) { fmt.Fprintf(w, "lede: %s\n", cli.OneLine(err)) }
	s, err := store.Open(f.path, opts)
	if err != nil {
		return nil, cli.Fail(err)
	}
	return &sites.Sites{Store: s, Name: f.name}, nil
}
