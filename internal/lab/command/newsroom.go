package command

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/lede-news/lede/internal/cli"
	"github.com/lede-news/lede/internal/lab/newsroom"
	"github.com/lede-news/lede/internal/parallel"
	"github.com/lede-news/lede/warc"
)

func newNewsroom() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "newsroom",
		Short: "Generate made-up news sites, for tests, demos and load",
		Long: `Generate made-up news sites with style sheets, advertisements, comments and
feeds, for tests, demos and load. The same seed gives the same pages, and every
page has its gold: what an extractor should find.

The sites are ` + strings.Join(newsroom.Sites(), ", ") + `.
With --kind microblog they are microblogs: tattlebox in English and yuge-weibo in
Chinese, with posts of a few sentences. With --kind cluttered they are sites in
many languages with generated designs, whose pages are full of boxes that do not
belong to the story; another seed gives other designs.`,
		Example: `  lede-lab newsroom serve
  lede-lab newsroom write --pages 100 made-up/
  lede-lab newsroom wire --articles 5000 --out articles.jsonl`,
	}
	cmd.AddCommand(newNewsroomServe(), newNewsroomWrite(), newNewsroomWire())
	return cmd
}

func newNewsroomServe() *cobra.Command {
	var addr string
	var choice roomFlags
	var press pressFlags
	cmd := &cobra.Command{
		Use:   "serve",
		Short: "Serve the sites over HTTP",
		Long: `Serve the sites over HTTP until interrupted, each under its name, on loopback
unless --addr is given.

With --press N, serve N sites that publish stories over time, for lede follow:
with feeds, sitemaps, robots.txt, changes and bad habits that differ by site. The
address is that of a proxy for them; opened in a browser, it lists the sites. Their
clock runs faster with --speed, and GET /clock?add=24h on the address turns it.`,
		Example: `  lede-lab newsroom serve --addr 127.0.0.1:8080
  lede extract --allow-private http://127.0.0.1:8080/marston-gazette/
  lede-lab newsroom serve --press 20 --speed 600x
  HTTP_PROXY=http://127.0.0.1:8080 lede follow --allow-private http://www.ashgrove-argus.example/`,
		Args: cli.NoArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			handler, what, err := press.open(cmd, choice.seed)
			if err != nil {
				return err
			}
			if handler == nil {
				room, err := choice.open()
				if err != nil {
					return err
				}
				handler, what = room.Handler(), fmt.Sprintf("%d made-up %s", len(room.Sites()), kinds[choice.kind])
			}
			l, err := net.Listen("tcp", addr)
			if err != nil {
				return cli.Fail(fmt.Errorf("cannot listen on %s: %w; choose another with --addr", addr, err))
			}
			fmt.Fprintf(cmd.OutOrStdout(), "serving %s on http://%s/\n", what, l.Addr())
			return servePages(cmd.Context(), l, handler)
		},
	}
	cmd.Flags().StringVar(&addr, "addr", "127.0.0.1:8080", "`ADDRESS` to listen on; port 0 chooses a free one")
	choice.add(cmd)
	press.add(cmd)
	return cmd
}

// roomFlags are the flags that choose the sites.
type roomFlags struct {
	kind string
	seed uint64
}

// kinds are the values of --kind.
var kinds = map[string]string{"news": "news sites", "microblog": "microblogs", "cluttered": "cluttered sites"}

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

