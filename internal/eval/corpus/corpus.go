// Package corpus reads collections of pages whose story is known.
//
// Collections come in many forms, and a user's own pages in yet another. Open
// finds out which one a folder has and gives all of them the same shape: gold in
// memory, pages on demand. What is wrong in a folder is told with its file and
// line, and reading goes on.
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
	// ErrNoCorpus means that a folder does not look like any form of corpus.
	ErrNoCorpus = errors.New("not a corpus")
	// ErrNoText means that nothing says what the story of a page is.
	ErrNoText = errors.New("the gold has neither a text nor snippets")
)

// Corpus is a folder of pages with their gold.
type Corpus struct {
	Name string // of the folder
	Form string // one of Forms
	Gold []Gold
	// Charset is what the pages are in, whatever they say of themselves; empty
	// when that must be found out page by page.
	Charset string

	pages  []string            // folders where pages are
	unwrap func([]byte) []byte // takes off what the form puts around pages
}

// Options say how to read a corpus.
type Options struct {
	// Form is one of Forms; empty means the one that the folder looks like.
	Form string
	// Strict makes an error of the first problem.
	Strict bool
	// Problem is told what is wrong when Strict is not set. It may be nil.
	Problem func(Problem)
}

// Open reads the gold of a corpus.
//
// A line of gold that cannot be read, that has an id seen before or whose page
// is not there is a problem, and the page is left out. So is a field of a
// strange type: the page stays without the field. A page that should have a story,
// and of which the gold has neither text nor snippets, is the problem ErrNoText; it
// stays for what else is known of it. Having no page at all is an error.
func Open(dir string, opts Options) (*Corpus, error) {
	l, err := list(dir)
	if err != nil {
		return nil, fmt.Errorf("corpus %s: %w", dir, err)
	}
	f, err := choose(l, opts.Form)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", dir, err)
	}
	abs, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	r := &reader{
		listing: l, opts: opts, seen: map[string]Gold{},
		corpus: &Corpus{Name: filepath.Base(abs), Form: f.Name, Charset: f.charset},
	}
	if err := f.read(r); err != nil {
		return nil, err
	}
	if len(r.corpus.Gold) == 0 {
		if r.problems > 0 {
			return nil, fmt.Errorf("%s: no usable page in it, but %d problems (the first: %w); looked for %s", dir, r.problems, r.first, f.Look)
		}
		return nil, fmt.Errorf("%s: no pages in it; looked for %s", dir, f.Look)
	}
	return r.corpus, nil
}

// Page reads the HTML of a page, unpacked. It may be called concurrently.
func (c *Corpus) Page(g *Gold) ([]byte, error) {
	err := c.missing(g.ID)
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

func (c *Corpus) missing(id string) error {
	return fmt.Errorf("there is no page %s.html or %s.html.gz in %s", id, id, strings.Join(c.pages, " or "))
}

// Only is the corpus with those pages that keep wants.
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

// reader collects what a form finds.
type reader struct {
	*listing
	opts     Options
	corpus   *Corpus
	seen     map[string]Gold // by id
	problems int
	first    Problem
}

// problem gives an error only when reading must end.
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

// add takes a page into the corpus, unless it is of no use. Wrong are the
// fields that it goes on without.
func (r *reader) add(g Gold, wrong ...error) error {
	for _, err := range wrong {
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
		return r.problem(g.file, g.line, r.corpus.missing(g.ID))
	}
	if g.textless() {
		if err := r.problem(g.file, g.line, ErrNoText); err != nil {
			return err
		}
	}
	r.corpus.Gold = append(r.corpus.Gold, g)
	return nil
}

// checkID holds that an id is the name of a file, and of none elsewhere.
func checkID(id string) error {
	switch {
	case id == "":
		return errors.New("a page without id")
	case strings.ContainsAny(id, "/\\\x00") || !filepath.IsLocal(id):
		return fmt.Errorf("the id %q is not the name of a file", id)
	}
	return nil
}

// Problem is something wrong in a corpus or in a file of predictions that one
// can go on without.
type Problem struct {
	File string
	Line int // 0 when it is the whole file
	Err  error
}

func (p Problem) Error() string {
	if p.Line > 0 {
		return fmt.Sprintf("%s:%d: %v", p.File, p.Line, p.Err)
	}
	return fmt.Sprintf("%s: %v", p.File, p.Err)
}

func (p Problem) Unwrap() error { return p.Err }

// AsProblem finds the problem in an error, or makes one of it.
func AsProblem(err error) Problem {
	var p Problem
	if errors.As(err, &p) {
		return p
	}
	return Problem{Err: err}
}

// Fold says which of k parts a site belongs to, so that no site is on both
// sides of a split. It depends on the name alone: more pages, another order or
// another corpus change nothing for the sites there are.
func Fold(site string, k int) int {
	h := fnv.New32a()
	_, _ = h.Write([]byte(strings.TrimPrefix(strings.ToLower(site), "www.")))
	return int(h.Sum32() % uint32(k))
}

// HeldOut tells of the fifth of all sites that development does not look at,
// so that there are pages left to see whether what was learned is true of others.
// The rest is for development.
func HeldOut(site string) bool { return Fold(site, 5) == 0 }
