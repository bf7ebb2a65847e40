package batch

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"iter"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/lede-news/lede/internal/page/limits"
)

// Source is a list of files, folders and archives with pages. They are read as a
// stream.
//
// A file is a page, unless its name is that of an archive: .warc, .tar, .zip,
// .jsonl or .ndjson, all but .zip also with .gz or .zst. Lines of JSON have the
// fields html and url, and optionally id, site and link_text. In folders, files that end in
// .html or .htm, also with .gz, are pages, and WARC files are read. In tar and zip
// archives, such pages are read. A folder with pages/ and gold.jsonl is a corpus:
// the URLs of its pages are those in gold.jsonl. A file that cannot be read becomes
// an Input with an error.
//
// The ID of a page is its path within the folder or archive without its ending, such
// as a/index, or the name of the file. If there are several inputs, the ID begins with the
// name of the folder or archive, or with its path if others have the same name. Pages of a
// corpus have the ID of their gold, and WARC records and JSON lines have their own. Lines
// without one have the name of their file and their number.
type Source struct {
	// Paths are the names of the files, folders and archives. With Fetch they may be
	// addresses, such as https://paper.example/story.
	Paths []string
	// Lists are files with an address on each line, read after Paths. They may be
	// compressed. Empty lines and lines that begin with # are skipped.
	Lists []string
	// Fetch fetches the page at the URL of an Input: it sets Body, and URL (after
	// redirects), Charset and Partial if they are known. Its error is that of the
	// page. It is called concurrently, for some pages ahead of the one that is
	// extracted. The ID of a fetched page is the address in Paths or Lists.
	Fetch func(ctx context.Context, in *Input) error
	// Stdin, if not nil, is read for the path "-". It may be a page or any kind
	// of archive but zip, and in Lists a list.
	Stdin io.Reader
	// MaxBytes is the size of the largest page that is read from an archive
	// (default: 20 MiB).
	MaxBytes int64
	// Name, if not empty, is what the IDs of the only path begin with, as if it were one
	// of several. See Names.
	Name string
}

// Inputs returns all pages. The order is always the same: that of Paths and, in
// folders, of the names.
func (s *Source) Inputs() iter.Seq[Input] { return s.from(position{}) }

// Files returns the number of files. An archive is one file.
func (s *Source) Files() int {
	n := 0
	for range s.files(position{}) {
		n++
	}
	return n
}

// isEmpty reports whether the source has lists and folders without pages, but no files.
func (s *Source) isEmpty() bool { return s.Files() == len(s.Lists) }

// Size returns the size of all files in bytes, or -1 if it is unknown.
func (s *Source) Size() int64 {
	var sum int64
	for f := range s.files(position{}) {
		if f.kind == streamFile {
			return -1
		}
		sum += f.size
	}
	return sum
}

func (s *Source) maxBytes() int64 { return cmp.Or(s.MaxBytes, limits.PageBytes) }

// from returns the pages after a position, the next field of an Input.
func (s *Source) from(from position) iter.Seq[Input] {
	return func(yield func(Input) bool) {
		names := s.inputNames()
		for f := range s.files(from) {
			if !f.isList {
				f.inputName = names[f.at.Input]
			}
			start := position{Input: f.at.Input, File: f.at.File}
			if from.Input == start.Input && from.File == start.File {
				start = from
			}
			if !s.read(f, start, yield) {
				return
			}
		}
	}
}

// file is a file of a source, a page or an archive.
type file struct {
	at     position // of its beginning
	path   string
	kind   fileKind
	isList bool // of addresses, after all Paths
	size   int64
	origin origin
	within string // path within an input that is a folder
	gold   string // ID in the gold of its corpus, or ""
	err    error  // it cannot be read
	inputName
}

// fileKind is what a file contains.
type fileKind uint8

const (
	pageFile   fileKind = iota // one page
	streamFile                 // standard input or a pipe; its first bytes tell what it contains
	warcFile
	tarFile
	zipFile
	linesFile   // of JSON
	addressFile // a page that is fetched; its path is the address
)

