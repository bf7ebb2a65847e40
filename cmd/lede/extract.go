package main

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/lede-news/lede"
	"github.com/lede-news/lede/article"
	"github.com/lede-news/lede/dom"
	"github.com/lede-news/lede/fetch"
	"github.com/lede-news/lede/format"
	"github.com/lede-news/lede/internal/api/render"
	"github.com/lede-news/lede/internal/cli"
	"github.com/lede-news/lede/internal/crawl/polite"
	"github.com/lede-news/lede/internal/page/links"
	"github.com/lede-news/lede/internal/sites"
	"github.com/lede-news/lede/internal/story/styled"
	"github.com/lede-news/lede/site"
	"github.com/lede-news/lede/site/store"
)

type extractFlags struct {
	pageFlags
	cli.WebFlags
	siteFlags
	cli.ChromiumFlags
	linkText string
	indexes  []string
	render   bool
	assets   string
	format   string
	url      string
	explain  bool
	bodyOnly bool

	noPictures bool
	pages      int
}

func newExtract() *cobra.Command {
	var f extractFlags
	f.choices = []string{"links", render.Cleaned}
	cmd := &cobra.Command{
		Use:   "extract [URL|FILE|-]…",
		Short: "Extract the article from pages",
		Long: `Extract the article from pages: URLs, files (also compressed with gzip), or standard
input for "-" or no argument. Several pages give several articles; in JSON one line for
each, with "input", and "error" for a page that fails. The exit status is then 1.

--explain shows what was kept and dropped, with the reasons; --format json has them too.
--format cleaned is the page's own HTML without what the method dropped.
--pages N joins the pages of an article that is split over several ("1 2 3 Next"), one a second,
as robots.txt allows.
--neighbours learns from other pages of the site, best of the same category: text that
they have as well is not part of the article. stadynot is made for it.

--method twcem uses the text of the link that led to the page: --link-text gives it,
--index takes it from a page with links, such as the home page.`,
		Example: `  lede extract https://paper.example/story.html
  curl -s https://paper.example/story.html | lede extract --url https://paper.example/story.html
  lede extract --format json *.html | jq -r '[.input, .title] | @tsv'
  lede extract --explain page.html
  lede extract --with comments,links --favor recall page.html
  lede extract --format styled --browser --assets page_files page.html > story.html
  lede extract --method stadynot --neighbours archive/sport/ page.html
  lede extract --pages 10 https://paper.example/long-story.html
  lede extract --render https://paper.example/needs-javascript.html`,
		RunE: f.run,
	}
	f.pageFlags.add(cmd)
	f.WebFlags.Add(cmd)
	f.siteFlags.add(cmd)
	f.siteFlags.addNeighbours(cmd)
	f.ChromiumFlags.Add(cmd, ", for --method wrapper and --format styled")
	fl := cmd.Flags()
	fl.StringVar(&f.linkText, "link-text", "", "`TEXT` of the link that led to the page, for --method twcem; for one page only")
	fl.StringArrayVar(&f.indexes, "index", nil, "`FILE|URL` of a page with links to the pages, for --method twcem; repeatable")
	fl.StringVarP(&f.format, "format", "f", "text", "output `FORMAT`: "+strings.Join(render.Formats(), ", "))
	fl.BoolVar(&f.render, "render", false, "run the scripts of pages with Chromium; those of files have no network unless --network is set")
	fl.StringVar(&f.assets, "assets", "", "`FOLDER` with the pictures of the page, for --format styled")
	fl.StringVar(&f.url, "url", "", "address of the page, to resolve its links; for one page only")
	fl.BoolVar(&f.explain, "explain", false, "show what was kept and dropped, and why")
	fl.BoolVar(&f.bodyOnly, "body-only", false, "omit headline, byline and date")
	fl.IntVar(&f.pages, "pages", 1, "join up to `N` pages of an article that is split over several")
	fl.BoolVar(&f.noPictures, "no-pictures", false, "omit pictures and videos")
	cli.Complete(cmd, "format", render.Formats()...)
	return cmd
}

