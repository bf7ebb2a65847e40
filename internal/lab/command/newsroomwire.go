package command

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/lede-news/lede/article"
	"github.com/lede-news/lede/batch"
	"github.com/lede-news/lede/internal/cli"
	"github.com/lede-news/lede/internal/lab/newsroom"
)

func newNewsroomWire() *cobra.Command {
	opts := newsroom.WireOptions{Articles: 1000}
	var seed uint64
	var out string
	var force bool
	cmd := &cobra.Command{
		Use:   "wire",
		Short: "Write made-up wire stories and their copies, for lede stories",
		Long: `Write made-up articles as lines of lede batch: stories of news agencies, the
copies that papers make of them, and articles on the same events and subjects that
are no copies, in ` + fmt.Sprint(len(newsroom.WireLanguages())) + ` languages, in the order in which a crawler would see them.
Copies are cut, reordered, corrected, put into house style, or have paragraphs of the
paper's own; some have a wrong date or none.

Each line also has its gold: group is the same for copies of one text, event for
articles on one event, and kind says how the article was made:
` + strings.Join(newsroom.WireKinds(), ", ") + `.

The same seed gives the same articles.`,
		Example: `  lede-lab newsroom wire --articles 5000 --out articles.jsonl
  lede-lab newsroom wire --articles 1000000 --per-day 4000 --langs en,de --out many.jsonl
  lede stories articles.jsonl --out stories.jsonl`,
		Args: cli.NoArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if opts.Articles < 1 {
				return errors.New("--articles must be 1 or more")
			}
			if opts.PerDay < 1 {
				return errors.New("--per-day must be 1 or more")
			}
			for _, lang := range opts.Langs {
				if !slices.Contains(newsroom.WireLanguages(), lang) {
					return fmt.Errorf("--langs %q: unknown language; available: %s", lang, strings.Join(newsroom.WireLanguages(), ", "))
				}
			}
			if _, err := os.Stat(out); err == nil && out != "-" && !force {
				return fmt.Errorf("%s exists: choose another name, or use --force to overwrite it", out)
			}
			o, err := cli.OpenOut(out, cmd.OutOrStdout())
			if err != nil {
				return cli.Fail(err)
			}
			return cli.Fail(o.Finish(writeWire(cmd, o, newsroom.NewWire(seed, opts), opts.Articles)))
		},
	}
	fl := cmd.Flags()
	fl.IntVarP(&opts.Articles, "articles", "n", opts.Articles, "number of articles")
	fl.Uint64Var(&seed, "seed", 1, "random seed")
	fl.StringVarP(&out, "out", "o", "-", "write to `FILE` (default: standard output)")
	fl.StringSliceVar(&opts.Langs, "langs", nil, "comma-separated `LANGUAGES` (default: all)")
	fl.IntVar(&opts.PerDay, "per-day", 40, "number of events a day, each with some five articles")
	fl.BoolVar(&force, "force", false, "overwrite FILE if it exists")
	return cmd
}

// A wireLine is an article with its gold.
type wireLine struct {
	batch.Line
	Gold wireGold `json:"gold"`
}

type wireGold struct {
	Group int    `json:"group"`
	Event int    `json:"event"`
	Kind  string `json:"kind"`
}

func writeWire(cmd *cobra.Command, out *cli.OutFile, wire *newsroom.Wire, total int) error {
	bar := cli.NewStatus(cmd.ErrOrStderr())
	defer bar.Clear()
	enc := json.NewEncoder(out)
	enc.SetEscapeHTML(false)
	done := 0
	for a := range wire.Articles() {
		if err := cmd.Context().Err(); err != nil {
			return fmt.Errorf("stopped after %d of %d articles", done, total)
		}
		line := batch.NewLine(a.ID, a.URL, &article.Article{Title: a.Title, Lang: a.Lang, Site: a.Site, Type: article.TypeArticle})
		line.Text, line.FirstSeen = a.Text, a.Seen.Format(time.RFC3339)
		if !a.Published.IsZero() {
			line.Date = a.Published.Format(time.RFC3339)
		}
		if err := enc.Encode(wireLine{line, wireGold{a.Group, a.Event, a.Kind}}); err != nil {
			return err
		}
		if done++; done%1000 == 0 {
			bar.Step("writing", done, total, "articles")
		}
	}
	return nil
}
