package batch

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/lede-news/lede/internal/limits"
)

// Inputs are files, folders and archives to work through. They are read as a
// stream: nothing of them is kept.
type Inputs struct {
	paths    []string
	stdin    io.Reader
	maxBytes int64
	readers  int
	// partBytes is how much of a web archive each of several readers reads.
	partBytes int64
}

// Find makes inputs of files and folders. A file is a page whatever its name,
// unless it is that of an archive: .warc, .tar, .zip, .jsonl, also packed. In
// folders, files that end in .html or .htm, also with .gz, are pages, and WARC
// files are read. A folder that holds pages/ and gold.jsonl, or that is such a
// pages/, is a corpus: the URLs of its pages come from there. What cannot be
// read becomes a page that fails.
func Find(paths []string) *Inputs {
	return &Inputs{paths: paths, maxBytes: limits.PageBytes, readers: 1, partBytes: partBytes}
}

// WithStdin has the input that is called "-" be read from r.
func (in *Inputs) WithStdin(r io.Reader) *Inputs { in.stdin = r; return in }

// WithMaxBytes sets the largest page that is taken out of an archive.
func (in *Inputs) WithMaxBytes(n int) *Inputs { in.maxBytes = int64(n); return in }

// WithReaders sets how many parts of a large web archive are read at once.
func (in *Inputs) WithReaders(n int) *Inputs { in.readers = n; return in }

// Len is the number of files, an archive being one.
func (in *Inputs) Len() int {
	n := 0
	for range in.files(Place{}) {
		n++
	}
	return n
}

// Bytes is what the inputs take on the disk; -1 when nobody can know.
func (in *Inputs) Bytes() int64 {
	var sum int64
	for f := range in.files(Place{}) {
		if f.kind == streamFile {
			return -1
		}
		sum += f.size
	}
	return sum
}

// All goes through the pages, input by input, in folders in the order of their
// names, always in the same order.
func (in *Inputs) All() iter.Seq[Page] { return in.From(Place{}) }

// From goes through the pages from a place on that a page's After has named.
func (in *Inputs) From(from Place) iter.Seq[Page] {
	return func(yield func(Page) bool) {
		for f := range in.files(from) {
			start := Place{Input: f.place.Input, File: f.place.File}
			if from.Input == start.Input && from.File == start.File {
				start = from
			}
			if !in.read(f, start, yield) {
				return
			}
		}
	}
}

// file is one file of the inputs, a page or an archive.
type file struct {
	place  Place // with no record
	path   string
	kind   kind
	size   int64
	origin origin
	err    error // it cannot be read
}

// files goes through the files, from that of a place on.
func (in *Inputs) files(from Place) iter.Seq[file] {
	return func(yield func(file) bool) {
		for i := from.Input; i < len(in.paths); i++ {
			after := ""
			if i == from.Input {
				after = from.File
			}
			if !in.input(i, after, yield) {
				return
			}
		}
	}
}

func (in *Inputs) input(i int, after string, yield func(file) bool) bool {
	path := in.paths[i]
	f := file{place: Place{Input: i}, path: path, kind: kindOf(path)}
	if path == "-" && in.stdin != nil {
		f.kind = streamFile
		return yield(f)
	}
	fi, err := os.Stat(path)
	switch {
	case err != nil:
		f.err = plain(err)
		return yield(f)
	case fi.IsDir():
		return in.folder(i, path, after, yield)
	}
	if f.size = fi.Size(); !fi.Mode().IsRegular() {
		f.kind = streamFile
	}
	return yield(f)
}

// folder goes through a folder, or through the pages of a corpus.
func (in *Inputs) folder(i int, dir, after string, yield func(file) bool) bool {
	pages, gold := filepath.Join(dir, "pages"), filepath.Join(dir, "gold.jsonl")
	if filepath.Base(filepath.Clean(dir)) == "pages" {
		pages, gold = dir, filepath.Join(filepath.Dir(filepath.Clean(dir)), "gold.jsonl")
	}
	var known map[string]origin
	if isDir(pages) && isFile(gold) {
		var err error
		known, err = readOrigins(gold)
		if err != nil && after == "" && !yield(file{place: Place{Input: i}, path: gold, err: err}) {
			return false
		}
		dir = pages
	}
	w := walk{root: dir, after: after, visit: func(path, way string, size int64, err error) bool {
		f := file{place: Place{Input: i, File: way}, path: path, kind: kindOf(path), size: size, err: err}
		if f.kind == pageFile {
			f.origin = known[idOf(path)]
		}
		return yield(f)
	}}
	return w.folder("")
}