func (f *extractFlags) run(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		args = []string{"-"}
	}
	if err := f.check(args); err != nil {
		return err
	}
	log, stderr := f.logger(cmd.ErrOrStderr()), cmd.ErrOrStderr()
	ex, err := f.extractor(log, lede.WithPictures(!f.noPictures), lede.WithCleaned(f.format == render.Cleaned || f.keeps(render.Cleaned)))
	if err != nil {
		return err
	}
	client := f.Client(f.maxBytes, log)
	web := f.Chromium(stderr, f.pageTime, f.AllowPrivate, log)
	defer web.Close()
	job := &extraction{
		flags: f, stdin: cmd.InOrStdin(), stderr: stderr, client: client, ex: ex, web: web, several: len(args) > 1,
		polite: polite.New(polite.Options{Do: client.Do, UserAgent: f.UserAgent}),
	}
	if err := job.readIndexes(cmd.Context()); err != nil {
		return cli.Fail(fmt.Errorf("--index: %w", cli.HintPrivate(err)))
	}
	if f.format == render.Styled {
		web.Opts.Properties = styled.Properties()
		var closeFolder func() error
		if job.assets, closeFolder, err = f.openAssets(log); err != nil {
			return cli.Fail(err)
		}
		defer closeFolder()
	}
	if job.near, err = f.readNeighbours(cmd.Context(), f.neighbours, stderr); err != nil {
		return err
	}
	if job.sites, err = f.siteFlags.open(stderr, store.Options{}); err != nil {
		return err
	}
	err = job.pages(cmd.Context(), args, cmd.OutOrStdout())
	if job.sites != nil {
		err = errors.Join(err, job.sites.Close())
	}
	switch {
	case err != nil:
		return cli.Fail(err)
	case job.failed:
		return cli.ErrSomeFailed
	}
	return nil
}

// extraction is one run of the command.
type extraction struct {
	flags   *extractFlags
	stdin   io.Reader
	stderr  io.Writer
	client  *fetch.Client
	polite  *polite.Fetcher // for the following pages of an article
	ex      *lede.Extractor
	links   links.Texts     // of --index
	sites   *sites.Sites    // nil without --site-store
	near    []*dom.Document // of --neighbours
	web     *cli.Chromium
	assets  []styled.Assets // none without --assets and --network
	several bool

	failed bool // a page, or one of the pages of an article
}

// pages extracts the pages. One that fails is reported.
func (e *extraction) pages(ctx context.Context, args []string, w io.Writer) error {
	for i, arg := range args {
		var page bytes.Buffer // an article is written whole or not at all
		err := e.page(ctx, arg, &page)
		if ctx.Err() != nil {
			return errors.New("stopped before all pages were extracted")
		}
		if err != nil {
			e.failed = true
			fmt.Fprintf(e.stderr, "lede: %s\n", nameError(arg, err))
			page.Reset()
			if e.flags.format == "json" {
				e.writeFailed(&page, arg, err)
			}
		} else if i > 0 && e.flags.format != "json" && !e.flags.explain {
			_, _ = io.WriteString(w, "\n")
		}
		if _, err := page.WriteTo(w); err != nil {
			return err
		}
	}
	return nil
}

