package command

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/lede-news/lede/article"
	"github.com/lede-news/lede/batch"
	"github.com/lede-news/lede/internal/cli"
	"github.com/lede-news/lede/internal/lab/newsroom"
	"github.com/lede-news/lede/internal/parallel"
	"github.com/lede-news/lede/warc"
)

func newNewsroom() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "newsroom",
		Short: "Generate synthetic news sites, for tests, demos and load",
		Long: `Generate synthetic news sites with style sheets, advertisements, comments and
feeds. The same seed gives the same pages, and every page has its gold: what an
extractor should find.

The sites are ` + strings.Join(newsroom.Sites(), ", ") + `;
with --kind microblog two microblogs, and with --kind cluttered sites in many
languages with generated designs, full of boxes that do not belong to the story.`,
		Example: `  lede-lab newsroom serve
  lede-lab newsroom write --pages 100 made/
  lede-lab newsroom wire --articles 5000 --out articles.jsonl`,
	}
	cmd.AddCommand(newNewsroomServe(), newNewsroomWrite(), newNewsroomWire())
	return cmd
}

// roomFlags are the flags that choose the sites.
type roomFlags struct {
	kind string
	seed uint64
}

func (f *roomFlags) add(cmd *cobra.Command) {
	cmd.Flags().StringVar(&f.kind, "kind", "news", "`KIND` of sites: news, microblog or cluttered")
	cmd.Flags().Uint64Var(&f.seed, "seed", 1, "random seed")
	cli.Complete(cmd, "kind", "news", "microblog", "cluttered")
}

func (f *roomFlags) open() (*newsroom.Newsroom, error) {
	switch f.kind {
	case "news":
		return newsroom.New(f.seed), nil
	case "microblog":
		return newsroom.Microblogs(f.seed), nil
	case "cluttered":
		return newsroom.Cluttered(f.seed), nil
	}
	return nil, fmt.Errorf("--kind %q: use news, microblog or cluttered", f.kind)
}

func newNewsroomServe() *cobra.Command {
	var addr string
	var choice roomFlags
	cmd := &cobra.Command{
		Use:   "serve",
		Short: "Serve the sites over HTTP until interrupted, each under its name",
		Example: `  lede-lab newsroom serve --addr 127.0.0.1:8080
  lede extract --allow-private http://127.0.0.1:8080/marston-gazette/`,
		Args: cli.Arguments(0, 0, ""),
		RunE: func(cmd *cobra.Command, _ []string) error {
			room, err := choice.open()
			if err != nil {
				return err
			}
			return serve(cmd, addr, room.Handler(), fmt.Sprintf("serving %d synthetic sites on http://%%s/\n", len(room.Sites())))
		},
	}
	cmd.Flags().StringVar(&addr, "addr", "127.0.0.1:8080", "`ADDRESS` to listen on; port 0 chooses a free one")
	choice.add(cmd)
	return cmd
}

// serve serves until the command is interrupted. It prints the address, by a format.
func serve(cmd *cobra.Command, addr string, h http.Handler, format string) error {
	l, err := net.Listen("tcp", addr)
	if err != nil {
		return cli.Fail(fmt.Errorf("cannot listen on %s: %w; choose another with --addr", addr, err))
	}
	fmt.Fprintf(cmd.OutOrStdout(), format, l.Addr())
	srv := &http.Server{Handler: h, ReadHeaderTimeout: 10 * time.Second, WriteTimeout: 2 * time.Minute, IdleTimeout: 2 * time.Minute}
	return cli.Fail(cli.ServeUntilDone(cmd.Context(), srv, l, 5*time.Second))
}

