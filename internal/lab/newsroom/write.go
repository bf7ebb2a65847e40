package newsroom

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/lede-news/lede/internal/parallel"
)

// ErrNotEmpty means that the folder for Write is not empty.
var ErrNotEmpty = errors.New("folder is not empty")

// WriteOptions are the options of Write.
type WriteOptions struct {
	Sites    []string              // names (default: all)
	Pages    int                   // articles of each site (default: 10)
	Gzip     bool                  // write .html.gz files
	Index    bool                  // also write home and section pages
	Force    bool                  // write into a folder that is not empty
	Progress func(done, total int) // may be nil
}

// Write writes a corpus: dir/gold.jsonl and dir/pages/ID.html. It writes the gold last,
// so that a folder with a gold.jsonl is complete.
func (n *Newsroom) Write(dir string, opts WriteOptions) error {
	sites, err := n.Select(opts.Sites...)
	if err != nil {
		return err
	}
	var pages []func() Page
	for _, s := range sites {
		for i := range cmp.Or(opts.Pages, 10) {
			pages = append(pages, func() Page { return s.Page(i) })
		}
		if opts.Index {
			pages = append(pages, func() Page { return s.Index("") })
			for _, slug := range s.Sections() {
				pages = append(pages, func() Page { return s.Index(slug) })
			}
		}
	}
	if err := writePages(dir, opts, pages); err != nil {
		return fmt.Errorf("newsroom: %w", err)
	}
	return nil
}

func writePages(dir string, opts WriteOptions, pages []func() Page) error {
	if entries, _ := os.ReadDir(dir); len(entries) > 0 && !opts.Force {
		return fmt.Errorf("%s: %w: choose another folder, or set Force to overwrite", dir, ErrNotEmpty)
	}
	gold := filepath.Join(dir, "gold.jsonl")
	// New pages must not be combined with an old gold.
	if err := errors.Join(os.MkdirAll(filepath.Join(dir, "pages"), 0o755), os.RemoveAll(gold)); err != nil {
		return err
	}
	report := func(done int) {
		if opts.Progress != nil {
			opts.Progress(done, len(pages))
		}
	}
	golds, err := parallel.Map(context.Background(), len(pages), 0, report, func(i int) (Gold, error) {
		page := pages[i]()
		name, data := filepath.Join(dir, "pages", page.Gold.ID+".html"), page.HTML
		if opts.Gzip {
			name, data = name+".gz", zip(data)
		}
		return page.Gold, os.WriteFile(name, data, 0o644)
	})
	if err != nil {
		return err
	}
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	for _, g := range golds {
		if err := enc.Encode(g); err != nil {
			return err
		}
	}
	return os.WriteFile(gold, out.Bytes(), 0o644)
}
