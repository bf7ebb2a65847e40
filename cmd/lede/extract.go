package main

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"github.com/lede-news/lede"
	"github.com/lede-news/lede/article"
	"github.com/lede-news/lede/batch"
	"github.com/lede-news/lede/fetch"
	"github.com/lede-news/lede/format"
	"github.com/lede-news/lede/internal/cleaned"
	"github.com/lede-news/lede/internal/styled"
)

type extractFlags struct {
	pageFlags
	webFlags
	siteFlags
	chromiumFlags
	linkFlags
	neighbourFlags
	linkText string
	render   bool
	assets   string
	format   string
	url      string
	explain  bool
	bodyOnly bool
}

func newExtract() *cobra.Command {
	var f extractFlags
	f.choices = []string{"links"}
	cmd := &cobra.Command{
		Use:   "extract [URL|FILE|-]…",
		Short: "Extract the article from pages",
		Long: `Extract the article from pages: addresses, files (also compressed with gzip), or
standard input for "-" or no argument.

Several pages give several articles: one after the other in text, Markdown and
HTML, one per line in JSON. A page that fails is reported on standard error, the
others are still extracted, and the exit status is 1.

If a page arrives incomplete, its article is extracted all the same: standard error
says why it is incomplete, and JSON has partial and partial_reason (see lede batch).

--with keeps more than the article: comments, written by readers, after a rule;
captions of pictures, as paragraphs; tables, every data table inside the article;
links, in text the address of each after its words (other formats always have
links).

--format cleaned is the page's own HTML without what the method dropped. It keeps
the structure and the formatting of the text but no scripts, handlers, forms,
frames or style sheets, and loads only pictures.

--neighbours uses other pages of the same site, best articles of the same category:
text that they have as well is not part of the article. All methods can use them;
stadynot is made for it. Give files, archives or folders of pages (at most 50 pages
are used), or a number: then lede finds that many by the links of the page and of
its section page, one request a second, as robots.txt allows.

` + linkTextHelp + `
--link-text gives the text itself and overrides both; --anchors overrides --index.`,
		Example: `  lede extract https://paper.example/story.html
  curl -s https://paper.example/story.html | lede extract --url https://paper.example/story.html
  lede extract --format json page.html | jq .title
  lede extract --explain page.html
  lede extract --with comments,links --favor recall page.html
  lede extract --format styled --browser --assets page_files page.html > story.html
  lede extract --format cleaned --method stadynot page.html > clean.html
  lede extract --method stadynot --neighbours archive/sport/ page.html
  lede extract --method stadynot --neighbours 9 https://paper.example/story.html
  lede extract --method twcem --index https://paper.example/ https://paper.example/story.html
  lede extract --render https://paper.example/needs-javascript.html`,
		RunE: f.run,
	}
	f.pageFlags.add(cmd)
	f.webFlags.add(cmd)
	f.siteFlags.add(cmd)
	f.chromiumFlags.add(cmd, ", for --method wrapper and --format styled")
	f.linkFlags.add(cmd, "a FILE, FILE=URL or URL")
	f.neighbourFlags.add(cmd)
	fl := cmd.Flags()
	fl.StringVar(&f.linkText, "link-text", "", "`TEXT` of the link that led to the page, for --method twcem; for one page only")
	fl.StringVarP(&f.format, "format", "f", "text", "output `FORMAT`: "+strings.Join(formatNames(), ", "))
	fl.BoolVar(&f.render, "render", false, "fetch pages with Chromium and run their scripts")
	fl.StringVar(&f.assets, "assets", "", "`FOLDER` with the pictures of the page, for --format styled")
	fl.StringVar(&f.url, "url", "", "address of the page, to resolve its links; for one page only")
	fl.BoolVar(&f.explain, "explain", false, "show what was kept and dropped, and why")
	fl.BoolVar(&f.bodyOnly, "body-only", false, "omit headline, byline and date")
	complete(cmd, "format", formatNames()...)
	return cmd
}