// servePages serves until the context ends, then lets open requests finish.
func servePages(ctx context.Context, l net.Listener, h http.Handler) error {
	srv := &http.Server{
		Handler:           h,
		ReadHeaderTimeout: 10 * time.Second,
		WriteTimeout:      time.Minute,
		IdleTimeout:       2 * time.Minute,
	}
	return cli.Fail(cli.ServeUntilDone(ctx, srv, l, 5*time.Second))
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
DIR/gold.jsonl, which lede batch reads.

If the name ends in .warc, .warc.gz or .warc.zst, the pages are written to a web
archive, without their gold. --warc does that whatever the name, and is needed
for -, standard output.`,
		Example: `  lede-lab newsroom write --pages 20 made-up/
  lede-lab newsroom write --pages 100 pages.warc.gz
  lede-lab newsroom write --kind microblog --index posts/
  lede-lab newsroom write --sites lanxi-ribao,hed-hagiva --gzip made-up/
  lede-lab newsroom write --warc -n 1000000 - | lede batch - --out articles.jsonl.zst`,
		Args: cli.OneArgument("no output: name a folder, or a web archive such as pages.warc.gz"),
		RunE: func(cmd *cobra.Command, args []string) error {
			archive = archive || isArchiveName(args[0])
			switch {
			case args[0] == "-" && !archive:
				return errors.New("a folder cannot be written to standard output; use --warc to write a web archive")
			case opts.Pages < 1:
				return errors.New("--pages must be 1 or more")
			case total < 0 || total > 0 && !archive:
				return errors.New("-n must not be negative and requires a web archive: a name that ends in .warc.gz, or --warc")
			case archive && (opts.Index || opts.Gzip):
				return errors.New("--index and --gzip are for folders; an archive is compressed if its name ends in .gz or .zst")
			}
			room, err := choice.open()
			if err != nil {
				return err
			}
			bar := cli.NewStatus(cmd.ErrOrStderr())
			defer bar.Clear()
			opts.Progress = func(done, total int) { bar.Step("writing", done, total, "pages") }
			if archive {
				err = writeNewsroomArchive(cmd, args[0], room, opts, total, choice.seed)
			} else {
				err = room.Write(args[0], opts)
			}
			switch {
			case errors.Is(err, newsroom.ErrNoSite):
				return err
			case errors.Is(err, newsroom.ErrNotEmpty):
				err = fmt.Errorf("%s is not empty: choose another folder, or use --force to write into it", args[0])
			}
			return cli.Fail(err)
		},
	}
	fl := cmd.Flags()
	fl.IntVar(&opts.Pages, "pages", 10, "number of articles of each site")
	fl.StringSliceVar(&opts.Sites, "sites", nil, "comma-separated `NAMES` of sites (default: all)")
	fl.BoolVar(&opts.Index, "index", false, "also write home and section pages")
	fl.BoolVar(&opts.Gzip, "gzip", false, "compress the pages")
	fl.BoolVar(&opts.Force, "force", false, "write into a folder that is not empty, or overwrite an archive")
	fl.BoolVar(&archive, "warc", false, "write a web archive, whatever its name")
	fl.IntVarP(&total, "total", "n", 0, "number of articles in all, for a web archive")
	choice.add(cmd)
	return cmd
}

// isArchiveName reports whether a name is that of a web archive.
func isArchiveName(name string) bool {
	name = strings.ToLower(name)
	for _, compressed := range []string{".gz", ".zst"} {
		name = strings.TrimSuffix(name, compressed)
	}
	return strings.HasSuffix(name, ".warc")
}

// writeNewsroomArchive writes an archive to a file or to standard output.
func writeNewsroomArchive(cmd *cobra.Command, path string, room *newsroom.Newsroom, opts newsroom.WriteOptions, total int, seed uint64) error {
	sites, err := room.Select(opts.Sites...)
	if err != nil {
		return err
	}
	if total == 0 {
		total = opts.Pages * len(sites)
	}
	if _, err := os.Stat(path); err == nil && path != "-" && !opts.Force {
		return fmt.Errorf("%s exists: choose another name, or use --force to overwrite it", path)
	}
	out, err := cli.OpenOut(path, cmd.OutOrStdout())
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
	return out.Finish(writeArchive(cmd.Context(), archive, sites, total, opts.Progress))
}

// writeArchive writes pages of all sites in turn, as a crawler would. Only a
// few pages are in memory at a time.
func writeArchive(ctx context.Context, archive *warc.Writer, sites []*newsroom.Site, total int, progress func(done, total int)) error {
	start := time.Date(2024, 1, 1, 0, 0, 0, 0, time.UTC)
	if _, err := archive.WriteInfo(start, warc.Header{{Name: "software", Value: "lede-lab newsroom"}}); err != nil {
		return err
	}
	pages := make([]newsroom.Page, 64)
	for first := 0; first < total; first += len(pages) {
		if err := ctx.Err(); err != nil {
			return fmt.Errorf("stopped after %d of %d pages", first, total)
		}
		some := pages[:min(len(pages), total-first)]
		parallel.For(len(some), 0, func(k int) {
			n := first + k
			some[k] = sites[n%len(sites)].Page(n / len(sites))
		})
		for i, p := range some {
			_, err := archive.WriteResponse(warc.Response{
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
