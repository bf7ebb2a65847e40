package main

import (
	"bufio"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"sync"

	"github.com/spf13/cobra"

	"github.com/lede-news/lede"
	"github.com/lede-news/lede/article"
	"github.com/lede-news/lede/batch"
	"github.com/lede-news/lede/method"
	"github.com/lede-news/lede/site"
	"github.com/lede-news/lede/site/store"
)

func newSite() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "site",
		Short: "What lede has learned about sites",
		Long: `What lede has learned about sites: what is the same on all of their pages, where
they have headline, body, byline and date, what they put after titles and
after stories. It learns from its own extractions; nobody has to label pages.

Profiles are kept in a store, --site-store: one SQLite file, which several
processes may use at once, or a folder (a path that ends in a slash) with a file
of JSON for each site, to read and edit. lede extract and lede batch use and
fill the same store.`,
		Example: `  lede site learn archive/ --site-store sites.db
  lede site show paper.example --site-store sites.db
  lede batch archive/ --site-store sites.db --out articles.jsonl`,
	}
	cmd.AddCommand(newSiteLearn(), newSiteShow(), newSiteList(), newSiteExport(), newSiteImport(), newSiteForget())
	return cmd
}

// storeCommand is a subcommand that opens the store and does something with it.
func storeCommand(use, short, long, example string, args cobra.PositionalArgs, do func(cmd *cobra.Command, s store.Store, args []string) error) *cobra.Command {
	var path string
	cmd := &cobra.Command{
		Use: use, Short: short, Long: long, Example: example, Args: args,
		RunE: func(cmd *cobra.Command, args []string) error {
			if path == "" {
				return errors.New("which store? Name it with --site-store")
			}
			report := func(err error) { fmt.Fprintf(cmd.ErrOrStderr(), "lede: %s\n", oneLine(err)) }
			s, err := openStore(path, cmd.Name() == "import", report)
			if err != nil {
				return failure{err}
			}
			if err := errors.Join(do(cmd, s, args), s.Close()); err != nil {
				return failure{err}
			}
			return nil
		},
	}
	cmd.Flags().StringVar(&path, "site-store", "", "the store: a `FILE` (SQLite) or FOLDER/ (JSON) (required)")
	return cmd
}

// openStore opens a store that should be there, unless it may be made.
func openStore(path string, make bool, report func(error)) (store.Store, error) {
	if _, err := os.Stat(path); err != nil && !make {
		return nil, fmt.Errorf("there is no store at %s; lede site learn makes one", path)
	}
	return store.Open(path, store.Options{Report: report})
}

func newSiteShow() *cobra.Command {
	return storeCommand("show SITE…", "Show what is known of sites, in words", "", "  lede site show paper.example --site-store sites.db",
		cobra.MinimumNArgs(1), func(cmd *cobra.Command, s store.Store, args []string) error {
			for i, name := range args {
				if i > 0 {
					fmt.Fprintln(cmd.OutOrStdout())
				}
				p, err := profile(cmd.Context(), s, name)
				if err != nil {
					return err
				}
				if err := p.Describe(cmd.OutOrStdout()); err != nil {
					return err
				}
			}
			return nil
		})
}

// profile finds a site by its name or by the address of one of its pages.
func profile(ctx context.Context, s store.Store, name string) (*site.Profile, error) {
	if host := site.NameOf(name); host != "" {
		name = host
	}
	p, err := s.Profile(ctx, name)
	if err != nil {
		return nil, err
	}
	if p.Pages() == 0 {
		return nil, fmt.Errorf("nothing is known of %s; lede site ls lists the sites", name)
	}
	return p, nil
}

