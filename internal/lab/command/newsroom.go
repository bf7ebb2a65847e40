package command

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/lede-news/lede/article"
	"github.com/lede-news/lede/batch"
	"github.com/lede-news/lede/internal/cli"
	"github.com/lede-news/lede/internal/lab/newsroom"
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
		Example: `  lede-lab newsroom write --pages 100 made/
  lede-lab newsroom wire --articles 5000 --out articles.jsonl`,
	}
	cmd.AddCommand(newNewsroomWrite(), newNewsroomWire())
	return cmd
}

// openRoom returns the sites of a kind.
func openRoom(kind string, seed uint64) (*newsroom.Newsroom, error) {
	switch kind {
	case "news":
		return newsroom.New(seed), nil
	case "microblog":
		return newsroom.Microblogs(seed), nil
	case "cluttered":
		return newsroom.Cluttered(seed), nil
	}
	return nil, fmt.Errorf("--kind %q: use news, microblog or cluttered", kind)
}

func newNewsroomWrite() *cobra.Command {
	var opts newsroom.WriteOptions
	var kind string
	var seed uint64
	cmd := &cobra.Command{
		Use:   "write DIR|FILE.warc.gz",
		Short: "Write pages and their gold to a folder, or pages to a web archive",
		Long: `Write pages and their gold to a folder, in the form of a corpus: DIR/pages/ and
DIR/gold.jsonl. If the name ends in .warc.gz, or is - for standard output, write the
pages to a web archive, without their gold.`,
		Example: `  lede-lab newsroom write --pages 20 made/
  lede-lab newsroom write --sites lanxi-ribao,hed-hagiva --index made/
  lede-lab newsroom write --pages 10000 pages.warc.gz`,
		Args: cli.Arguments(1, 1, "no output: name a folder, or a web archive such as pages.warc.gz"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if opts.Pages < 1 {
				return errors.New("--pages must be 1 or more")
			}
			room, err := openRoom(kind, seed)
			if err != nil {
				return err
			}
			if args[0] == "-" || strings.HasSuffix(args[0], ".warc.gz") {
				return cli.Fail(writeArchive(cmd, args[0], room, opts))
			}
			return cli.Fail(room.Write(args[0], opts))
		},
	}
	fl := cmd.Flags()
	fl.IntVar(&opts.Pages, "pages", 10, "number of articles of each site")
	fl.StringSliceVar(&opts.Sites, "sites", nil, "comma-separated `NAMES` of sites (default: all)")
	fl.BoolVar(&opts.Index, "index", false, "also write home and section pages")
	fl.StringVar(&kind, "kind", "news", "`KIND` of sites: news, microblog or cluttered")
	fl.Uint64Var(&seed, "seed", 1, "random seed")
	cli.Complete(cmd, "kind", "news", "microblog", "cluttered")
	return cmd
}

func writeArchive(cmd *cobra.Command, path string, room *newsroom.Newsroom, opts newsroom.WriteOptions) error {
	pages, err := room.Pages(opts)
	if err != nil {
		return err
	}
	out, err := openNew(cmd, path)
	if err != nil {
		return err
	}
	archive := warc.NewWriter(out, warc.WriterOptions{})
	date := time.Date(2024, 1, 1, 0, 0, 0, 0, time.UTC)
	err = archive.WriteInfo(date, warc.Header{{Name: "software", Value: "lede-lab newsroom"}})
	for p := range pages {
		if err = errors.Join(err, cmd.Context().Err()); err != nil {
			break
		}
		date = date.Add(time.Second)
		err = archive.WriteResponse(warc.Response{
			URL: p.Gold.URL, Date: date, Status: http.StatusOK, Header: http.Header{"Content-Type": {"text/html"}}, Body: p.HTML,
		})
	}
	return out.Finish(err)
}

// openNew opens a file for output. It fails if the file exists.
func openNew(cmd *cobra.Command, path string) (*cli.OutFile, error) {
	if _, err := os.Stat(path); err == nil {
		return nil, fmt.Errorf("%s exists: choose another name", path)
	}
	return cli.OpenOut(path, cmd.OutOrStdout())
}

func newNewsroomWire() *cobra.Command {
	var opts newsroom.WireOptions
	var seed uint64
	var out string
	cmd := &cobra.Command{
		Use:   "wire",
		Short: "Write synthetic wire stories and their copies, for lede stories",
		Long: `Write synthetic articles as lines of lede batch: stories of news agencies, the
copies that papers make of them, and articles on the same events and subjects that
are not copies, in the order in which a crawler would see them.

Each line also has its gold: group is the same for copies of one text, event for
articles on one event, and kind says how the article was made.`,
		Example: `  lede-lab newsroom wire --articles 5000 --out articles.jsonl
  lede stories articles.jsonl --out stories.jsonl`,
		Args: cli.Arguments(0, 0, ""),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if opts.Articles < 1 {
				return errors.New("--articles must be 1 or more")
			}
			o, err := openNew(cmd, out)
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
		line := batch.NewLine(a.ID, a.URL, &article.Article{Title: a.Title, Lang: a.Lang, Site: a.Site, Type: article.TypeArticle})
		line.Text, line.FirstSeen = a.Text, a.Seen.Format(time.RFC3339)
		if !a.Published.IsZero() {
			line.Date = a.Published.Format(time.RFC3339)
		}
		err := enc.Encode(struct {
			batch.Line
			Gold gold `json:"gold"`
		}{line, gold{a.Group, a.Event, a.Kind}})
		if err = errors.Join(err, ctx.Err()); err != nil {
			return err
		}
	}
	return nil
}
