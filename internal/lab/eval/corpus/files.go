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

	"github.com/lede-news/lede/internal/page/charset"
	"github.com/lede-news/lede/internal/page/lines"
)

// Limits in bytes: far more than any page or gold has, to stop decompression
// bombs.
const (
	maxPage = 64 << 20
	maxLine = 64 << 20
	maxFile = 1 << 30
)

// readFile reads a file and decompresses it if its name ends in .gz. Its errors
// do not contain the name, which callers add.
func readFile(name string, limit int64) ([]byte, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, withoutPath(err)
	}
	defer f.Close()
	var r io.Reader = f
	if strings.HasSuffix(name, ".gz") {
		if r, err = gzip.NewReader(f); err != nil {
			return nil, err
		}
	}
	data, err := io.ReadAll(io.LimitReader(r, limit+1))
	if err == nil && int64(len(data)) > limit {
		err = fmt.Errorf("larger than %d MiB", limit>>20)
	}
	if err != nil {
		return nil, withoutPath(err)
	}
	return data, nil
}

// withoutPath removes the operation and the name from a file error.
func withoutPath(err error) error {
	var pe *fs.PathError
	if errors.As(err, &pe) {
		return pe.Err
	}
	return err
}

// readText reads a text file. It is UTF-8 if it is valid as such.
func readText(name string) (string, error) {
	data, err := readFile(name, maxPage)
	if err != nil {
		return "", err
	}
	if rest, marked := bytes.CutPrefix(data, []byte("\ufeff")); marked {
		data = rest
	}
	if !utf8.Valid(data) {
		if data, _, err = charset.Decode(data, charset.Hints{}); err != nil && !errors.Is(err, charset.ErrEmpty) {
			return "", err
		}
	}
	return strings.ReplaceAll(string(data), "\r\n", "\n"), nil
}

// EachLine calls do with the number and the text of every line that is not blank,
// or with an error for a line that is too long. It stops at the first error that
// do returns.
func EachLine(r io.Reader, do func(n int, row []byte, err error) error) error {
	return eachLine(r, maxLine, do)
}

func eachLine(r io.Reader, limit int64, do func(n int, row []byte, err error) error) error {
	b := bufio.NewReaderSize(r, 1<<16)
	for n := 1; ; n++ {
		row, _, err := lines.Read(b, limit)
		if err == io.EOF {
			return nil
		}
		if err != nil && err != lines.ErrTooLong {
			return err
		}
		row = bytes.TrimSpace(bytes.TrimPrefix(row, []byte("\ufeff")))
		if err == nil && len(row) == 0 {
			continue
		}
		if err := do(n, row, err); err != nil {
			return err
		}
	}
}

// listing lists the files and folders in a folder.
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
		isDir := e.IsDir()
		if e.Type()&fs.ModeSymlink != 0 {
			fi, err := os.Stat(filepath.Join(dir, e.Name()))
			isDir = err == nil && fi.IsDir()
		}
		if isDir {
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

// pagesIn returns the pages of a folder by their names without extension. A
// compressed file takes precedence.
func pagesIn(l *listing) map[string]string { return filesByStem(l, ".htm", ".html", ".xhtml") }

// textsIn returns the text files of a folder by their names without extension.
func textsIn(l *listing) map[string]string {
	texts := filesByStem(l, ".txt")
	for id := range texts {
		if low := strings.ToLower(id); strings.HasPrefix(low, "readme") || strings.HasPrefix(low, "license") {
			delete(texts, id)
		}
	}
	return texts
}

func filesByStem(l *listing, exts ...string) map[string]string {
	found := map[string]string{}
	for _, gz := range []string{"", ".gz"} {
		for _, ext := range exts {
			for _, name := range l.files {
				if id, ok := cutSuffixFold(name, ext+gz); ok && id != "" {
					found[id] = filepath.Join(l.dir, name)
				}
			}
		}
	}
	return found
}

// cutSuffixFold is strings.CutSuffix, ignoring case.
func cutSuffixFold(name, ext string) (string, bool) {
	at := len(name) - len(ext)
	if at < 0 || !strings.EqualFold(name[at:], ext) {
		return name, false
	}
	return name[:at], true
}

// eachJSON returns an iterator over the entries of a JSON object in order. A
// syntax error does not affect the entries before it, and a repeated key gives two
// entries. The iterator returns the line of an error.
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
			return here(), invalidJSON(err)
		}
		for dec.More() {
			token, err := dec.Token()
			if err != nil {
				return here(), invalidJSON(err)
			}
			e := entry{line: here()}
			e.key, _ = token.(string)
			if err := dec.Decode(&e.value); err != nil {
				return e.line, fmt.Errorf("invalid entry %q: %w", e.key, unexpected(err))
			}
			if err := do(e); err != nil {
				return e.line, err
			}
		}
		_, err = dec.Token()
		return here(), invalidJSON(err)
	}
}

func invalidJSON(err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("invalid JSON: %w", unexpected(err))
}

// unexpected turns io.EOF into io.ErrUnexpectedEOF.
func unexpected(err error) error {
	if errors.Is(err, io.EOF) {
		return io.ErrUnexpectedEOF
	}
	return err
}

// entry is an entry of an object or a dict in a file.
type entry struct {
	key   string
	line  int
	value any
}

// entries calls do with the entries of an object or a dict whose values are
// objects. A syntax error is a problem; the entries before it count.
func (r *reader) entries(name string, each func(func(entry) error) (line int, err error), do func(key string, line int, f *fields) error) error {
	var stopped error
	line, err := each(func(e entry) error {
		values, ok := e.value.(map[string]any)
		if !ok {
			stopped = r.problem(name, e.line, fmt.Errorf("%q is %s, want an object", e.key, typeName(e.value)))
		} else {
			stopped = do(e.key, e.line, &fields{values: values})
		}
		return stopped
	})
	if stopped != nil {
		return stopped
	}
	if err != nil {
		return r.problem(name, line, fmt.Errorf("%w; the rest of the file is ignored", err))
	}
	return nil
}