func newSiteList() *cobra.Command {
	return storeCommand("ls", "List the sites", "List the sites with the pages that were learned from and the bytes that they take.",
		"  lede site ls --site-store sites.db", cobra.NoArgs, func(cmd *cobra.Command, s store.Store, _ []string) error {
			w := bufio.NewWriter(cmd.OutOrStdout())
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
	return storeCommand("export [SITE…]", "Write profiles as lines of JSON", "Write profiles, of all sites or of those named, to standard output as lines of JSON.",
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
			enc := json.NewEncoder(w)
			for _, name := range names {
				p, err := profile(cmd.Context(), s, name)
				if err == nil {
					err = enc.Encode(p)
				}
				if err != nil {
					return errors.Join(err, w.Flush())
				}
			}
			return w.Flush()
		})
}

func newSiteImport() *cobra.Command {
	var replace bool
	cmd := storeCommand("import FILE…", "Read profiles that export has written", "Read profiles that export has written, from files or from - for standard input. They are added to what is\nknown of their sites, or put in its place.",
		"  lede site import profiles.jsonl --site-store sites.db", cobra.MinimumNArgs(1), func(cmd *cobra.Command, s store.Store, args []string) error {
			put := s.Merge
			if replace {
				put = s.Put
			}
			for _, file := range args {
				n, err := importFile(cmd, file, func(p *site.Profile) error { return put(cmd.Context(), p) })
				if err != nil {
					return err
				}
				fmt.Fprintf(cmd.ErrOrStderr(), "lede: %d profiles read from %s\n", n, file)
			}
			return nil
		})
	cmd.Flags().BoolVar(&replace, "replace", false, "in place of what is known, not beside it")
	return cmd
}

func importFile(cmd *cobra.Command, file string, put func(*site.Profile) error) (n int, err error) {
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
	for ; ; n++ {
		p := new(site.Profile)
		switch err := dec.Decode(p); {
		case err == io.EOF:
			return n, nil
		case err != nil:
			return n, fmt.Errorf("%s, profile %d: %w", file, n+1, err)
		case p.Name() == "":
			return n, fmt.Errorf("%s, profile %d: it names no site", file, n+1)
		}
		if err := put(p); err != nil {
			return n, err
		}
	}
}

func newSiteForget() *cobra.Command {
	return storeCommand("forget SITE…", "Forget sites", "Forget all that is known of sites.", "  lede site forget paper.example --site-store sites.db",
		cobra.MinimumNArgs(1), func(cmd *cobra.Command, s store.Store, args []string) error {
			for _, name := range args {
				if host := site.NameOf(name); host != "" {
					name = host
				}
				if err := s.Forget(cmd.Context(), name); err != nil {
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
		Short: "Learn sites from pages",
		Long: `Learn sites from pages, as lede batch does while it extracts. Ten pages of a
site are enough for most of what there is to know. A page that was learned from
before teaches nothing new; one that cannot be read is told and left out.`,
		Example: `  lede site learn archive/ --site-store sites.db
  lede site learn paper/*.html --site paper.example --site-store profiles/`,
		RunE: func(cmd *cobra.Command, args []string) error { return f.run(cmd, args) },
	}
	f.pageFlags.add(cmd)
	f.siteFlags.add(cmd)
	cmd.Flags().IntVarP(&f.workers, "workers", "w", 0, "pages in work at once; 0 is one for each core")
	cmd.Flags().BoolVarP(&f.quiet, "quiet", "q", false, "no progress and no summary")
	return cmd
}

func (f *siteLearnFlags) run(cmd *cobra.Command, args []string) error {
	switch {
	case len(args) == 0:
		return errors.New("from which pages? Name files or folders")
	case f.path == "":
		return errors.New("which store? Name it with --site-store")
	}
	ex, err := f.extractor(f.logger(cmd.ErrOrStderr()))
	if err != nil {
		return err
	}
	in := batch.Find(args)
	if in.Len() == 0 {
		return failure{fmt.Errorf("no pages found in %s", strings.Join(args, ", "))}
	}
	known, err := f.siteFlags.open(cmd.ErrOrStderr())
	if err != nil {
		return err
	}
	bar := newProgress(cmd.ErrOrStderr(), in.Len(), f.quiet)
	told := &failures{}
	stats, err := batch.Run(cmd.Context(), in.All(), func(ctx context.Context, p batch.Page, r io.Reader) (*article.Article, error) {
		x, err := known.extract(ctx, ex, r, p.URL, p.Site, lede.WithReasons(false))
		if err != nil {
			return nil, err
		}
		return x.Article, nil
	}, told, batch.Options{Workers: f.workers, Progress: bar.update})
	bar.clear()
	told.print(cmd.ErrOrStderr())
	err = errors.Join(err, known.close())
	if errors.Is(err, context.Canceled) {
		err = fmt.Errorf("stopped after %d of %d pages; what was learned of them is kept", stats.Done, in.Len())
	}
	if err != nil {
		return failure{err}
	}
	if !f.quiet {
		fmt.Fprintf(cmd.ErrOrStderr(), "lede: learned from %s\n", summary(stats))
	}
	if stats.Failed > 0 {
		return failure{}
	}
	return nil
}

// failures keeps the lines of pages that failed, and forgets the articles.
type failures struct{ lines []string }

func (f *failures) Write(line []byte) (int, error) {
	var failed struct{ ID, Error string }
	if err := json.Unmarshal(line, &failed); err == nil && failed.Error != "" {
		f.lines = append(f.lines, failed.ID+": "+failed.Error)
	}
	return len(line), nil
}

// print tells the first few.
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

// siteFlags are the flags of commands that know sites.
type siteFlags struct {
	path string
	name string
}

func (f *siteFlags) add(cmd *cobra.Command) {
	cmd.Flags().StringVar(&f.path, "site-store", "", "know sites, and learn them from the pages as they pass, in this `FILE` (SQLite) or FOLDER/ (JSON)")
	cmd.Flags().StringVar(&f.name, "site", "", "`NAME` of the site of all pages; the default is the host of their addresses")
}

// open opens the store; nil when none is wanted.
func (f *siteFlags) open(w io.Writer) (*sites, error) {
	if f.path == "" {
		if f.name != "" {
			return nil, errors.New("--site goes with --site-store")
		}
		return nil, nil
	}
	s := &sites{name: f.name, out: w}
	var err error
	s.store, err = store.Open(f.path, store.Options{Report: func(err error) { s.tell("%s", oneLine(err)) }})
	if err != nil {
		return nil, failure{err}
	}
	return s, nil
}

// sites knows sites by a store, and learns. What goes wrong with the store is
// told, and pages are extracted all the same.
type sites struct {
	store store.Store
	name  string
	out   io.Writer

	lock   sync.Mutex
	missed int   // pages that were not learned
	err    error // the first reason
}

func (s *sites) tell(format string, args ...any) {
	s.lock.Lock()
	defer s.lock.Unlock()
	fmt.Fprintf(s.out, "lede: "+format+"\n", args...)
}

// page is the site of a page, for lede.WithSite and for learning afterwards. The
// name is what others call the site; it counts where there is no address.
func (s *sites) page(ctx context.Context, url, name string) *knownSite {
	switch {
	case s.name != "":
		name = s.name
	case url != "":
		name = "" // the page will tell
	case name != "":
		name = cmp.Or(site.NameOf("https://"+name), name)
	}
	return &knownSite{sites: s, ctx: ctx, url: url, name: name}
}

// knownSite looks a site up when a page of it is read.
type knownSite struct {
	sites *sites
	ctx   context.Context
	url   string
	name  string // empty until the page is known, when it is its address that tells
}

var _ lede.Site = (*knownSite)(nil)

// ReadPage finds on the page what the store knows of its site.
func (k *knownSite) ReadPage(pg *site.Page) (known *method.Site) {
	if k.name == "" {
		k.name = pg.Site(k.url)
	}
	if k.name == "" {
		return nil
	}
	err := k.sites.store.View(k.ctx, k.name, func(p *site.Profile) { known = p.ReadPage(pg) })
	if err != nil {
		k.sites.miss(err)
		return nil
	}
	return known
}

// learn adds the page to its site. A page whose site nobody knows is no loss.
func (k *knownSite) learn(x *lede.Explanation) {
	if k.name == "" {
		return
	}
	event, err := k.sites.store.Add(k.ctx, k.name, x.Observe())
	switch {
	case err != nil:
		k.sites.miss(err)
	case event == site.Restarted:
		k.sites.tell("%s has a new design; what was known of the old one is forgotten", k.name)
	}
}

func (s *sites) miss(err error) {
	s.lock.Lock()
	defer s.lock.Unlock()
	if s.missed++; s.err == nil {
		s.err = err
	}
}

// close ends the use of the store and gives the first thing that went wrong.
func (s *sites) close() error {
	err := s.store.Close()
	if s.missed > 0 {
		return fmt.Errorf("%d pages were not learned: %w", s.missed, s.err)
	}
	return err
}

// extract extracts with what is known of the page's site, and learns from it.
func (s *sites) extract(ctx context.Context, ex *lede.Extractor, r io.Reader, url, name string, opts ...lede.Option) (*lede.Explanation, error) {
	opts = append(opts, lede.WithURL(url))
	if s == nil {
		return ex.Explain(ctx, r, opts...)
	}
	known := s.page(ctx, url, name)
	x, err := ex.Explain(ctx, r, append(opts, lede.WithSite(known))...)
	if err == nil {
		known.learn(x)
	}
	return x, err
}
