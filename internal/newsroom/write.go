package newsroom

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"sync"
)

// ErrNotEmpty is returned by Write for a folder that already holds something.
var ErrNotEmpty = errors.New("folder is not empty")

// ErrNoSite is returned by Write for a site that does not exist.
var ErrNoSite = errors.New("no such site")

// WriteOptions say what Write writes.
type WriteOptions struct {
	Sites    []string              // names; all if empty
	Pages    int                   // articles a site; 10 if zero
	Gzip     bool                  // pages as .html.gz
	Index    bool                  // home and section pages too
	Force    bool                  // write into a folder that is not empty
	Progress func(done, total int) // called now and then, and at the end; may be nil
}

const defaultPages = 10

// batchSize is how many pages are made side by side before they are written.
const batchSize = 64

// Write writes a corpus: dir/gold.jsonl and dir/pages/ID.html. The gold gets its
// name last, so that a folder with a gold.jsonl is complete.
func (n *Newsroom) Write(dir string, opts WriteOptions) error {
	jobs, err := n.plan(opts)
	if err != nil {
		return err
	}
	if err := prepare(dir, opts.Force); err != nil {
		return err
	}
	tmp := filepath.Join(dir, "gold.jsonl.tmp")
	f, err := os.Create(tmp)
	if err != nil {
		return fmt.Errorf("newsroom: %w", err)
	}
	defer f.Close()
	gold := bufio.NewWriter(f)
	if err := writeAll(dir, opts, jobs, gold); err != nil {
		return fmt.Errorf("newsroom: %w", err)
	}
	if err := errors.Join(gold.Flush(), f.Sync(), f.Close(), os.Rename(tmp, filepath.Join(dir, "gold.jsonl"))); err != nil {
		return fmt.Errorf("newsroom: %w", err)
	}
	return nil
}

// A plan knows the pages to write without holding them.
type plan struct {
	sites []*Site
	pages int
	index bool
}

func (n *Newsroom) plan(opts WriteOptions) (*plan, error) {
	p := &plan{sites: n.sites, pages: opts.Pages, index: opts.Index}
	if p.pages == 0 {
		p.pages = defaultPages
	}
	if p.pages < 0 {
		return nil, fmt.Errorf("newsroom: %d pages a site: want 1 or more, or 0 for %d", opts.Pages, defaultPages)
	}
	if len(opts.Sites) > 0 {
		p.sites = nil
		for _, name := range opts.Sites {
			s, ok := n.Site(name)
			if !ok {
				return nil, fmt.Errorf("newsroom: %q: %w; Sites lists them", name, ErrNoSite)
			}
			p.sites = append(p.sites, s)
		}
	}
	return p, nil
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

// page makes the k-th page of all.
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
	panic("newsroom: page past the plan")
}

func prepare(dir string, force bool) error {
	entries, err := os.ReadDir(dir)
	switch {
	case err == nil && len(entries) > 0 && !force:
		return fmt.Errorf("newsroom: %s: %w: choose another folder, or set Force to overwrite", dir, ErrNotEmpty)
	case err != nil && !errors.Is(err, os.ErrNotExist):
		return fmt.Errorf("newsroom: %w", err)
	}
	if err := os.MkdirAll(filepath.Join(dir, "pages"), 0o755); err != nil {
		return fmt.Errorf("newsroom: %w", err)
	}
	// An old gold must not stand beside new pages.
	if err := os.Remove(filepath.Join(dir, "gold.jsonl")); err != nil && !errors.Is(err, os.ErrNotExist) {
		return fmt.Errorf("newsroom: %w", err)
	}
	return nil
}

// writeAll makes pages side by side but writes the gold in order.
func writeAll(dir string, opts WriteOptions, p *plan, gold *bufio.Writer) error {
	enc := json.NewEncoder(gold)
	enc.SetEscapeHTML(false)
	total := p.total()
	golds, errs := make([]Gold, batchSize), make([]error, batchSize)
	for start := 0; start < total; start += batchSize {
		n := min(batchSize, total-start)
		var wg sync.WaitGroup
		workers := min(runtime.GOMAXPROCS(0), n)
		for w := range workers {
			wg.Go(func() {
				for k := w; k < n; k += workers {
					page := p.page(start + k)
					golds[k], errs[k] = page.Gold, writePage(dir, page, opts.Gzip)
				}
			})
		}
		wg.Wait()
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

// writePage writes one page and removes an older one of the other form.
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
	if err := os.Remove(other); err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	return os.WriteFile(name, data, 0o644)
}
