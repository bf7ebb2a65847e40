// Package corpus reads collections of pages with their gold standard: the text,
// title, authors and date that an extractor should find.
//
// A corpus is a folder with gold.jsonl, one page a line, and pages/ID.html or
// pages/ID.html.gz. All pages are UTF-8, whatever they declare.
package corpus

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

var (
	// ErrNoCorpus means that a folder has no gold.jsonl.
	ErrNoCorpus = errors.New("not a corpus: want gold.jsonl with one page a line, and pages/ID.html or pages/ID.html.gz")
	// ErrNoText means that the gold of an article has no text.
	ErrNoText = errors.New("the gold has neither a text nor snippets")
)

// Corpus is a folder of pages with their gold.
type Corpus struct {
	Name    string // of the folder
	Charset string // of all pages
	Gold    []Gold
}

// Options are the options of Open.
type Options struct {
	// Problem is called for every problem. It may be nil.
	Problem func(Problem)
}

// Open reads the gold of a corpus; pages are read on demand.
//
// A line of gold that is invalid, repeats an ID or has no page is a problem, and
// the page is left out. An article without text and snippets is the problem
// ErrNoText; it stays for its other fields. A corpus without any page is an error.
func Open(dir string, opts Options) (*Corpus, error) {
	abs, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	name := filepath.Join(dir, "gold.jsonl")
	f, err := os.Open(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%s: %w", dir, ErrNoCorpus)
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	c := &Corpus{Name: filepath.Base(abs), Charset: "utf-8"}
	seen := map[string]int{} // line by ID
	var problems []error
	err = EachLine(f, func(n int, row []byte) {
		g := Gold{file: name, line: n}
		err := json.Unmarshal(row, &g)
		if err == nil {
			err = g.check(dir, seen)
		}
		if err == nil {
			seen[g.ID] = n
			c.Gold = append(c.Gold, g)
			if g.lacksText() {
				err = ErrNoText
			}
		}
		if err != nil {
			p := Problem{name, n, err}
			problems = append(problems, p)
			if opts.Problem != nil {
				opts.Problem(p)
			}
		}
	})
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	switch {
	case len(c.Gold) > 0:
		return c, nil
	case len(problems) > 0:
		return nil, fmt.Errorf("%s: no usable page, and %d problems (the first: %w)", dir, len(problems), problems[0])
	}
	return nil, fmt.Errorf("%s: no pages", name)
}

// check checks the ID of a page and finds its file.
func (g *Gold) check(dir string, seen map[string]int) error {
	switch {
	case g.ID == "":
		return errors.New("page without id")
	case strings.ContainsAny(g.ID, "/\\\x00") || !filepath.IsLocal(g.ID):
		return fmt.Errorf("id %q is not a file name", g.ID)
	case seen[g.ID] > 0:
		return fmt.Errorf("page %q is already on line %d", g.ID, seen[g.ID])
	}
	for _, ext := range []string{".html.gz", ".html"} {
		g.page = filepath.Join(dir, "pages", g.ID+ext)
		if _, err := os.Stat(g.page); err == nil {
			return nil
		}
	}
	return fmt.Errorf("no page %s.html or %s.html.gz in %s", g.ID, g.ID, filepath.Join(dir, "pages"))
}

// maxPage is the largest size of a page in bytes, to stop decompression bombs.
const maxPage = 64 << 20

// Page returns the HTML of a page, decompressed. It is safe for concurrent use.
func (c *Corpus) Page(g *Gold) ([]byte, error) {
	if g.page == "" {
		return nil, fmt.Errorf("%s: no page %s.html", c.Name, g.ID)
	}
	page, err := readPage(g.page)
	if err != nil {
		return nil, Problem{g.file, g.line, fmt.Errorf("page %s: %w", g.ID, err)}
	}
	return page, nil
}

func readPage(name string) ([]byte, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var r io.Reader = f
	if strings.HasSuffix(name, ".gz") {
		if r, err = gzip.NewReader(f); err != nil {
			return nil, err
		}
	}
	page, err := io.ReadAll(io.LimitReader(r, maxPage+1))
	if err == nil && len(page) > maxPage {
		err = fmt.Errorf("larger than %d MiB", maxPage>>20)
	}
	return page, err
}

// Only returns the corpus with those pages for which keep is true.
func (c *Corpus) Only(keep func(*Gold) bool) *Corpus {
	part := *c
	part.Gold = nil
	for i := range c.Gold {
		if keep(&c.Gold[i]) {
			part.Gold = append(part.Gold, c.Gold[i])
		}
	}
	return &part
}

// EachLine calls do with the number and the text of every line that is not blank.
// A line of more than 64 MiB is an error.
func EachLine(r io.Reader, do func(n int, row []byte)) error {
	s := bufio.NewScanner(r)
	s.Buffer(nil, 64<<20)
	for n := 1; s.Scan(); n++ {
		if row := bytes.TrimSpace(bytes.TrimPrefix(s.Bytes(), []byte("\ufeff"))); len(row) > 0 {
			do(n, row)
		}
	}
	return s.Err()
}

// Problem is an error in a line of a corpus or of a prediction file that does not
// stop reading.
type Problem struct {
	File string
	Line int
	Err  error
}

func (p Problem) Error() string { return fmt.Sprintf("%s:%d: %v", p.File, p.Line, p.Err) }
func (p Problem) Unwrap() error { return p.Err }

// Fold returns the number of the cross-validation fold, of k, that a site belongs
// to. It depends on the name of the site alone, so that all pages of a site are
// in the same fold in every corpus.
func Fold(site string, k int) int {
	h := fnv.New32a()
	_, _ = h.Write([]byte(strings.TrimPrefix(strings.ToLower(site), "www.")))
	return int(h.Sum32() % uint32(k))
}

// GroupBy collects the elements of each key, such as the pages of a site, in the order
// of their first ones.
func GroupBy[T any, K comparable](all []T, key func(T) K) (groups [][]T) {
	numbers := map[K]int{}
	for _, x := range all {
		n, known := numbers[key(x)]
		if !known {
			n = len(groups)
			numbers[key(x)] = n
			groups = append(groups, nil)
		}
		groups[n] = append(groups[n], x)
	}
	return groups
}
