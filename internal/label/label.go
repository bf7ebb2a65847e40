// Package label is for people who say where the headline and the body of a page
// are, and for programs that learn from what they said.
//
// A [Label] names two elements of a page, each by a [Mark]: its path, a hash of
// its text, a sketch of the text and its box on the screen. [Find] finds the
// element again on a page that has changed a little since, and tells how sure it
// is. Labels are plain JSON, a line a page ([ReadLabels], [WriteLabels]).
//
// The other half is a web page for one person on this machine: [Server] shows page
// after page in a frame beside its tree, and a [Store] has every choice on
// disk before the web page says that it is saved.
//
// The pages that are labelled are not trusted. They are shown from lede's own
// tree, without scripts, forms, frames or addresses to go to, in a sandbox and under
// a policy that each alone would keep a script from running.
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
)

// Label is what somebody said of a page.
type Label struct {
	// Page is the ID of the page.
	Page  string `json:"page"`
	URL   string `json:"url,omitempty"`
	Title *Mark  `json:"title,omitempty"`
	Body  *Mark  `json:"body,omitempty"`
	// Done means that nothing is to be added: a mark that is missing has nothing to
	// mark on the page.
	Done bool `json:"done"`
	// Skipped means that the page is not fit to be labelled.
	Skipped bool      `json:"skipped,omitempty"`
	Saved   time.Time `json:"saved,omitzero"`
}

// empty tells whether nothing was said.
func (l Label) empty() bool { return l.Title == nil && l.Body == nil && !l.Done && !l.Skipped }

func (l Label) check() error {
	if l.Page == "" {
		return errors.New(`no "page"`)
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

// ErrBadLabels means that a file of labels cannot be understood. The error says
// which line is wrong; nothing is ever written over such a file.
var ErrBadLabels = errors.New("not a file of labels")

// ReadLabels reads a file of labels, a line of JSON for each page.
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
				err = fmt.Errorf("page %s is in line %d already; keep one of them", l.Page, before)
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

// parseLabel reads one line. What it does not know is an error, since it would
// be lost when the file is written again.
func parseLabel(line []byte) (Label, error) {
	var l Label
	d := json.NewDecoder(bytes.NewReader(line))
	d.DisallowUnknownFields()
	if err := d.Decode(&l); err != nil {
		if errors.Is(err, io.ErrUnexpectedEOF) {
			return Label{}, errors.New("the line ends too early")
		}
		return Label{}, errors.New(strings.TrimPrefix(err.Error(), "json: "))
	}
	if d.InputOffset() < int64(len(line)) {
		return Label{}, errors.New("more than one value in the line")
	}
	return l, l.check()
}

// WriteLabels writes a file of labels. It is there as it was or as it is to be,
// whatever happens in between, never half.
func WriteLabels(file string, labels []Label) error {
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

// replaceFile puts a file in the place of another in one step, and returns when
// it is on disk.
func replaceFile(file string, data []byte) (err error) {
	mode := fs.FileMode(0o644)
	if real, err := filepath.EvalSymlinks(file); err == nil {
		file = real // a link stays one
	}
	if fi, err := os.Stat(file); err == nil {
		mode = fi.Mode().Perm()
	}
	dir := filepath.Dir(file)
	fresh, err := os.CreateTemp(dir, "."+filepath.Base(file)+"-*.tmp")
	if err != nil {
		return fmt.Errorf("writing %s: %w", file, err)
	}
	defer func() {
		if err != nil {
			err = fmt.Errorf("writing %s: %w", file, errors.Join(err, os.Remove(fresh.Name())))
		}
	}()
	_, err = fresh.Write(data)
	if err == nil {
		err = fresh.Chmod(mode)
	}
	if err == nil {
		err = fresh.Sync()
	}
	if err = errors.Join(err, fresh.Close()); err != nil {
		return err
	}
	if err = os.Rename(fresh.Name(), file); err != nil {
		return err
	}
	syncDir(dir)
	return nil
}

// syncDir makes the new name last. Not every system can; the file is whole in any case.
func syncDir(dir string) {
	d, err := os.Open(dir)
	if err != nil {
		return
	}
	_ = d.Sync()
	_ = d.Close()
}
