// Package corpus reads collections of pages with their gold standard: the text,
// title, authors and date that an extractor should find.
//
// A corpus is a folder with gold.jsonl, one page a line, and pages/ID.html or
// pages/ID.html.gz. All pages are UTF-8, whatever they declare.
package corpus

import (
	"bufio"
	"bytes"
	"cmp"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strings"
)

// ErrNoCorpus means that a folder has no gold.jsonl.
var ErrNoCorpus = errors.New("not a corpus: want gold.jsonl with one page a line, and pages/ID.html or pages/ID.html.gz")

// Corpus is a folder of pages with their gold.
type Corpus struct {
	Name string // of the folder
	Gold []Gold
	// Problems has the lines of gold that are left out, because they are invalid,
	// repeat an ID or have no page, and the articles without text and snippets, which
	// stay for their other fields.
	Problems []error
}

// Open reads the gold of a corpus; pages are read on demand. A corpus without any page is
// an error.
func Open(dir string) (*Corpus, error) {
	abs, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	c := &Corpus{Name: filepath.Base(abs)}
	seen := map[string]bool{}
	c.Problems, err = ReadLines(filepath.Join(dir, "gold.jsonl"), func(where string, row []byte) error {
		g := Gold{where: where}
		if err := json.Unmarshal(row, &g); err != nil {
			return err
		}
		g.Type = cmp.Or(g.Type, g.Kind)
		if seen[g.ID] {
			return fmt.Errorf("second page %q", g.ID)
		}
		if err := g.find(dir); err != nil {
			return err
		}
		seen[g.ID] = true
		c.Gold = append(c.Gold, g)
		if strings.TrimSpace(g.Text) == "" && len(g.With)+len(g.Without) == 0 && g.IsArticle() {
			return errors.New("the gold has neither a text nor snippets")
		}
		return nil
	})
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, fmt.Errorf("%s: %w", dir, ErrNoCorpus)
	case err != nil:
		return nil, err
	case len(c.Gold) == 0 && len(c.Problems) > 0:
		return nil, fmt.Errorf("%s: no usable page, and %d problems (the first: %w)", dir, len(c.Problems), c.Problems[0])
	case len(c.Gold) == 0:
		return nil, fmt.Errorf("%s: no pages", dir)
	}
	return c, nil
}

// find checks the ID of a page and finds its file.
func (g *Gold) find(dir string) error {
	switch {
	case g.ID == "":
		return errors.New("page without id")
	case strings.ContainsAny(g.ID, "/\\\x00") || !filepath.IsLocal(g.ID):
		return fmt.Errorf("id %q is not a file name", g.ID)
	}
	for _, ext := range []string{".html.gz", ".html"} {
		g.page = filepath.Join(dir, "pages", g.ID+ext)
		if _, err := os.Stat(g.page); err == nil {
			return nil
		}
	}
	return fmt.Errorf("no page %s.html or %s.html.gz in %s", g.ID, g.ID, filepath.Join(dir, "pages"))
}

// Page returns the HTML of a page, decompressed. It is safe for concurrent use.
func (c *Corpus) Page(g *Gold) ([]byte, error) {
	page, err := os.ReadFile(g.page)
	if err == nil && strings.HasSuffix(g.page, ".gz") {
		var z *gzip.Reader
		if z, err = gzip.NewReader(bytes.NewReader(page)); err == nil {
			page, err = io.ReadAll(z)
		}
	}
	if err != nil {
		return nil, fmt.Errorf("%s: page %s: %w", g.where, g.ID, err)
	}
	return page, nil
}

// ReadLines calls read with the place and the text of every line of a file that is not
// blank, and returns its errors with their places. A line of more than 64 MiB is an
// error.
func ReadLines(file string, read func(where string, row []byte) error) (problems []error, err error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	s := bufio.NewScanner(f)
	s.Buffer(nil, 64<<20)
	for n := 1; s.Scan(); n++ {
		row := bytes.TrimSpace(bytes.TrimPrefix(s.Bytes(), []byte("\ufeff")))
		if len(row) == 0 {
			continue
		}
		where := fmt.Sprintf("%s:%d", file, n)
		if err := read(where, row); err != nil {
			problems = append(problems, fmt.Errorf("%s: %w", where, err))
		}
	}
	if s.Err() != nil {
		return nil, fmt.Errorf("%s: %w", file, s.Err())
	}
	return problems, nil
}

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

// Gold is the gold standard of a page. Empty fields are unknown.
type Gold struct {
	ID    string
	URL   string
	Site  string
	Lang  string
	Type  string // such as article
	Kind  string // what other suites call Type
	Title string
	Text  string // the body
	// TitleInText means that Text begins with the headline, so that an
	// extractor's headline counts as part of its text.
	TitleInText bool `json:"title_in_text"`
	Authors     Texts
	Date        string    // as the corpus has it
	Summary     Texts     // paragraphs of the standfirst
	Sections    []Section // the body; nil if its structure is unknown
	Pictures    []Picture
	Extra       Texts // parts of the article outside its body: captions, datelines
	Comments    Texts // by readers
	With        Texts // snippets that must be in the text
	Without     Texts // snippets that must not be in the text

	page  string // file of the HTML
	where string // file and line of the gold
}

// Section is a part of a body with its sub-headings.
type Section struct {
	Headline, Paragraphs Texts
}

// Picture is a picture of an article with the URLs of all its sizes.
type Picture struct {
	URLs  Texts
	Cover bool // the lead picture
}

// Texts is a list of strings. In JSON it may also be a single string.
type Texts []string

// UnmarshalJSON implements json.Unmarshaler.
func (t *Texts) UnmarshalJSON(data []byte) error {
	var list []string
	if json.Unmarshal(data, &list) == nil {
		*t = list
		return nil
	}
	var one string
	if json.Unmarshal(data, &one) != nil {
		return errors.New("want a string or a list of strings")
	}
	if one != "" {
		*t = Texts{one}
	}
	return nil
}

// UnmarshalJSON implements json.Unmarshaler. The field author stands for authors
// where there are none.
func (g *Gold) UnmarshalJSON(data []byte) error {
	type plain Gold
	in := struct {
		*plain
		Author Texts
	}{plain: (*plain)(g)}
	if err := json.Unmarshal(data, &in); err != nil {
		return err
	}
	if len(g.Authors) == 0 {
		g.Authors = in.Author
	}
	return nil
}

// SiteName returns the site of the page: the field Site, or else the host of the
// URL, or else the ID of the page.
func (g *Gold) SiteName() string {
	if g.Site != "" {
		return g.Site
	}
	if u, err := url.Parse(g.URL); err == nil && u.Hostname() != "" {
		return u.Hostname()
	}
	return g.ID
}

// IsArticle reports whether the page is an article or of an unknown type.
func (g *Gold) IsArticle() bool { return g.Type == "" || g.Type == "article" }
