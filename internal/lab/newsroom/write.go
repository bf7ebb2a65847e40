package newsroom

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"os"
	"path/filepath"
)

// WriteOptions say which pages to write.
type WriteOptions struct {
	Sites []string // names (default: all)
	Pages int      // articles of each site
	Index bool     // also write home and section pages
}

// Pages returns pages of sites, one site after the other.
func (n *Newsroom) Pages(opts WriteOptions) (iter.Seq[Page], error) {
	sites, err := n.Select(opts.Sites...)
	return func(yield func(Page) bool) {
		for _, s := range sites {
			for i := range opts.Pages {
				if !yield(s.Page(i)) {
					return
				}
			}
			if !opts.Index {
				continue
			}
			for _, section := range append([]string{""}, s.Sections()...) {
				if !yield(s.Index(section)) {
					return
				}
			}
		}
	}, err
}

// Write writes a corpus: dir/gold.jsonl and dir/pages/ID.html. It writes the gold last,
// so that a folder with a gold.jsonl is complete.
func (n *Newsroom) Write(dir string, opts WriteOptions) error {
	pages, err := n.Pages(opts)
	if err != nil {
		return err
	}
	if entries, _ := os.ReadDir(dir); len(entries) > 0 {
		return fmt.Errorf("%s is not empty: choose another folder", dir)
	}
	if err := os.MkdirAll(filepath.Join(dir, "pages"), 0o755); err != nil {
		return err
	}
	var gold bytes.Buffer
	enc := json.NewEncoder(&gold)
	enc.SetEscapeHTML(false)
	for p := range pages {
		if err := errors.Join(os.WriteFile(filepath.Join(dir, "pages", p.Gold.ID+".html"), p.HTML, 0o644), enc.Encode(p.Gold)); err != nil {
			return err
		}
	}
	return os.WriteFile(filepath.Join(dir, "gold.jsonl"), gold.Bytes(), 0o644)
}