func (f *extractFlags) run(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		args = []string{"-"}
	}
	if f.url != "" && len(args) > 1 {
		return errors.New("--url takes one page, not several")
	}
	if err := f.checkFormat(len(args)); err != nil {
		return err
	}
	if err := f.checkLinks(len(args)); err != nil {
		return err
	}
	if err := f.neighbourFlags.check(args, f.url, f.siteFlags.path); err != nil {
		return err
	}
	log := f.logger(cmd.ErrOrStderr())
	ex, err := f.extractor(log)
	if err != nil {
		return err
	}
	client := f.client(f.maxBytes, log)
	texts, err := f.linkFlags.read(cmd.Context(), linkReader{client: client, charset: f.charset, story: f.url, stderr: cmd.ErrOrStderr()})
	if err != nil {
		return err
	}
	known, err := f.siteFlags.open(cmd.ErrOrStderr())
	if err != nil {
		return err
	}
	web := f.chromium(cmd.ErrOrStderr(), f.pageTime, f.allowPrivate, log)
	if f.format == styledFormat {
		web.opts.Properties = styled.Properties()
	}
	defer web.close()
	out, err := f.newStyler(web, log)
	if err != nil {
		return failure{err}
	}
	defer out.close()
	near, err := f.newNeighbours(cmd.Context(), client, web, log, cmd.ErrOrStderr())
	if err != nil {
		return failure{err}
	}
	job := &extraction{flags: f, near: near, stdin: cmd.InOrStdin(), client: client, ex: ex, links: texts, stderr: cmd.ErrOrStderr(), sites: known, web: web, styler: out, several: len(args) > 1}
	var failed bool
	for i, arg := range args {
		var page bytes.Buffer // an article is written whole or not at all
		err := job.page(cmd.Context(), arg, &page)
		if err == nil {
			if i > 0 && f.format != "json" && !f.explain {
				_, _ = io.WriteString(cmd.OutOrStdout(), "\n")
			}
			_, err = page.WriteTo(cmd.OutOrStdout())
		}
		if err != nil {
			failed = true
			fmt.Fprintf(cmd.ErrOrStderr(), "lede: %s\n", nameError(arg, err))
		}
		if cmd.Context().Err() != nil {
			break
		}
	}
	if known != nil {
		if err := known.close(); err != nil {
			return failure{err}
		}
	}
	if failed {
		return failure{}
	}
	return nil
}

// extraction is one run of the command.
type extraction struct {
	flags   *extractFlags
	stdin   io.Reader
	client  *fetch.Client
	ex      *lede.Extractor
	links   *linkTexts // nil without --anchors and --index
	stderr  io.Writer
	sites   *sites          // nil without --site-store
	near    *pageNeighbours // nil without --neighbours
	web     *chromium
	styler  *styler // nil for other formats
	several bool
}

// page extracts one page.
func (e *extraction) page(ctx context.Context, arg string, w io.Writer) error {
	src, err := e.open(ctx, arg)
	if err != nil {
		return hintPrivate(err)
	}
	defer src.Close()
	linkText := e.linkText(arg, src.url)
	opts := []lede.Option{lede.WithHeaderCharset(src.charset), lede.WithLinkText(linkText)}
	if e.flags.browser {
		opts = append(opts, lede.WithLayout(e.web.layout))
	}
	near, src, err := e.near.around(ctx, src)
	if err != nil {
		return err
	}
	opts = append(opts, lede.WithNeighbours(near...))
	x, err := e.sites.extract(ctx, e.ex, src, src.url, "", append(opts, lede.WithReasons(e.flags.explain))...)
	if err != nil {
		return err
	}
	defer e.web.forget(x.Document())
	x.Article.SetPartial(src.partial)
	if reason := x.Article.PartialReason; reason != "" {
		fmt.Fprintf(e.stderr, "lede: %s\n", nameError(arg, errors.New(reason.Describe()+"; the article may be incomplete")))
	}
	switch {
	case e.flags.explain:
		return explain(w, arg, linkText, x)
	case e.styler != nil:
		return e.styler.write(ctx, w, x)
	case e.flags.format == cleanedFormat:
		_, err := io.WriteString(w, cleaned.Page(x.Document(), x.Selection(), cleaned.Options{URL: cmp.Or(x.Article.URL, x.Article.Canonical), Title: x.Article.Title}))
		return err
	}
	return e.flags.write(w, x.Article, e.several)
}

// linkText returns the text of the link to a page, and says so if there is none.
func (e *extraction) linkText(arg, address string) string {
	if e.flags.linkText != "" || e.links == nil {
		return e.flags.linkText
	}
	text := e.links.find(address, arg)
	switch {
	case text != "":
	case address == "":
		fmt.Fprintf(e.stderr, "lede: %s\n", nameError(arg, errors.New("its address is unknown, so no link to it can be found; give it with --url")))
	default:
		fmt.Fprintf(e.stderr, "lede: no link to %s in %s\n", address, e.links.names)
	}
	return text
}