// page extracts one page.
func (e *extraction) page(ctx context.Context, arg string, w io.Writer) error {
	src, err := e.open(ctx, arg)
	if err != nil {
		return cli.HintPrivate(err)
	}
	defer src.Close()
	linkText := e.linkText(arg, src.url)
	opts := func(src source) []lede.Option {
		o := []lede.Option{
			lede.WithHeaderCharset(src.charset), lede.WithLinkText(linkText), lede.WithNeighbours(e.near...),
			lede.WithReasons(e.flags.explain || e.flags.format == render.Styled),
		}
		if e.flags.Browser {
			o = append(o, lede.WithLayout(e.web.Layout))
		}
		if src.rendered {
			o = append(o, lede.WithCharset("utf-8"))
		}
		return o
	}
	x, err := e.sites.Extract(ctx, e.ex, src, src.url, "", opts(src)...)
	if err != nil {
		if src.partial != "" {
			err = fmt.Errorf("%w; %s", err, src.partial.Describe()) // which may be the cause
		}
		return hintRender(err, arg, src.rendered)
	}
	defer e.web.Forget(x.Document())
	x.Article.SetPartial(src.partial)
	e.wholeStory(ctx, arg, x.Article, opts)
	if reason := x.Article.PartialReason; reason != "" {
		e.note(arg, errors.New(reason.Describe()+"; the article may be incomplete"))
	}
	if e.flags.format != render.Styled || !e.flags.Network && !e.flags.Browser { // pictures and Chromium have limits of their own
		limited, cancel := context.WithTimeoutCause(ctx, e.flags.pageTime, fmt.Errorf("%w: not written after %v", lede.ErrTimeout, e.flags.pageTime))
		defer cancel()
		ctx = limited
	}
	if e.several && e.flags.format == "json" && !e.flags.explain {
		return writeNamed(w, inputLine{Input: arg}, x.Article)
	}
	out := render.Options{
		Format: e.flags.format, BodyOnly: e.flags.bodyOnly, Links: e.flags.keeps("links"),
		Fragment: e.several, // several documents in one file are not a document
		Indent:   e.flags.format == "json" && !e.several,
		Explain:  e.flags.explain, Input: arg, LinkText: linkText,
	}
	if e.flags.format == render.Styled {
		if out.Styled, err = e.styles(ctx, x); err != nil {
			return err
		}
	}
	if e.flags.explain && e.flags.format != "json" {
		w = cli.NewConsole(w)
	}
	return render.Write(ctx, w, x, out)
}

// inputLine is what a line of JSON says about its input.
type inputLine struct {
	Input string `json:"input,omitempty"`
	Error string `json:"error,omitempty"`
	Kind  string `json:"kind,omitempty"`
}

// writeNamed writes an article as a line of JSON that begins with its input.
func writeNamed(w io.Writer, line inputLine, a *article.Article) error {
	var b bytes.Buffer
	if err := format.JSON(&b, a, format.Options{}); err != nil {
		return err
	}
	name, err := json.Marshal(line)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(w, "%s,%s", name[:len(name)-1], b.Bytes()[1:])
	return err
}

// writeFailed writes the line of an input without an article: what is known about it, if
// its headline is, and if there are several inputs a line in any case.
func (e *extraction) writeFailed(b *bytes.Buffer, arg string, err error) {
	line := inputLine{Error: cli.OneLine(err), Kind: errorKind(err)}
	if e.several {
		line.Input = arg
	}
	known := (*lede.FactsError)(nil)
	switch {
	case errors.As(err, &known) && !e.flags.explain:
		_ = writeNamed(b, line, known.Facts()) // to memory
	case e.several:
		_ = json.NewEncoder(b).Encode(line) // strings cannot fail
	}
}

// note reports something about a page.
func (e *extraction) note(arg string, err error) {
	fmt.Fprintf(e.stderr, "lede: %s: %s\n", inputName(arg), cli.OneLine(err))
}

// linkText returns the text of the link to a page, and says so if there is none.
func (e *extraction) linkText(arg, address string) string {
	if len(e.flags.indexes) == 0 || e.flags.linkText != "" {
		return e.flags.linkText
	}
	text := cmp.Or(e.links.Find(address), e.links.Find(arg))
	switch {
	case text != "":
	case address == "":
		e.note(arg, errors.New("its address is unknown, so no link to it can be found; give it with --url"))
	default:
		fmt.Fprintf(e.stderr, "lede: no link to %s in %s\n", address, strings.Join(e.flags.indexes, ", "))
	}
	return text
}

