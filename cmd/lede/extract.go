package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/lede-news/lede"
	"github.com/lede-news/lede/article"
	"github.com/lede-news/lede/batch"
	"github.com/lede-news/lede/fetch"
	"github.com/lede-news/lede/format"
)

type extractFlags struct {
	pageFlags
	webFlags
	siteFlags
	format   string
	url      string
	explain  bool
	bodyOnly bool
}

func newExtract() *cobra.Command {
	var f extractFlags
	cmd := &cobra.Command{
		Use:   "extract [URL|FILE|-]…",
		Short: "Extract the article from pages",
		Long: `Extract the article from pages: addresses, files (also packed with gzip), or
standard input for "-" or nothing.

Several pages give several articles: in text, Markdown and HTML one after the
other, in JSON a line each. A page that fails is told on standard error, the
others go on, and the exit status is 1.`,
		Example: `  lede extract https://paper.example/story.html
  curl -s https://paper.example/story.html | lede extract --url https://paper.example/story.html
  lede extract --format json page.html | jq .title
  lede extract --explain page.html`,
		RunE: func(cmd *cobra.Command, args []string) error { return f.run(cmd, args) },
	}
	f.pageFlags.add(cmd)
	f.webFlags.add(cmd)
	f.siteFlags.add(cmd)
	fl := cmd.Flags()
	fl.StringVarP(&f.format, "format", "f", "text", "write as `FORMAT`: "+strings.Join(format.Names(), ", "))
	fl.StringVar(&f.url, "url", "", "address of the page, for its links; for one page only")
	fl.BoolVar(&f.explain, "explain", false, "show what was kept and dropped, and why")
	fl.BoolVar(&f.bodyOnly, "body-only", false, "leave out headline, byline and date")
	_ = cmd.RegisterFlagCompletionFunc("format", func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
		return format.Names(), cobra.ShellCompDirectiveNoFileComp
	})
	return cmd
}

func (f *extractFlags) run(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		args = []string{"-"}
	}
	if f.url != "" && len(args) > 1 {
		return errors.New("--url goes with one page, not with several")
	}
	if err := knownFormat(f.format); err != nil {
		return err
	}
	log := f.logger(cmd.ErrOrStderr())
	ex, err := f.extractor(log)
	if err != nil {
		return err
	}
	known, err := f.siteFlags.open(cmd.ErrOrStderr())
	if err != nil {
		return err
	}
	client := f.client(f.maxBytes, log)
	in := opener{ctx: cmd.Context(), stdin: cmd.InOrStdin(), client: client, url: f.url}
	var failed bool
	for i, arg := range args {
		var out bytes.Buffer // an article is written whole or not at all
		err := f.page(in, ex, known, arg, &out, len(args) > 1)
		if err == nil {
			if i > 0 && f.format != "json" && !f.explain {
				_, _ = io.WriteString(cmd.OutOrStdout(), "\n")
			}
			_, err = out.WriteTo(cmd.OutOrStdout())
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

// page does one page.
func (f *extractFlags) page(in opener, ex *lede.Extractor, known *sites, arg string, w io.Writer, several bool) error {
	src, err := in.open(arg)
	if err != nil {
		return err
	}
	defer src.Close()
	x, err := known.extract(in.ctx, ex, src, src.url, "", lede.WithHeaderCharset(src.charset))
	if err != nil {
		return err
	}
	if f.explain {
		return explain(w, arg, x)
	}
	return f.write(w, x.Article, several)
}

func (f *extractFlags) write(w io.Writer, a *article.Article, several bool) error {
	return format.Write(w, a, f.format, format.Options{
		BodyOnly: f.bodyOnly,
		Fragment: several, // several documents in one file are no document
		Indent:   f.format == "json" && !several,
	})
}

func knownFormat(name string) error {
	err := format.Write(io.Discard, &article.Article{}, name, format.Options{})
	if errors.Is(err, format.ErrUnknownFormat) {
		return err
	}
	return nil
}

// nameError puts the name of the page before an error that lacks it.
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
}

// opener opens what is named on the command line.
type opener struct {
	ctx    context.Context
	stdin  io.Reader
	client *fetch.Client
	url    string // given by the user
}

func (o opener) open(arg string) (source, error) {
	switch {
	case arg == "-":
		return source{ReadCloser: io.NopCloser(o.stdin), url: o.url}, nil
	case strings.Contains(arg, "://"):
		resp, err := o.client.Get(o.ctx, arg)
		if err != nil {
			return source{}, err
		}
		s := source{ReadCloser: io.NopCloser(bytes.NewReader(resp.Body)), url: resp.URL, charset: resp.Charset}
		if o.url != "" {
			s.url = o.url
		}
		return s, nil
	}
	r, err := batch.Open(arg)
	return source{ReadCloser: r, url: o.url}, err
}
