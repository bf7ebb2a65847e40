// Package label reads and writes labels of the headline and the body of pages,
// and has a web application to make them.
//
// A [Label] has two elements of a page, each identified by a [Mark]: its path, a
// hash of its text, a sketch of the text and its box on the screen. [Find] finds
// the element on a page that has changed since, and reports how well it matches.
// A file of labels has one JSON object a line.
//
// The web application is for one local user. [Server] shows each page in a frame
// next to its tree. A [Store] writes every change to disk before it is reported as
// saved.
//
// The pages are not trusted. They are shown from the tree of package dom, without
// scripts, forms, frames and links, in a sandbox and with a content security
// policy, each of which alone prevents scripts from running.
package label

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/lede-news/lede/internal/output/fsync"
)

// Label is the label of a page.
type Label struct {
	// Page is the ID of the page.
	Page  string `json:"page"`
	URL   string `json:"url,omitempty"`
	Title *Mark  `json:"title,omitempty"`
	Body  *Mark  `json:"body,omitempty"`
	// Done means that the label is complete. If a mark is missing, the page has no
	// such element.
	Done bool `json:"done"`
	// Skipped means that the page is not suitable for labelling.
	Skipped bool      `json:"skipped,omitempty"`
	Saved   time.Time `json:"saved,omitzero"`
}

// empty reports whether the label has no information.
func (l Label) empty() bool { return l.Title == nil && l.Body == nil && !l.Done && !l.Skipped }

func (l Label) check() error {
	if l.Page == "" {
		return errors.New(`missing "page"`)
	}
	for _, m := range []struct {
		name string
		mark *Mark
	}{{"title", l.Title}, {"body", l.Body}} {
		if m.mark == nil {
			continue
		}
		if err := m.mark.check(); err != nil {
			return fmt.Errorf("page %s, %s: %w", l.Page, m.name, err)
		}
	}
	return nil
}

// ErrBadLabels means that a file of labels is invalid. Such a file is never
// overwritten.
var ErrBadLabels = errors.New("invalid labels")

// ReadLabels reads a file of labels.
func ReadLabels(file string) ([]Label, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return readLabels(file, f)
}

func readLabels(file string, r io.Reader) ([]Label, error) {
	var all []Label
	lines := map[string]int{}
	b := bufio.NewReader(r)
	for n := 1; ; n++ {
		line, err := b.ReadBytes('\n')
		if err != nil && err != io.EOF {
			return nil, fmt.Errorf("reading %s: %w", file, err)
		}
		if n == 1 {
			line = bytes.TrimPrefix(line, []byte("\uFEFF"))
		}
		if text := bytes.TrimSpace(line); len(text) > 0 {
			l, err := parseLabel(text)
			if before := lines[l.Page]; err == nil && before > 0 {
				err = fmt.Errorf("page %s is also on line %d; remove one of the two", l.Page, before)
			}
			if err != nil {
				return nil, fmt.Errorf("%s:%d: %w: %w", file, n, ErrBadLabels, err)
			}
			lines[l.Page] = n
			all = append(all, l)
		}
		if err == io.EOF {
			return all, nil
		}
	}
}

// parseLabel parses one line. An unknown field is an error because it would be
// lost when the file is written.
func parseLabel(line []byte) (Label, error) {
	var l Label
	d := json.NewDecoder(bytes.NewReader(line))
	d.DisallowUnknownFields()
	if err := d.Decode(&l); err != nil {
		if errors.Is(err, io.ErrUnexpectedEOF) {
			return Label{}, errors.New("unexpected end of line")
		}
		return Label{}, errors.New(strings.TrimPrefix(err.Error(), "json: "))
	}
	if d.InputOffset() < int64(len(line)) {
		return Label{}, errors.New("more than one value on the line")
	}
	return l, l.check()
}

// writeLabels replaces a file of labels atomically.
func writeLabels(file string, labels []Label) error {
	var b bytes.Buffer
	for _, l := range labels {
		if err := l.check(); err != nil {
			return fmt.Errorf("writing %s: %w", file, err)
		}
		if err := l.write(&b); err != nil {
			return fmt.Errorf("writing %s: page %s: %w", file, l.Page, err)
		}
	}
	return replaceFile(file, b.Bytes())
}

// write writes the line of a label.
func (l Label) write(w io.Writer) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	return e.Encode(l)
}

// replaceFile replaces a file atomically and returns when it is on disk.
func replaceFile(file string, data []byte) (err error) {
	mode := fs.FileMode(0o644)
	if real, err := filepath.EvalSymlinks(file); err == nil {
		file = real // keeps symbolic links
	}
	if fi, err := os.Stat(file); err == nil {
		mode = fi.Mode().Perm()
	}
	dir := filepath.Dir(file)
	tmp, err := os.CreateTemp(dir, "."+filepath.Base(file)+"-*.tmp")
	if err != nil {
		return fmt.Errorf("writing %s: %w", file, err)
	}
	defer func() {
		if err != nil {
			err = fmt.Errorf("writing %s: %w", file, errors.Join(err, os.Remove(tmp.Name())))
		}
	}()
	_, err = tmp.Write(data)
	if err == nil {
		err = tmp.Chmod(mode)
	}
	if err == nil {
		err = tmp.Sync()
	}
	if err = errors.Join(err, tmp.Close()); err != nil {
		return err
	}
	if err = os.Rename(tmp.Name(), file); err != nil {
		return err
	}
	_ = fsync.Dir(dir) // the file is complete in any case
	return nil
}
