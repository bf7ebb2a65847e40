package batch

import (
	"io"
	"iter"
	"os"
	"path/filepath"
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

// DefaultBytes is the largest page that is taken out of an archive.
const DefaultBytes = 20 << 20

// Find makes inputs of files and folders. A file is a page whatever its name,
// unless it is that of an archive: .warc, .tar, .zip, .jsonl, also packed. In
// folders, files that end in .html or .htm, also with .gz, are pages, and WARC
// files are read. A folder that holds pages/ and gold.jsonl, or that is such a
// pages/, is a corpus: the URLs of its pages come from there. What cannot be
// read becomes a page that fails.
func Find(paths []string) *Inputs {
	return &Inputs{paths: paths, maxBytes: DefaultBytes, readers: 1, partBytes: partBytes}
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