// fileKindOf returns the kind of a file by its name.
func fileKindOf(path string) fileKind {
	name := strings.ToLower(path)
	if strings.HasSuffix(name, ".tgz") {
		return tarFile
	}
	for _, compressed := range []string{".gz", ".zst"} {
		name = strings.TrimSuffix(name, compressed)
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

func isPage(path string) bool {
	name := strings.TrimSuffix(strings.ToLower(path), ".gz")
	return strings.HasSuffix(name, ".html") || strings.HasSuffix(name, ".htm")
}

// files returns the files, from that of a position on.
func (s *Source) files(from position) iter.Seq[file] {
	return func(yield func(file) bool) {
		for i := from.Input; i < len(s.Paths); i++ {
			after := ""
			if i == from.Input {
				after = from.File
			}
			if !s.walk(i, after, yield) {
				return
			}
		}
		for i := max(from.Input, len(s.Paths)); i < len(s.Paths)+len(s.Lists); i++ {
			if !yield(s.listFile(i)) {
				return
			}
		}
	}
}

// walk yields the files of an input and reports whether to continue.
func (s *Source) walk(i int, after string, yield func(file) bool) bool {
	path := s.Paths[i]
	f := file{at: position{Input: i}, path: path, kind: fileKindOf(path)}
	if path == "-" && s.Stdin != nil {
		f.kind = streamFile
		return yield(f)
	}
	if s.isAddress(path) {
		f.kind, f.size = addressFile, int64(len(path)) // as the progress counts it
		return yield(f)
	}
	fi, err := os.Stat(path)
	switch {
	case err != nil:
		f.err = describe(err)
		return yield(f)
	case fi.IsDir():
		return s.walkFolder(i, path, after, yield)
	}
	if f.size = fi.Size(); !fi.Mode().IsRegular() {
		f.kind = streamFile
	}
	return yield(f)
}

// walkFolder yields the files of a folder or a corpus.
func (s *Source) walkFolder(i int, dir, after string, yield func(file) bool) bool {
	var origins map[string]origin
	if pages, gold := corpusOf(dir); pages != "" {
		var err error
		origins, err = readOrigins(gold)
		if err != nil && after == "" && !yield(file{at: position{Input: i}, path: gold, within: filepath.Base(gold), err: err}) {
			return false
		}
		dir = pages
	}
	return walkFiles(dir, "", after, func(f file) bool {
		f.at = position{Input: i, File: f.within}
		if folder, name := path.Split(f.within); name == "~" {
			f.within = strings.TrimSuffix(folder, "/")
		}
		if f.kind == pageFile {
			for _, id := range []string{withoutEnding(f.within), withoutEnding(path.Base(f.within))} {
				if o, ok := origins[id]; ok {
					f.origin, f.gold = o, id
					break
				}
			}
		}
		return yield(f)
	})
}

// corpusOf returns the folder of pages and the gold of a corpus, given its folder or
// that of its pages, or empty strings if the folder is no corpus.
func corpusOf(dir string) (pages, gold string) {
	dir = filepath.Clean(dir)
	pages, gold = filepath.Join(dir, "pages"), filepath.Join(dir, "gold.jsonl")
	if filepath.Base(dir) == "pages" {
		pages, gold = dir, filepath.Join(filepath.Dir(dir), "gold.jsonl")
	}
	if !isDir(pages) || !isFile(gold) {
		return "", ""
	}
	return pages, gold
}

func isDir(path string) bool  { fi, err := os.Stat(path); return err == nil && fi.IsDir() }
func isFile(path string) bool { fi, err := os.Stat(path); return err == nil && fi.Mode().IsRegular() }

// origin is where a page of a corpus comes from.
type origin struct{ url, site string }

// readOrigins reads the id, url and site of every line of a gold file. It returns
// what it could read along with the error.
func readOrigins(path string) (map[string]origin, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, describe(err)
	}
	origins, n := map[string]origin{}, 0
	for line := range bytes.Lines(text) {
		if n++; len(bytes.TrimSpace(line)) == 0 {
			continue
		}
		var g struct{ ID, URL, Site string }
		if err := json.Unmarshal(line, &g); err != nil {
			return origins, fmt.Errorf("%s:%d: invalid JSON: %w", path, n, err)
		}
		origins[g.ID] = origin{g.URL, g.Site}
	}
	return origins, nil
}

// walkFiles visits the pages and WARC files in the folder rel of root, in the order of
// their names, from the path after on, and reports whether to continue. Symbolic links
// to folders are skipped, since they may lead in circles.
func walkFiles(root, rel, after string, visit func(file) bool) bool {
	dir := filepath.Join(root, filepath.FromSlash(rel))
	entries, err := os.ReadDir(dir)
	for _, e := range entries {
		below := path.Join(rel, e.Name())
		kind := fileKindOf(below)
		switch {
		case isBefore(below, after, e.IsDir()):
			continue
		case e.IsDir():
			if !walkFiles(root, below, after, visit) {
				return false
			}
			continue
		case !isPage(below) && kind != warcFile:
			continue
		}
		f := file{path: filepath.Join(dir, e.Name()), within: below, kind: kind}
		fi, err := os.Stat(f.path)
		switch {
		case err != nil:
			f.err = describe(err)
		case fi.IsDir():
			continue
		default:
			f.size = fi.Size()
		}
		if !visit(f) {
			return false
		}
	}
	if err != nil { // at a position after the files of the folder
		return visit(file{path: dir, within: path.Join(rel, "~"), err: describe(err)})
	}
	return true
}

// isBefore reports whether all of a file or folder is before the path after.
func isBefore(rel, after string, isFolder bool) bool {
	if after == "" || isFolder && strings.HasPrefix(after, rel+"/") {
		return false
	}
	return slices.Compare(strings.Split(rel, "/"), strings.Split(after, "/")) < 0
}
