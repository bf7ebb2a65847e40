// Package corpus reads collections of pages with their gold standard: the text,
// title, authors and date that an extractor should find.
//
// Open detects the format of a corpus by the files in its folder. It reads the
// gold into memory; pages are read on demand. Invalid files and lines are
// reported as a Problem, and reading continues.
package corpus

import (
	"cmp"
	"errors"
	"fmt"
	"hash/fnv"
	"path/filepath"
	"strings"
)

var (
	// ErrNoCorpus means that a folder has none of the known formats.
	ErrNoCorpus = errors.New("not a corpus")
	// ErrNoText means that the gold of a page has no text.
	ErrNoText = errors.New("the gold has neither a text nor snippets")
)

// Corpus is a folder of pages with their gold.
type Corpus struct {
	Name   string // of the folder
	Format string // one of Formats
	Gold   []Gold
	// Charset is the charset of all pages, whatever they declare. It is empty if
	// the charset must be detected for each page.
	Charset string

	pages  []string            // folders with the pages
	unwrap func([]byte) []byte // removes what the format adds to pages; may be nil
}

// Options are the options of Open.
type Options struct {
	// Format is the name of one of Formats (default: detected).
	Format string
	// Strict makes Open return the first problem as an error.
	Strict bool
	// Problem is called for every problem unless Strict is set. It may be nil.
	Problem func(Problem)
}

// Open reads the gold of a corpus.
//
// A line of gold that is invalid, repeats an ID or has no page is a problem, and
// the page is left out. A field of an unexpected type is a problem, and the field
// is left out. An article without text and snippets is the problem ErrNoText; it
// stays for its other fields. A corpus without any page is an error.
func Open(dir string, opts Options) (*Corpus, error) {
	l, err := list(dir)
	if err != nil {
		return nil, fmt.Errorf("corpus %s: %w", dir, err)
	}
	f, err := chooseFormat(l, opts.Format)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", dir, err)
	}
	abs, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	r := &reader{
		listing: l, opts: opts, seen: map[string]Gold{},
		corpus: &Corpus{Name: filepath.Base(abs), Format: f.Name, Charset: f.charset},
	}
	if err := f.read(r); err != nil {
		return nil, err
	}
	if len(r.corpus.Gold) == 0 {
		if r.problems > 0 {
			return nil, fmt.Errorf("%s: no usable page, and %d problems (the first: %w); want %s", dir, r.problems, r.first, f.Files)
		}
		return nil, fmt.Errorf("%s: no pages; want %s", dir, f.Files)
	}
	return r.corpus, nil
}

// Page returns the HTML of a page, decompressed. It is safe for concurrent use.
func (c *Corpus) Page(g *Gold) ([]byte, error) {
	err := c.missingPage(g.ID)
	var page []byte
	if g.page != "" {
		if page, err = readFile(g.page, maxPage); err != nil {
			err = fmt.Errorf("%s: %w", g.page, err)
		}
	}
	if err != nil {
		return nil, Problem{File: cmp.Or(g.file, c.Name), Line: g.line, Err: err}
	}
	if c.unwrap != nil {
		page = c.unwrap(page)
	}
	return page, nil
}

func (c *Corpus) missingPage(id string) error {
	return fmt.Errorf("no page %s.html or %s.html.gz in %s", id, id, strings.Join(c.pages, " or "))
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

// reader reads a corpus of any format.
type reader struct {
	*listing
	opts     Options
	corpus   *Corpus
	seen     map[string]Gold // by ID
	problems int
	first    Problem
}

// problem reports a problem. It returns an error if reading must stop.
func (r *reader) problem(file string, line int, err error) error {
	p := Problem{File: file, Line: line, Err: err}
	if r.opts.Strict {
		return p
	}
	if r.problems++; r.problems == 1 {
		r.first = p
	}
	if r.opts.Problem != nil {
		r.opts.Problem(p)
	}
	return nil
}

// add adds a page to the corpus if it is valid. Invalid are the errors of its
// fields.
func (r *reader) add(g Gold, invalid ...error) error {
	for _, err := range invalid {
		if err := r.problem(g.file, g.line, err); err != nil {
			return err
		}
	}
	if err := checkID(g.ID); err != nil {
		return r.problem(g.file, g.line, err)
	}
	if first, twice := r.seen[g.ID]; twice {
		where := "in " + first.file
		if first.line > 0 && first.file == g.file {
			where = fmt.Sprintf("on line %d", first.line)
		}
		return r.problem(g.file, g.line, fmt.Errorf("page %q is already %s", g.ID, where))
	}
	r.seen[g.ID] = Gold{file: g.file, line: g.line}
	if g.page == "" {
		return r.problem(g.file, g.line, r.corpus.missingPage(g.ID))
	}
	if g.lacksText() {
		if err := r.problem(g.file, g.line, ErrNoText); err != nil {
			return err
		}
	}
	r.corpus.Gold = append(r.corpus.Gold, g)
	return nil
}

// checkID checks that an ID is a file name without a folder.
func checkID(id string) error {
	switch {
	case id == "":
		return errors.New("page without id")
	case strings.ContainsAny(id, "/\\\x00") || !filepath.IsLocal(id):
		return fmt.Errorf("id %q is not a file name", id)
	}
	return nil
}

// Problem is an error in a corpus or a prediction file that does not stop reading.
type Problem struct {
	File string
	Line int // 0 for the whole file
	Err  error
}

func (p Problem) Error() string {
	if p.Line > 0 {
		return fmt.Sprintf("%s:%d: %v", p.File, p.Line, p.Err)
	}
	return fmt.Sprintf("%s: %v", p.File, p.Err)
}

func (p Problem) Unwrap() error { return p.Err }

// AsProblem returns the Problem that an error wraps, or a new one.
func AsProblem(err error) Problem {
	var p Problem
	if errors.As(err, &p) {
		return p
	}
	return Problem{Err: err}
}

// Fold returns the number of the cross-validation fold, of k, that a site belongs
// to. It depends on the name of the site alone, so that all pages of a site are
// in the same fold in every corpus.
func Fold(site string, k int) int {
	h := fnv.New32a()
	_, _ = h.Write([]byte(strings.TrimPrefix(strings.ToLower(site), "www.")))
	return int(h.Sum32() % uint32(k))
}

// HeldOut reports whether a site is in the fifth of all sites that is reserved
// for testing. The others are for development.
func HeldOut(site string) bool { return Fold(site, 5) == 0 }