func isDir(path string) bool  { fi, err := os.Stat(path); return err == nil && fi.IsDir() }
func isFile(path string) bool { fi, err := os.Stat(path); return err == nil && fi.Mode().IsRegular() }

// kind is what a file holds.
type kind uint8

const (
	pageFile   kind = iota // one page
	streamFile             // whatever its first bytes say: standard input, a pipe
	warcFile
	tarFile
	zipFile
	linesFile // of JSON
)

// kindOf tells by the name.
func kindOf(path string) kind {
	name := strings.ToLower(path)
	if strings.HasSuffix(name, ".tgz") {
		return tarFile
	}
	for _, packed := range []string{".gz", ".zst"} {
		name = strings.TrimSuffix(name, packed)
	}
	switch filepath.Ext(name) {
	case ".warc":
		return warcFile
	case ".tar":
		return tarFile
	case ".zip":
		return zipFile
	case ".jsonl", ".ndjson":
		return linesFile
	}
	return pageFile
}

// inFolder tells whether a file in a folder, or in an archive, is of interest.
func inFolder(name string) bool { return isPage(name) || kindOf(name) == warcFile }

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

// walk goes through a folder in the order of names. Unlike filepath.WalkDir it
// keeps no more than the names of one folder at each depth, so that a folder
// with a million files costs little, and it can begin anywhere.
type walk struct {
	root  string
	after string // the file to begin with, as visit had it; empty for the first
	visit func(path, way string, size int64, err error) bool
}

// folder goes through the folder at the end of way. It says whether to go on.
func (w *walk) folder(way string) bool {
	names, err := w.names(filepath.Join(w.root, filepath.FromSlash(way)))
	for _, name := range names {
		name, isFolder := strings.CutSuffix(name, "/")
		below := path.Join(way, name)
		if w.past(below, isFolder) {
			continue
		}
		if isFolder {
			if !w.folder(below) {
				return false
			}
			continue
		}
		file := filepath.Join(w.root, filepath.FromSlash(below))
		fi, err := os.Stat(file)
		switch {
		case err != nil:
			err = plain(err)
		case fi.IsDir(): // by a link; it might lead in circles
			continue
		}
		var size int64
		if err == nil {
			size = fi.Size()
		}
		if !w.visit(file, below, size, err) {
			return false
		}
	}
	if err != nil {
		dir := filepath.Join(w.root, filepath.FromSlash(way))
		return w.visit(dir, path.Join(way, "~"), 0, plain(err))
	}
	return true
}

// past tells whether all of a file or folder was before the place to begin at.
func (w *walk) past(way string, isFolder bool) bool {
	if w.after == "" {
		return false
	}
	if isFolder && strings.HasPrefix(w.after, way+"/") {
		return false
	}
	return slices.Compare(strings.Split(way, "/"), strings.Split(w.after, "/")) < 0
}

// names lists what is of use in a folder, sorted; folders have a slash at the
// end. It gives what it could read along with the error.
func (w *walk) names(dir string) (names []string, err error) {
	f, err := os.Open(dir)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	for {
		entries, err := f.ReadDir(1024)
		for _, e := range entries {
			switch {
			case e.IsDir():
				names = append(names, e.Name()+"/")
			case inFolder(e.Name()):
				names = append(names, e.Name())
			}
		}
		if err != nil {
			slices.SortFunc(names, func(a, b string) int {
				return strings.Compare(strings.TrimSuffix(a, "/"), strings.TrimSuffix(b, "/"))
			})
			if errors.Is(err, io.EOF) {
				err = nil
			}
			return names, err
		}
	}
}