func (f *extractFlags) write(w io.Writer, a *article.Article, several bool) error {
	return format.Write(w, a, f.format, format.Options{
		BodyOnly: f.bodyOnly,
		Links:    f.keeps("links"),
		Fragment: several, // several documents in one file are not a document
		Indent:   f.format == "json" && !several,
	})
}

// The formats that need the page, not only the article, so that package format
// does not have them.
const (
	styledFormat  = "styled"  // the article with the look of the page
	cleanedFormat = "cleaned" // the page without what the method dropped
)

func formatNames() []string { return append(format.Names(), styledFormat, cleanedFormat) }

func (f *extractFlags) checkFormat(pages int) error {
	switch {
	case !slices.Contains(formatNames(), f.format):
		return fmt.Errorf("%w %q: use one of %s", format.ErrUnknownFormat, f.format, strings.Join(formatNames(), ", "))
	case f.assets != "" && f.format != styledFormat:
		return errors.New("--assets requires --format styled")
	case f.network && !f.browser && f.format != styledFormat:
		return errors.New("--network requires --browser or --format styled")
	case (f.format == styledFormat || f.format == cleanedFormat) && pages > 1:
		return fmt.Errorf("--format %s takes one page at a time", f.format)
	case f.format == cleanedFormat && f.bodyOnly:
		return errors.New("--body-only does not apply to --format cleaned, which is the page without what the method dropped")
	}
	return nil
}

// checkLinks checks the flags about links to the pages.
func (f *extractFlags) checkLinks(pages int) error {
	switch {
	case f.linkText != "" && !usesLinkText(f.method):
		return errors.New("--link-text requires --method twcem: no other method uses the text of links")
	case f.linkText != "" && pages > 1:
		return errors.New("--link-text takes one page, not several; use --anchors or --index")
	}
	return f.linkFlags.check(f.method)
}

// nameError returns the message of an error, with the name of the page.
func nameError(arg string, err error) string {
	msg := oneLine(err)
	if arg == "-" {
		arg = "standard input"
	}
	if strings.Contains(msg, arg) {
		return msg
	}
	return arg + ": " + msg
}

// source is an open page.
type source struct {
	io.ReadCloser
	url, charset string
	partial      article.PartialReason // why the page is incomplete, or ""
}

// open opens a page named on the command line.
func (e *extraction) open(ctx context.Context, arg string) (source, error) {
	url := e.flags.url
	switch {
	case arg == "-":
		return source{ReadCloser: io.NopCloser(e.stdin), url: url}, nil
	case strings.Contains(arg, "://") && e.flags.render:
		page, err := e.web.render(ctx, arg)
		if err != nil {
			return source{}, err
		}
		return source{ReadCloser: io.NopCloser(bytes.NewReader(page.HTML)), url: cmp.Or(url, page.URL), charset: "utf-8"}, nil
	case strings.Contains(arg, "://"):
		resp, err := e.client.Get(ctx, arg)
		if err != nil {
			return source{}, err
		}
		return source{io.NopCloser(bytes.NewReader(resp.Body)), cmp.Or(url, resp.URL), resp.Charset, resp.TruncatedReason}, nil
	}
	if fi, err := os.Stat(arg); err == nil && fi.IsDir() {
		return source{}, fmt.Errorf("%s is a folder; lede batch reads folders", arg)
	}
	r, err := batch.Input{Path: arg}.Open()
	return source{ReadCloser: r, url: url}, err
}

