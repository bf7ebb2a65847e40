package batch

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
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

// Files returns the number of files. An archive counts as one file, a list as zero.
func (s *Source) Files() int {
	n := 0
	for f := range s.files(position{}) {
		if f.kind != listFile {
			n++
		}
	}
	return n
}

// Size returns the size of all files in bytes, or -1 if it is unknown.
func (s *Source) Size() int64 {
	var sum int64
	for f := range s.files(position{}) {
		if f.size < 0 {
			return -1
		}
		sum += f.size
	}
	return sum
}

func (s *Source) maxBytes() int64 { return cmp.Or(s.MaxBytes, limits.PageBytes) }

// from returns the pages after a position, the next field of an Input. The file of the
// position is read from its beginning.
func (s *Source) from(from position) iter.Seq[Input] {
	return func(yield func(Input) bool) {
		names := s.inputNames()
		for f := range s.files(from) {
			if f.kind == listFile {
				f.inputName = inputName{name: f.path}
			} else {
				f.inputName = names[f.at.Input]
			}
			at, stopped := f.at, false
			s.read(f, func(p Input) bool {
				at.Pages++
				if at.Input == from.Input && at.File == from.File && at.Pages <= from.Pages {
					return true
				}
				p.Path, p.next = f.path, at
				stopped = !yield(p)
				return !stopped
			})
			if stopped {
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
	size   int64 // -1 if it is unknown
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
	listFile    // of addresses
)

var archiveKinds = map[string]fileKind{
	".warc": warcFile, ".tar": tarFile, ".tgz": tarFile, ".zip": zipFile, ".jsonl": linesFile, ".ndjson": linesFile,
}

// fileKindOf returns the kind of a file by its name.
func fileKindOf(path string) fileKind {
	name := strings.ToLower(path)
	for _, compressed := range []string{".gz", ".zst"} {
		name = strings.TrimSuffix(name, compressed)
	}
	return archiveKinds[filepath.Ext(name)] // or pageFile
}

func isPage(path string) bool {
	name := strings.TrimSuffix(strings.ToLower(path), ".gz")
	return strings.HasSuffix(name, ".html") || strings.HasSuffix(name, ".htm")
}

// files returns the files, from that of a position on.
func (s *Source) files(from position) iter.Seq[file] {
	return func(yield func(file) bool) {
		for i := from.Input; i < len(s.Paths)+len(s.Lists); i++ {
			after := ""
			if i == from.Input {
				after = from.File
			}
			if !s.walk(i, after, yield) {
				return
			}
		}
	}
}

// walk yields the files of an input and reports whether to continue.
func (s *Source) walk(i int, after string, yield func(file) bool) bool {
	f := file{at: position{Input: i}}
	if i < len(s.Paths) {
		f.path = s.Paths[i]
		f.kind = fileKindOf(f.path)
	} else {
		f.path, f.kind = s.Lists[i-len(s.Paths)], listFile
	}
	fi, err := os.Stat(f.path)
	switch {
	case f.path == "-" && s.Stdin != nil:
		f.size = -1
	case f.kind != listFile && s.isAddress(f.path):
		f.kind, f.size = addressFile, int64(len(f.path)) // as the progress counts it
	case err != nil:
		f.err = describe(err)
	case fi.IsDir() && f.kind != listFile:
		return s.walkFolder(i, f.path, after, yield)
	case fi.Mode().IsRegular():
		f.size = fi.Size()
	default:
		f.size = -1
	}
	if f.size < 0 && f.kind != listFile {
		f.kind = streamFile
	}
	return yield(f)
}

// walkFolder yields the pages and WARC files of a folder or a corpus, in the order of
// their names, from the path after on, and reports whether to continue. Symbolic links to
// folders are skipped, since they may lead in circles.
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
	more := true
	// The slash follows a link to the folder itself.
	_ = filepath.WalkDir(dir+string(filepath.Separator), func(name string, e fs.DirEntry, err error) error {
		rel, _ := filepath.Rel(dir, name)
		if rel = filepath.ToSlash(rel); rel == "." {
			rel = ""
		}
		f := file{at: position{Input: i, File: rel}, path: name, within: rel, kind: fileKindOf(rel), err: describe(err)}
		switch {
		case slices.Compare(strings.Split(rel, "/"), strings.Split(after, "/")) < 0:
			return nil
		case err != nil: // of a folder
		case e.IsDir() || !isPage(rel) && f.kind != warcFile:
			return nil
		default:
			fi, err := os.Stat(name)
			if err == nil && fi.IsDir() {
				return nil
			}
			if f.err = describe(err); err == nil {
				f.size = fi.Size()
			}
		}
		for _, id := range []string{withoutEnding(rel), withoutEnding(path.Base(rel))} {
			if o, ok := origins[id]; ok && f.kind == pageFile {
				f.origin, f.gold = o, id
				break
			}
		}
		if more = yield(f); !more {
			return fs.SkipAll
		}
		return nil
	})
	return more
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
