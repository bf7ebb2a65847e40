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
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/lede-news/lede/dom"
)

// The largest things that are read: far more than any page or gold has, and little enough
// for a file that unpacks without end to do no harm.
const (
	maxPage = 64 << 20
	maxLine = 64 << 20
	maxFile = 1 << 30
)

// readFile reads a file whole, unpacked when its name ends in .gz. Errors do
// not have the name, which those that tell them know.
func readFile(name string, most int64) ([]byte, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, bare(err)
	}
	defer f.Close()
	var r io.Reader = f
	if strings.HasSuffix(name, ".gz") {
		if r, err = gzip.NewReader(f); err != nil {
			return nil, err
		}
	}
	data, err := io.ReadAll(io.LimitReader(r, most+1))
	if err == nil && int64(len(data)) > most {
		err = fmt.Errorf("it has more than %d MiB", most>>20)
	}
	if err != nil {
		return nil, bare(err)
	}
	return data, nil
}

// bare takes the system call and the name off an error of a file.
func bare(err error) error {
	var pe *fs.PathError
	if errors.As(err, &pe) {
		return pe.Err
	}
	return err
}

// readText reads a text that a person wrote. It is UTF-8 unless it cannot be.
func readText(name string) (string, error) {
	data, err := readFile(name, maxPage)
	if err != nil {
		return "", err
	}
	if rest, marked := bytes.CutPrefix(data, []byte("\ufeff")); marked {
		data = rest
	}
	if !utf8.Valid(data) {
		if data, _, err = dom.Decode(data, dom.Options{}); err != nil && !errors.Is(err, dom.ErrEmpty) {
			return "", err
		}
	}
	return strings.ReplaceAll(string(data), "\r\n", "\n"), nil
}

var errLongLine = fmt.Errorf("the line has more than %d MiB", maxLine>>20)

// eachLine gives the lines that are not blank, with their numbers; of one that
// is too long only that. It ends with the first error of do.
func eachLine(r io.Reader, most int, do func(n int, row []byte, err error) error) error {
	b := bufio.NewReaderSize(r, 1<<16)
	var row []byte
	for n := 1; ; n++ {
		row = row[:0]
		var err, long error
		for more := true; more; more = errors.Is(err, bufio.ErrBufferFull) {
			var part []byte
			part, err = b.ReadSlice('\n')
			if len(row)+len(part) > most {
				long, part = errLongLine, nil
			}
			row = append(row, part...)
		}
		if err != nil && err != io.EOF {
			return err
		}
		if trimmed := bytes.TrimSpace(bytes.TrimPrefix(row, []byte("\ufeff"))); long != nil || len(trimmed) > 0 {
			if err := do(n, trimmed, long); err != nil {
				return err
			}
		}
		if err == io.EOF {
			return nil
		}
	}
}

// listing is what is in a folder.
type listing struct {
	dir         string
	files, dirs []string // sorted
}

func list(dir string) (*listing, error) {
	fi, err := os.Stat(dir)
	if errors.Is(err, fs.ErrNotExist) {
		err = errors.New("no such folder")
	} else if err == nil && !fi.IsDir() {
		err = errors.New("not a folder")
	}
	if err != nil {
		return nil, err
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	l := &listing{dir: dir}
	for _, e := range entries {
		is := e.IsDir()
		if e.Type()&fs.ModeSymlink != 0 { // a link counts as what it leads to
			fi, err := os.Stat(filepath.Join(dir, e.Name()))
			is = err == nil && fi.IsDir()
		}
		if is {
			l.dirs = append(l.dirs, e.Name())
		} else {
			l.files = append(l.files, e.Name())
		}
	}
	return l, nil
}

func (l *listing) path(name ...string) string {
	return filepath.Join(append([]string{l.dir}, name...)...)
}

func (l *listing) hasFile(name string) bool { return slices.Contains(l.files, name) }
func (l *listing) hasDir(name string) bool  { return slices.Contains(l.dirs, name) }

// pagesIn finds the pages of a folder by their names without .html and .gz. Of
// a page that is there packed and unpacked it is the packed one.
func pagesIn(l *listing) map[string]string { return stems(l, ".htm", ".html", ".xhtml") }

// textsIn finds the text files.
func textsIn(l *listing) map[string]string {
	texts := stems(l, ".txt")
	for id := range texts {
		if low := strings.ToLower(id); strings.HasPrefix(low, "readme") || strings.HasPrefix(low, "license") {
			delete(texts, id)
		}
	}
	return texts
}

func stems(l *listing, exts ...string) map[string]string {
	found := map[string]string{}
	for _, packed := range []string{"", ".gz"} {
		for _, ext := range exts {
			for _, name := range l.files {
				if id, is := cutFold(name, ext+packed); is && id != "" {
					found[id] = filepath.Join(l.dir, name)
				}
			}
		}
	}
	return found
}

// cutFold takes off an ending in any case.
func cutFold(name, ext string) (string, bool) {
	at := len(name) - len(ext)
	if at < 0 || !strings.EqualFold(name[at:], ext) {
		return name, false
	}
	return name[:at], true
}

// eachJSON goes through the entries of a JSON object in order, with the lines
// that they begin on; so an entry that breaks off costs none before it, and
// two of one key are two. With an error comes its line.
func eachJSON(data []byte) func(func(entry) error) (int, error) {
	return func(do func(entry) error) (int, error) {
		data = bytes.TrimPrefix(data, []byte("\ufeff"))
		dec := json.NewDecoder(bytes.NewReader(data))
		line, counted := 1, 0
		here := func() int {
			at := int(dec.InputOffset())
			line += bytes.Count(data[counted:at], []byte("\n"))
			counted = at
			return line
		}
		token, err := dec.Token()
		if err == nil && token != json.Delim('{') {
			err = errors.New("want an object")
		}
		if err != nil {
			return here(), broken(err)
		}
		for dec.More() {
			token, err := dec.Token()
			if err != nil {
				return here(), broken(err)
			}
			e := entry{line: here()}
			e.key, _ = token.(string)
			if err := dec.Decode(&e.value); err != nil {
				return e.line, fmt.Errorf("the entry %q is broken: %w", e.key, unexpected(err))
			}
			if err := do(e); err != nil {
				return e.line, err
			}
		}
		_, err = dec.Token()
		return here(), broken(err)
	}
}

func broken(err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("broken JSON: %w", unexpected(err))
}

// unexpected says of the end of a file that it comes too early.
func unexpected(err error) error {
	if errors.Is(err, io.EOF) {
		return io.ErrUnexpectedEOF
	}
	return err
}

// entry is an entry of a table in a file.
type entry struct {
	key   string
	line  int
	value any
}

// entries goes through a table whose values are objects. A table that breaks off
// is a problem, and what came before counts.
func (r *reader) entries(name string, each func(func(entry) error) (line int, err error), do func(key string, line int, f *fields) error) error {
	var stopped error
	line, err := each(func(e entry) error {
		values, ok := e.value.(map[string]any)
		if !ok {
			stopped = r.problem(name, e.line, fmt.Errorf("%q is %s, want an object", e.key, kind(e.value)))
		} else {
			stopped = do(e.key, e.line, &fields{values: values})
		}
		return stopped
	})
	if stopped != nil {
		return stopped
	}
	if err != nil {
		return r.problem(name, line, fmt.Errorf("%w; what follows is not read", err))
	}
	return nil
}