// explain writes the decisions about all blocks of text.
func explain(w io.Writer, name, linkText string, x *lede.Explanation) error {
	a := x.Article
	var b strings.Builder
	if name == "-" {
		name = "standard input"
	}
	fmt.Fprintf(&b, "%s\n", name)
	fmt.Fprintf(&b, "method      %s\n", a.Method)
	fmt.Fprintf(&b, "type        %s, confidence %.2f%s\n", a.Type, a.Confidence, flags(a))
	fmt.Fprintf(&b, "title       %s%s\n", a.Title, from(x.Sources["title"]))
	if own := x.MethodTitle(); own != "" && own != a.Title {
		fmt.Fprintf(&b, "            %s  (found by the method)\n", own)
	}
	if linkText != "" {
		fmt.Fprintf(&b, "link text   %s\n", shorten(linkText, 90))
	}
	fmt.Fprintf(&b, "authors     %s%s\n", a.Byline(), from(x.Sources["authors"]))
	fmt.Fprintf(&b, "published   %s%s\n", a.Published, from(x.Sources["published"]))
	var kept, dropped, hidden int
	decisions := x.Decisions()
	for _, v := range decisions {
		n := utf8.RuneCountInString(v.Text)
		switch v.Role {
		case "kept":
			kept += n
		case "hidden":
			hidden += n
		default:
			dropped += n
		}
	}
	fmt.Fprintf(&b, "characters  %d kept, %d dropped, %d hidden from readers\n\n", kept, dropped, hidden)
	for _, v := range decisions {
		fmt.Fprintf(&b, "%-7s %7.1f  %s\n", v.Role, v.Score, shorten(v.Text, 90))
		fmt.Fprintf(&b, "                 %s — %s\n", shortPath(v.Path), why(v))
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// flags lists what is unusual about an article.
func flags(a *lede.Article) string {
	var s string
	if a.Form != "" {
		s += ", " + string(a.Form)
	}
	if a.Paywalled {
		s += ", paywalled"
	}
	if a.Partial {
		s += ", partial (" + a.PartialReason.Describe() + ")"
	}
	return s
}

func why(v lede.Decision) string {
	switch {
	case v.Role == "hidden":
		return "not shown to readers"
	case v.Role == "title":
		return "the headline"
	case v.Why == "":
		return "no reason given"
	}
	return v.Why
}

func from(source string) string {
	if source == "" {
		return ""
	}
	return "  (from " + source + ")"
}

// shortPath returns the last elements of a path.
func shortPath(p string) string {
	const maxElements = 5
	parts := strings.Split(p, ">")
	if len(parts) > maxElements {
		parts = append([]string{"…"}, parts[len(parts)-maxElements:]...)
	}
	return strings.Join(parts, ">")
}

func shorten(s string, n int) string {
	s = strings.Join(strings.Fields(s), " ")
	if utf8.RuneCountInString(s) <= n {
		return s
	}
	return string([]rune(s)[:n-1]) + "…"
}

// styler writes articles in the style of their pages.
type styler struct {
	web    *chromium // nil: styles are taken from the markup alone
	assets styled.Assets
	root   *os.Root // the folder of --assets; may be nil
}

// newStyler returns a styler that reads pictures from the folder of --assets and,
// with --network, from the network. It returns nil for other formats.
func (f *extractFlags) newStyler(web *chromium, log *slog.Logger) (*styler, error) {
	if f.format != styledFormat {
		return nil, nil
	}
	s := &styler{}
	if f.browser {
		s.web = web
	}
	var sources []styled.Assets
	if f.assets != "" {
		root, err := os.OpenRoot(f.assets)
		if err != nil {
			return nil, fmt.Errorf("--assets: %w", err)
		}
		s.root = root
		sources = append(sources, styled.Folder(root.FS()))
	}
	if f.network {
		network := fetch.New(fetch.Options{Timeout: f.timeout, AllowPrivate: f.allowPrivate, UserAgent: f.userAgent, Logger: log, AnyType: true})
		sources = append(sources, styled.AssetsFunc(func(ctx context.Context, url string) ([]byte, error) {
			resp, err := network.Get(ctx, url)
			if err != nil {
				return nil, err
			}
			return resp.Body, nil
		}))
	}
	if len(sources) > 0 {
		s.assets = styled.AnyOf(sources...)
	}
	return s, nil
}

func (s *styler) close() {
	if s != nil && s.root != nil {
		_ = s.root.Close()
	}
}

func (s *styler) write(ctx context.Context, w io.Writer, x *lede.Explanation) error {
	d, a := x.Document(), x.Article
	opts := styled.Options{Assets: s.assets, URL: a.URL}
	if s.web != nil {
		p, err := s.web.page(ctx, d, a.URL)
		if err != nil {
			return err
		}
		opts.Styles = styled.FromBrowser(d, p.Styles.Get)
	}
	return styled.Write(ctx, w, d, a, x.Nodes(), opts)
}
