package newsroom

import (
	"bufio"
	"bytes"
	"cmp"
	"compress/gzip"
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

const defaultPages = 10

// batchSize is the number of pages that are generated concurrently.
const batchSize = 64

// Write writes a corpus: dir/gold.jsonl and dir/pages/ID.html. It renames the gold
// last, so that a folder with a gold.jsonl is complete.
func (n *Newsroom) Write(dir string, opts WriteOptions) error {
	pages, err := n.plan(opts)
	if err != nil {
		return err
	}
	if err := writeCorpus(dir, opts, pages); err != nil {
		return fmt.Errorf("newsroom: %w", err)
	}
	return nil
}

func writeCorpus(dir string, opts WriteOptions, pages *plan) error {
	if err := prepare(dir, opts.Force); err != nil {
		return err
	}
	tmp := filepath.Join(dir, "gold.jsonl.tmp")
	f, err := os.Create(tmp)
	if err != nil {
		return err
	}
	defer f.Close()
	gold := bufio.NewWriter(f)
	if err := writeAll(dir, opts, pages, gold); err != nil {
		return err
	}
	return errors.Join(gold.Flush(), f.Sync(), f.Close(), os.Rename(tmp, filepath.Join(dir, "gold.jsonl")))
}

// A plan is a list of pages to write.
type plan struct {
	sites []*Site
	pages int
	index bool
}

func (n *Newsroom) plan(opts WriteOptions) (*plan, error) {
	if opts.Pages < 0 {
		return nil, fmt.Errorf("newsroom: %d pages of each site: use 1 or more, or 0 for %d", opts.Pages, defaultPages)
	}
	sites, err := n.Select(opts.Sites...)
	if err != nil {
		return nil, err
	}
	return &plan{sites: sites, pages: cmp.Or(opts.Pages, defaultPages), index: opts.Index}, nil
}

func (p *plan) indexes(s *Site) int {
	if !p.index {
		return 0
	}
	return 1 + len(s.sections)
}

func (p *plan) total() int {
	total := 0
	for _, s := range p.sites {
		total += p.pages + p.indexes(s)
	}
	return total
}

// page generates the k-th page of all.
func (p *plan) page(k int) Page {
	for _, s := range p.sites {
		switch {
		case k < p.pages:
			return s.Page(k)
		case k == p.pages && p.index:
			return s.Index("")
		case k < p.pages+p.indexes(s):
			return s.Index(s.sections[k-p.pages-1].Slug)
		}
		k -= p.pages + p.indexes(s)
	}
	panic("newsroom: page number out of range")
}

func prepare(dir string, force bool) error {
	entries, err := os.ReadDir(dir)
	switch {
	case err == nil && len(entries) > 0 && !force:
		return fmt.Errorf("%s: %w: choose another folder, or set Force to overwrite", dir, ErrNotEmpty)
	case err != nil && !errors.Is(err, os.ErrNotExist):
		return err
	}
	if err := os.MkdirAll(filepath.Join(dir, "pages"), 0o755); err != nil {
		return err
	}
	// New pages must not be combined with an old gold.
	return removeIfExists(filepath.Join(dir, "gold.jsonl"))
}

func removeIfExists(file string) error {
	if err := os.Remove(file); err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	return nil
}

// writeAll generates pages concurrently and writes the gold in order.
func writeAll(dir string, opts WriteOptions, p *plan, gold *bufio.Writer) error {
	enc := json.NewEncoder(gold)
	enc.SetEscapeHTML(false)
	total := p.total()
	golds, errs := make([]Gold, batchSize), make([]error, batchSize)
	for start := 0; start < total; start += batchSize {
		n := min(batchSize, total-start)
		parallel.For(n, 0, func(k int) {
			page := p.page(start + k)
			golds[k], errs[k] = page.Gold, writePage(dir, page, opts.Gzip)
		})
		for k := range n {
			if err := errors.Join(errs[k], enc.Encode(golds[k])); err != nil {
				return err
			}
		}
		if opts.Progress != nil {
			opts.Progress(start+n, total)
		}
	}
	return nil
}

// writePage writes a page and removes an older one, compressed or not.
func writePage(dir string, page Page, zip bool) error {
	name := filepath.Join(dir, "pages", page.Gold.ID+".html")
	data, other := page.HTML, name+".gz"
	if zip {
		var out bytes.Buffer
		z := gzip.NewWriter(&out)
		if _, err := z.Write(data); err != nil {
			return err
		}
		if err := z.Close(); err != nil {
			return err
		}
		name, other, data = name+".gz", name, out.Bytes()
	}
	if err := removeIfExists(other); err != nil {
		return err
	}
	return os.WriteFile(name, data, 0o644)
}
