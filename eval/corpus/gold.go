package corpus

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strings"
)

// ErrNoCorpus means that a folder is not a corpus: it has no gold.jsonl.
var ErrNoCorpus = errors.New("not a corpus: it has no gold.jsonl")

// Gold is what is known of a page.
type Gold struct {
	ID    string `json:"id"`
	URL   string `json:"url"`
	Site  string `json:"site"`
	Lang  string `json:"lang"`
	Type  string `json:"type"` // such as article; empty when nobody knows
	Title string `json:"title"`
	Text  string `json:"text"` // the body
	// TitleInText says that Text begins with the headline, so that an
	// extractor's headline counts as part of its text.
	TitleInText bool `json:"title_in_text"`

	line int
}

// SiteName is the site of the page: what the gold says, else the host of its
// address, else the page by itself.
func (g *Gold) SiteName() string {
	if g.Site != "" {
		return g.Site
	}
	if u, err := url.Parse(g.URL); err == nil && u.Hostname() != "" {
		return u.Hostname()
	}
	return g.ID
}

// Corpus is a folder of pages with their gold.
type Corpus struct {
	Name string // of the folder
	Gold []Gold

	dir string
}

// ReadCorpus reads the gold of a corpus. Errors name the file and the line.
func ReadCorpus(dir string) (*Corpus, error) {
	name := filepath.Join(dir, "gold.jsonl")
	if fi, err := os.Stat(dir); err != nil || !fi.IsDir() {
		if err == nil {
			err = errors.New("not a folder")
		}
		return nil, fmt.Errorf("corpus %s: %w", dir, bare(err))
	}
	f, err := os.Open(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%s: %w", dir, ErrNoCorpus)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, bare(err))
	}
	defer f.Close()
	abs, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	c := &Corpus{Name: filepath.Base(abs), dir: dir}
	c.Gold, err = readGold(f, name)
	return c, err
}

func readGold(r io.Reader, name string) ([]Gold, error) {
	var all []Gold
	seen := map[string]int{}
	b := bufio.NewReaderSize(r, 1<<16)
	for line := 1; ; line++ {
		row, err := b.ReadBytes('\n')
		if err != nil && err != io.EOF {
			return nil, fmt.Errorf("%s:%d: %w", name, line, bare(err))
		}
		if row = bytes.TrimSpace(row); len(row) > 0 {
			g := Gold{line: line}
			if err := json.Unmarshal(row, &g); err != nil {
				return nil, fmt.Errorf("%s:%d: %w", name, line, err)
			}
			if err := checkID(g.ID); err != nil {
				return nil, fmt.Errorf("%s:%d: %w", name, line, err)
			}
			if first, twice := seen[g.ID]; twice {
				return nil, fmt.Errorf("%s:%d: page %q is already on line %d", name, line, g.ID, first)
			}
			seen[g.ID] = line
			all = append(all, g)
		}
		if err == io.EOF {
			break
		}
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("%s: no pages in it", name)
	}
	return all, nil
}

// checkID holds that an id is the name of a file, and of none elsewhere.
func checkID(id string) error {
	switch {
	case id == "":
		return errors.New("a page without id")
	case strings.ContainsAny(id, `/\`) || !filepath.IsLocal(id):
		return fmt.Errorf("the id %q is not the name of a file", id)
	}
	return nil
}

// Page reads the HTML of a page, unpacked.
func (c *Corpus) Page(g *Gold) ([]byte, error) {
	page, err := c.read(g.ID)
	if err != nil {
		return nil, fmt.Errorf("%s:%d: %w", filepath.Join(c.dir, "gold.jsonl"), g.line, err)
	}
	return page, nil
}

func (c *Corpus) read(id string) ([]byte, error) {
	base := filepath.Join(c.dir, "pages", id)
	packed, err := os.Open(base + ".html.gz")
	if errors.Is(err, fs.ErrNotExist) {
		page, err := os.ReadFile(base + ".html")
		if errors.Is(err, fs.ErrNotExist) {
			return nil, fmt.Errorf("there is neither %s.html.gz nor %s.html", base, base)
		}
		return page, err
	}
	if err != nil {
		return nil, err
	}
	defer packed.Close()
	z, err := gzip.NewReader(packed)
	if err != nil {
		return nil, fmt.Errorf("%s.html.gz: %w", base, err)
	}
	page, err := io.ReadAll(z)
	if err != nil {
		return nil, fmt.Errorf("%s.html.gz: %w", base, err)
	}
	return page, nil
}

// bare takes the system call and the name off an error of a file.
func bare(err error) error {
	var pe *fs.PathError
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return errors.New("no such folder")
	case errors.As(err, &pe):
		return pe.Err
	}
	return err
}
