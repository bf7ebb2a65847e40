package main

import (
	"bufio"
	"cmp"
	"errors"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/lede-news/lede/dom"
	"github.com/lede-news/lede/internal/api/render"
	"github.com/lede-news/lede/internal/cli"
	"github.com/lede-news/lede/internal/crawl/storylinks"
	"github.com/lede-news/lede/internal/page/lines"
	"github.com/lede-news/lede/internal/page/links"
)

type linksFlags struct {
	cli.WebFlags
	url      string
	charset  string
	maxBytes int
	json     bool
	stories  bool
}

func newLinks() *cobra.Command {
	var f linksFlags
	cmd := &cobra.Command{
		Use:   "links [URL|FILE|-]",
		Short: "List the links of a page and tell which lead to stories",
		Long: `List the links of a page, such as the home page of a paper, and tell which lead to
stories. PAGE is an address, a file (also compressed with gzip), or standard input
for "-" or no argument. Name the address of a file with --url, so that relative links
can be resolved.

Each link is judged by its address, its text, its place on the page and the other
links of its form, in any language. The table has a row for each page that is linked:
the probability that it is a story, the text, what weighed most, and the address.
Links to fronts of sections are marked "section".

--json writes an object for each link element, in the order of the page: url,
text, story (true or false), score (the probability), why, and section (true, or left
out). --stories writes only the addresses of stories, one on each line, for lede batch.`,
		Example: `  lede links https://paper.example/
  lede links home.html --url https://paper.example/
  lede links --json home.html --url https://paper.example/ | jq -r 'select(.story) | .text'
  lede links --stories https://paper.example/ | lede batch --urls - --out stories.jsonl`,
		Args: cli.Arguments(0, 1, ""),
		RunE: f.run,
	}
	f.WebFlags.Add(cmd)
	fl := cmd.Flags()
	fl.StringVar(&f.url, "url", "", "`ADDRESS` of the page, to resolve its links")
	fl.StringVar(&f.charset, "charset", "", "`CHARSET` of the page, overriding what it declares")
	fl.IntVar(&f.maxBytes, "max-bytes", dom.DefaultBytes, "maximum size of the page, in bytes")
	fl.BoolVar(&f.json, "json", false, "write a JSON object for each link")
	fl.BoolVar(&f.stories, "stories", false, "write only the addresses of stories, one on each line")
	cmd.MarkFlagsMutuallyExclusive("json", "stories")
	return cmd
}

func (f *linksFlags) run(cmd *cobra.Command, args []string) error {
	arg := "-"
	if len(args) > 0 {
		arg = args[0]
	}
	if f.url != "" && !strings.HasPrefix(f.url, "http://") && !strings.HasPrefix(f.url, "https://") {
		return fmt.Errorf("--url %q: name an http or https address", f.url)
	}
	d, address, err := readDocument(cmd.Context(), arg, f.charset, f.maxBytes, f.Client(f.maxBytes, nil), cmd.InOrStdin())
	if err != nil {
		return cli.Fail(cli.HintPrivate(err))
	}
	address = cmp.Or(f.url, address)
	all := storylinks.Elements(d, address)
	if len(all) == 0 {
		return cli.Fail(fmt.Errorf("%s has no links; scripts may make them: save the page in a browser and name the file", arg))
	}
	if links.Base(d, address) == nil && links.MostlyRelative(d) {
		return cli.Fail(fmt.Errorf("%s: its links are relative and its address is unknown; name it with --url", arg))
	}
	out := bufio.NewWriter(cmd.OutOrStdout())
	judged := storylinks.Judge(d, address)
	switch {
	case f.json:
		err = render.Lines(out, all...)
	case f.stories:
		for _, v := range judged {
			if v.Story {
				fmt.Fprintln(out, v.URL)
			}
		}
	default:
		stories, sections := writeLinkTable(out, judged)
		defer fmt.Fprintf(cmd.ErrOrStderr(), "lede: %d links to %d pages: %d stories, %d sections\n", len(all), len(judged), stories, sections)
	}
	return cli.Fail(errors.Join(err, out.Flush()))
}

// writeLinkTable writes a table for people and returns how many links lead to stories
// and sections.
func writeLinkTable(w io.Writer, all []storylinks.Verdict) (stories, sections int) {
	const maxText = 60
	table := tabwriter.NewWriter(w, 0, 8, 2, ' ', 0)
	for _, v := range all {
		kind := "-"
		switch {
		case v.Story:
			kind = "story"
			stories++
		case v.Section:
			kind = "section"
			sections++
		}
		fmt.Fprintf(table, "%s\t%.2f\t%s\t%s\t%s\n", kind, v.Score, lines.Shorten(v.Text, maxText), v.Why, v.URL)
	}
	table.Flush() // w is a buffer, which keeps its error
	return stories, sections
}
