package batch

import (
	"bufio"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"strings"
)

// Page is a page to be read.
type Page struct {
	// ID is the file name without .html, .htm and .gz.
	ID   string
	URL  string
	Site string // what a corpus calls the page's site; empty when nobody says
	Path string
	// Err is set when the page is known to be missing before it is opened.
	Err error
}

// Open opens the page, unpacked.
func (p Page) Open() (io.ReadCloser, error) { return Open(p.Path) }

// Open opens a file; one that is packed with gzip, whatever its name, is
// unpacked while it is read.
func Open(path string) (io.ReadCloser, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, plain(err)
	}
	if fi, err := f.Stat(); err == nil && fi.IsDir() {
		f.Close()
		return nil, fmt.Errorf("%s is a folder; lede batch reads folders", path)
	}
	b := bufio.NewReader(f)
	if head, err := b.Peek(2); err != nil || head[0] != 0x1F || head[1] != 0x8B {
		return readCloser{b, f}, nil
	}
	z, err := gzip.NewReader(b)
	if err != nil {
		f.Close()
		return nil, fmt.Errorf("%s: broken gzip file: %w", path, err)
	}
	return readCloser{z, f}, nil
}

type readCloser struct {
	io.Reader
	io.Closer
}

// fileError says what is wrong with a file without the name of a system call.
type fileError struct {
	path, what string
	err        error
}

func (e *fileError) Error() string { return e.path + ": " + e.what }
func (e *fileError) Unwrap() error { return e.err }

func plain(err error) error {
	var pe *fs.PathError
	switch {
	case !errors.As(err, &pe):
		return err
	case errors.Is(err, fs.ErrNotExist):
		return &fileError{pe.Path, "no such file or folder", err}
	case errors.Is(err, fs.ErrPermission):
		return &fileError{pe.Path, "may not be read", err}
	}
	return &fileError{pe.Path, pe.Err.Error(), err}
}

// Inputs are files and folders to work through.
type Inputs struct {
	pages []Page
}

// Find looks through files and folders. A file is a page whatever its name; in
// folders, those that end in .html or .htm, also with .gz, are. A folder that
// holds pages/ and gold.jsonl, or that is such a pages/, is a corpus: the URLs
// of its pages come from there. What cannot be read becomes a page that fails.
func Find(paths []string) *Inputs {
	in := &Inputs{}
	for _, path := range paths {
		fi, err := os.Stat(path)
		switch {
		case err != nil:
			in.pages = append(in.pages, Page{ID: idOf(path), Path: path, Err: plain(err)})
		case fi.IsDir():
			in.folder(path)
		default:
			in.pages = append(in.pages, Page{ID: idOf(path), Path: path})
		}
	}
	return in
}

// Len is the number of pages.
func (in *Inputs) Len() int { return len(in.pages) }

// All goes through the pages, folder by folder, in the order of their names.
func (in *Inputs) All() iter.Seq[Page] {
	return func(yield func(Page) bool) {
		for _, p := range in.pages {
			if !yield(p) {
				return
			}
		}
	}
}

func (in *Inputs) folder(dir string) {
	pages, gold := filepath.Join(dir, "pages"), filepath.Join(dir, "gold.jsonl")
	if filepath.Base(filepath.Clean(dir)) == "pages" {
		pages, gold = dir, filepath.Join(filepath.Dir(filepath.Clean(dir)), "gold.jsonl")
	}
	var known map[string]origin
	if isDir(pages) && isFile(gold) {
		var err error
		if known, err = readOrigins(gold); err != nil {
			in.pages = append(in.pages, Page{ID: idOf(gold), Path: gold, Err: err})
		}
		dir = pages
	}
	walk := func(path string, e fs.DirEntry, err error) error {
		switch {
		case err != nil:
			in.pages = append(in.pages, Page{ID: idOf(path), Path: path, Err: plain(err)})
			if e != nil && e.IsDir() {
				return fs.SkipDir
			}
		case !e.IsDir() && isPage(path):
			id := idOf(path)
			in.pages = append(in.pages, Page{ID: id, URL: known[id].url, Site: known[id].site, Path: path})
		}
		return nil
	}
	// walk itself never fails: every error has become a page.
	_ = filepath.WalkDir(dir, walk)
}

func isDir(path string) bool  { fi, err := os.Stat(path); return err == nil && fi.IsDir() }
func isFile(path string) bool { fi, err := os.Stat(path); return err == nil && fi.Mode().IsRegular() }

func isPage(path string) bool {
	name := strings.TrimSuffix(strings.ToLower(path), ".gz")
	return strings.HasSuffix(name, ".html") || strings.HasSuffix(name, ".htm")
}

func idOf(path string) string {
	name := filepath.Base(path)
	for _, ext := range []string{".gz", ".html", ".htm"} {
		if n := len(name) - len(ext); n > 0 && strings.EqualFold(name[n:], ext) {
			name = name[:n]
		}
	}
	return name
}

// origin is where a page comes from.
type origin struct{ url, site string }

// readOrigins reads the id, url and site of every line of a gold file.
func readOrigins(path string) (map[string]origin, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, plain(err)
	}
	defer f.Close()
	known := map[string]origin{}
	r := bufio.NewReader(f)
	for n := 1; ; n++ {
		line, err := r.ReadBytes('\n')
		if len(strings.TrimSpace(string(line))) > 0 {
			var g struct{ ID, URL, Site string }
			if err := json.Unmarshal(line, &g); err != nil {
				return known, fmt.Errorf("%s:%d: not a line of JSON: %w", path, n, err)
			}
			known[g.ID] = origin{g.URL, g.Site}
		}
		if err == io.EOF {
			return known, nil
		}
		if err != nil {
			return known, fmt.Errorf("reading %s: %w", path, err)
		}
	}
}