func newNewsroomWrite() *cobra.Command {
	var opts newsroom.WriteOptions
	var choice roomFlags
	var archive bool
	var total int
	cmd := &cobra.Command{
		Use:   "write DIR|FILE.warc.gz",
		Short: "Write pages and their gold to a folder, or pages to a web archive",
		Long: `Write pages and their gold to a folder, in the form of a corpus: DIR/pages/ and
DIR/gold.jsonl. If the name ends in .warc, .warc.gz or .warc.zst, or with --warc,
write the pages to a web archive, without their gold; - is standard output.`,
		Example: `  lede-lab newsroom write --pages 20 made/
  lede-lab newsroom write --sites lanxi-ribao,hed-hagiva --index made/
  lede-lab newsroom write --warc -n 1000000 - | lede batch - --out articles.jsonl.zst`,
		Args: cli.Arguments(1, 1, "no output: name a folder, or a web archive such as pages.warc.gz"),
		RunE: func(cmd *cobra.Command, args []string) error {
			path := args[0]
			archive = archive || isArchiveName(path)
			switch {
			case path == "-" && !archive:
				return errors.New("a folder cannot be written to standard output; use --warc to write a web archive")
			case opts.Pages < 1 || total < 0:
				return errors.New("--pages must be 1 or more, -n must not be negative")
			case !archive && total > 0:
				return errors.New("-n requires a web archive: a name that ends in .warc.gz, or --warc")
			case archive && opts.Index:
				return errors.New("--index is for folders")
			}
			room, err := choice.open()
			if err != nil {
				return err
			}
			bar := cli.NewStatus(cmd.ErrOrStderr())
			defer bar.Clear()
			opts.Progress = func(done, total int) { bar.Step("writing", done, total, "pages") }
			if archive {
				return cli.Fail(writeArchive(cmd, path, room, opts, total, choice.seed))
			}
			err = room.Write(path, opts)
			if errors.Is(err, newsroom.ErrNotEmpty) {
				err = fmt.Errorf("%s is not empty: choose another folder, or use --force to write into it", path)
			}
			return cli.Fail(err)
		},
	}
	fl := cmd.Flags()
	fl.IntVar(&opts.Pages, "pages", 10, "number of articles of each site")
	fl.StringSliceVar(&opts.Sites, "sites", nil, "comma-separated `NAMES` of sites (default: all)")
	fl.BoolVar(&opts.Index, "index", false, "also write home and section pages")
	fl.BoolVar(&opts.Force, "force", false, "write into a folder that is not empty, or overwrite an archive")
	fl.BoolVar(&archive, "warc", false, "write a web archive, whatever its name")
	fl.IntVarP(&total, "total", "n", 0, "number of articles in all, for a web archive")
	choice.add(cmd)
	return cmd
}

// isArchiveName reports whether a name is that of a web archive.
func isArchiveName(name string) bool {
	name = strings.ToLower(name)
	return strings.HasSuffix(strings.TrimSuffix(strings.TrimSuffix(name, ".gz"), ".zst"), ".warc")
}

// writeArchive writes pages of all sites in turn, as a crawler would. Only a few pages
// are in memory at a time.
func writeArchive(cmd *cobra.Command, path string, room *newsroom.Newsroom, opts newsroom.WriteOptions, total int, seed uint64) error {
	sites, err := room.Select(opts.Sites...)
	if err != nil {
		return err
	}
	if total == 0 {
		total = opts.Pages * len(sites)
	}
	out, err := openNew(cmd, path, opts.Force)
	if err != nil {
		return err
	}
	compression := warc.Uncompressed
	switch strings.ToLower(filepath.Ext(path)) {
	case ".gz":
		compression = warc.Gzip
	case ".zst":
		compression = warc.Zstd
	}
	var random [32]byte
	for i := range random {
		random[i] = byte(seed >> (i % 8 * 8))
	}
	archive := warc.NewWriter(out, warc.WriterOptions{Compression: compression, Random: rand.NewChaCha8(random)})
	return out.Finish(writePages(cmd.Context(), archive, sites, total, opts.Progress))
}

// openNew opens a file for output. It fails if the file exists, unless force is set.
func openNew(cmd *cobra.Command, path string, force bool) (*cli.OutFile, error) {
	if _, err := os.Stat(path); err == nil && path != "-" && !force {
		return nil, fmt.Errorf("%s exists: choose another name, or use --force to overwrite it", path)
	}
	return cli.OpenOut(path, cmd.OutOrStdout())
}

