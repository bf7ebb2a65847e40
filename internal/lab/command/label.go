package command

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/lede-news/lede"
	"github.com/lede-news/lede/dom"
	"github.com/lede-news/lede/internal/cli"
	"github.com/lede-news/lede/internal/lab/label"
	"github.com/lede-news/lede/method"
)

type labelFlags struct {
	cli.WebFlags
	labels  string
	addr    string
	method  string
	network bool
}

func newLabel() *cobra.Command {
	var f labelFlags
	cmd := &cobra.Command{
		Use:   "label DIR|FILE|URL…",
		Short: "Label titles and bodies of pages, to train the wrapper",
		Long: `Label the title and the body of pages in a browser. lede serves a web page on
loopback and prints its address. Point and click, or use the keys; ? lists them.
A label is on disk before the page shows it as saved.

Labels are JSON lines, one for each page: path, hash, beginning of the text and
box of both elements, so that they are found again on pages that have changed a
little. lede-lab train wrapper learns from them.

Pages are shown without scripts, and without remote pictures and style sheets
unless --network is set. Fetched pages are saved beside the labels.`,
		Example: `  lede-lab label pages/ --labels labels.jsonl
  lede-lab label https://paper.example/story.html --labels labels.jsonl
  lede-lab train wrapper labels.jsonl --pages pages/ --out model.json`,
		RunE: f.run,
	}
	f.WebFlags.Add(cmd)
	fl := cmd.Flags()
	fl.StringVarP(&f.labels, "labels", "l", "labels.jsonl", "`FILE` of labels to read and write")
	fl.StringVar(&f.addr, "addr", "127.0.0.1:8417", "`ADDRESS` to listen on; if the port is in use, a free one is chosen")
	fl.StringVarP(&f.method, "method", "m", "wrapper", "`METHOD` that suggests labels, or none")
	fl.BoolVar(&f.network, "network", false, "let pages load pictures and style sheets from their sites")
	return cmd
}

func (f *labelFlags) run(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return errors.New("no input: name folders, files or addresses")
	}
	suggest, err := suggestions(f.method)
	if err != nil {
		return err
	}
	pages, err := f.pages(args)
	if err != nil {
		return cli.Fail(err)
	}
	labels, err := label.OpenStore(f.labels)
	if err != nil {
		return cli.Fail(err)
	}
	s, err := label.New(label.Options{Pages: pages, Store: labels, Suggest: suggest, Network: f.network})
	if err != nil {
		return cli.Fail(err)
	}
	l, err := label.Listen(f.addr)
	if err != nil {
		return cli.Fail(fmt.Errorf("cannot listen on %s: %w; choose another with --addr", f.addr, err))
	}
	fmt.Fprintf(cli.NewConsole(cmd.OutOrStdout()), "labelling %d pages into %s\nopen %s\n", len(pages), f.labels, s.URL(l))
	return cli.Fail(s.Serve(cmd.Context(), l))
}

// pages returns the pages of files, folders and addresses.
func (f *labelFlags) pages(args []string) ([]label.Page, error) {
	var files, urls []string
	for _, arg := range args {
		if strings.Contains(arg, "://") {
			urls = append(urls, arg)
		} else {
			files = append(files, arg)
		}
	}
	var pages []label.Page
	if len(files) > 0 {
		found, err := label.Files(files)
		if err != nil {
			return nil, err
		}
		pages = found
	}
	if len(urls) > 0 {
		client := f.Client(dom.DefaultBytes, nil)
		folder := strings.TrimSuffix(f.labels, filepath.Ext(f.labels)) + "-pages"
		found, err := label.URLs(urls, folder, func(ctx context.Context, url string) ([]byte, string, error) {
			resp, err := client.Get(ctx, url)
			if err != nil {
				return nil, "", cli.HintPrivate(err)
			}
			return resp.Body, resp.Charset, nil
		})
		if err != nil {
			return nil, err
		}
		pages = append(pages, found...)
	}
	return pages, nil
}

// suggestions returns a function that suggests title and body by a method.
func suggestions(name string) (label.Suggest, error) {
	if name == "none" {
		return nil, nil
	}
	m, err := lede.NewMethod(name)
	if err != nil {
		return nil, err
	}
	return func(ctx context.Context, d *dom.Document, url string) (title, body dom.Node) {
		const timeout = 10 * time.Second
		ctx, cancel := context.WithTimeout(ctx, timeout)
		defer cancel()
		sel, err := m.Select(ctx, &method.Page{Doc: d, URL: url})
		if err != nil || sel == nil || len(sel.Keep) == 0 {
			return dom.None, dom.None
		}
		return sel.Title, sel.Keep[0]
	}, nil
}
