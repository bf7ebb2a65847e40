package label

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
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