func writePages(ctx context.Context, archive *warc.Writer, sites []*newsroom.Site, total int, progress func(done, total int)) error {
	start := time.Date(2024, 1, 1, 0, 0, 0, 0, time.UTC)
	if err := archive.WriteInfo(start, warc.Header{{Name: "software", Value: "lede-lab newsroom"}}); err != nil {
		return err
	}
	pages := make([]newsroom.Page, 64)
	for first := 0; first < total; first += len(pages) {
		if ctx.Err() != nil {
			return fmt.Errorf("stopped after %d of %d pages", first, total)
		}
		some := pages[:min(len(pages), total-first)]
		parallel.For(len(some), 0, func(k int) {
			n := first + k
			some[k] = sites[n%len(sites)].Page(n / len(sites))
		})
		for i, p := range some {
			err := archive.WriteResponse(warc.Response{
				URL: p.Gold.URL, Date: start.Add(time.Duration(first+i) * time.Second), Status: http.StatusOK,
				Header: http.Header{"Content-Type": {"text/html"}}, Body: p.HTML,
			})
			if err != nil {
				return err
			}
		}
		progress(first+len(some), total)
	}
	return nil
}

func newNewsroomWire() *cobra.Command {
	opts := newsroom.WireOptions{}
	var seed uint64
	var out string
	var force bool
	cmd := &cobra.Command{
		Use:   "wire",
		Short: "Write synthetic wire stories and their copies, for lede stories",
		Long: `Write synthetic articles as lines of lede batch: stories of news agencies, the
copies that papers make of them, and articles on the same events and subjects that
are not copies, in the order in which a crawler would see them.

Each line also has its gold: group is the same for copies of one text, event for
articles on one event, and kind says how the article was made.`,
		Example: `  lede-lab newsroom wire --articles 5000 --out articles.jsonl
  lede-lab newsroom wire --articles 1000000 --per-day 4000 --langs en,de --out many.jsonl
  lede stories articles.jsonl --out stories.jsonl`,
		Args: cli.Arguments(0, 0, ""),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if opts.Articles < 1 || opts.PerDay < 1 {
				return errors.New("--articles and --per-day must be 1 or more")
			}
			for _, lang := range opts.Langs {
				if !slices.Contains(newsroom.WireLanguages(), lang) {
					return fmt.Errorf("--langs %q: unknown language; available: %s", lang, strings.Join(newsroom.WireLanguages(), ", "))
				}
			}
			o, err := openNew(cmd, out, force)
			if err != nil {
				return cli.Fail(err)
			}
			return cli.Fail(o.Finish(writeWire(cmd.Context(), json.NewEncoder(o), newsroom.NewWire(seed, opts))))
		},
	}
	fl := cmd.Flags()
	fl.IntVarP(&opts.Articles, "articles", "n", 1000, "number of articles")
	fl.Uint64Var(&seed, "seed", 1, "random seed")
	fl.StringVarP(&out, "out", "o", "-", "write to `FILE` (default: standard output)")
	fl.StringSliceVar(&opts.Langs, "langs", nil, "comma-separated `LANGUAGES` (default: all)")
	fl.IntVar(&opts.PerDay, "per-day", 40, "number of events a day, each with some five articles")
	fl.BoolVar(&force, "force", false, "overwrite FILE if it exists")
	return cmd
}

func writeWire(ctx context.Context, enc *json.Encoder, wire *newsroom.Wire) error {
	enc.SetEscapeHTML(false)
	type gold struct {
		Group int    `json:"group"`
		Event int    `json:"event"`
		Kind  string `json:"kind"`
	}
	for a := range wire.Articles() {
		if ctx.Err() != nil {
			return errors.New("stopped before all articles were written")
		}
		line := batch.NewLine(a.ID, a.URL, &article.Article{Title: a.Title, Lang: a.Lang, Site: a.Site, Type: article.TypeArticle})
		line.Text, line.FirstSeen = a.Text, a.Seen.Format(time.RFC3339)
		if !a.Published.IsZero() {
			line.Date = a.Published.Format(time.RFC3339)
		}
		err := enc.Encode(struct {
			batch.Line
			Gold gold `json:"gold"`
		}{line, gold{a.Group, a.Event, a.Kind}})
		if err != nil {
			return err
		}
	}
	return nil
}