// readIndexes reads the texts of the links on the pages of --index. Those that do not say
// their address are taken for home pages of the story's site.
func (e *extraction) readIndexes(ctx context.Context) error {
	for _, page := range e.flags.indexes {
		d, address, err := readDocument(ctx, page, e.flags.charset, e.flags.maxBytes, e.client, e.stdin)
		if err != nil {
			return err
		}
		if home, err := links.Parse(e.flags.url); err == nil && home.Host != "" {
			address = cmp.Or(address, home.Scheme+"://"+home.Host+"/")
		}
		switch {
		case links.Base(d, address) == nil && links.MostlyRelative(d):
			return fmt.Errorf("%s: its links are relative and its address is unknown; name that of the story with --url", page)
		case e.links.AddPage(d, address) == 0:
			return fmt.Errorf("%s has no links to other pages", page)
		}
	}
	return nil
}

// readDocument reads a page and returns its address, as far as it is known.
func readDocument(ctx context.Context, arg, charset string, maxBytes int, client *fetch.Client, stdin io.Reader) (*dom.Document, string, error) {
	e := extraction{flags: new(extractFlags), client: client, stdin: stdin}
	src, err := e.open(ctx, arg)
	if err != nil {
		return nil, "", err
	}
	defer src.Close()
	page, err := readAtMost(src, maxBytes)
	if err != nil {
		return nil, "", fmt.Errorf("%s: %w", arg, err)
	}
	d, err := dom.Parse(ctx, page, dom.Options{Charset: charset, HeaderCharset: src.charset, NoCopy: true, Limits: dom.Limits{Bytes: maxBytes}})
	if err != nil {
		return nil, "", fmt.Errorf("%s: %w", arg, err)
	}
	return d, cmp.Or(src.url, site.NewFingerprint(d).URL()), nil
}

// check checks the flags for the pages on the command line.
func (f *extractFlags) check(args []string) error {
	several, onePage := len(args) > 1, f.format == render.Styled || f.format == render.Cleaned
	switch {
	case f.url != "" && several:
		return errors.New("--url takes one page, not several")
	case !slices.Contains(render.Formats(), f.format):
		return fmt.Errorf("--format %q: use one of %s", f.format, strings.Join(render.Formats(), ", "))
	case f.assets != "" && f.format != render.Styled:
		return errors.New("--assets requires --format styled")
	case f.Network && !f.Browser && !f.render && f.format != render.Styled:
		return errors.New("--network requires --browser, --render or --format styled")
	case f.explain && f.format != "text" && f.format != "json":
		return fmt.Errorf("--explain writes text or JSON; use it without --format %s", f.format)
	case onePage && (several || f.pages > 1):
		return fmt.Errorf("--format %s takes one page at a time", f.format)
	case f.format == render.Cleaned && f.bodyOnly:
		return errors.New("--body-only does not apply to --format cleaned, which is the page without what the method dropped")
	case f.pages < 1 || f.pages > maxParts:
		return fmt.Errorf("--pages %d: use a number from 1 to %d", f.pages, maxParts)
	case f.pages > 1 && f.explain:
		return errors.New("--explain explains one page; use it without --pages")
	case (f.linkText != "" || len(f.indexes) > 0) && f.method != "twcem" && !strings.HasPrefix(f.method, "twcem:"):
		return errors.New("--link-text and --index require --method twcem: no other method uses the text of links")
	case f.linkText != "" && several:
		return errors.New("--link-text takes one page, not several; use --index")
	}
	return f.siteFlags.check()
}

// inputName returns the name of an argument for readers.
func inputName(arg string) string {
	if arg == "-" {
		return "standard input"
	}
	return arg
}

// nameError returns the message of an error, with the name of the page.
func nameError(arg string, err error) string {
	msg := cli.OneLine(err)
	arg = inputName(arg)
	if strings.Contains(msg, arg) {
		return msg
	}
	return arg + ": " + msg
}
