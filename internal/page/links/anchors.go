package links

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/lede-news/lede/internal/page/lines"
)

// The limits of what Texts keeps.
const (
	maxLine  = 64 << 10  // bytes of a line of an anchor file
	maxText  = 1 << 10   // bytes of a text; the rest is cut off
	maxBytes = 256 << 20 // of all addresses and texts
	overhead = 64        // bytes that an entry takes in addition, about
)

// ErrTooMany means that there are more addresses and texts than Texts keeps, 256 MB
// or about 1.5 million.
var ErrTooMany = errors.New("more than 256 MB of addresses and texts")

// ReadAnchors adds the links of an anchor file, one in a line: the address, a tab and
// the text, or a JSON object with the fields url and text. Links whose texts are
// no titles, empty lines and those that begin with # are skipped. Invalid lines are reported, with the
// name of the file and the number of the line, and skipped. Of several texts for an
// address, Find returns one.
func (t *Texts) ReadAnchors(r io.Reader, name string, report func(error)) error {
	in := bufio.NewReaderSize(r, maxLine)
	for number := 1; ; number++ {
		line, _, err := lines.Read(in, maxLine)
		switch {
		case err == io.EOF:
			return nil
		case errors.Is(err, lines.ErrTooLong):
			report(fmt.Errorf("%s:%d: the line is longer than %d bytes", name, number, maxLine))
			continue
		case err != nil:
			return fmt.Errorf("%s: %w", name, err)
		}
		if number == 1 {
			line = bytes.TrimPrefix(line, []byte("\uFEFF"))
		}
		if line = bytes.TrimSpace(line); len(line) == 0 || line[0] == '#' {
			continue
		}
		key, text, err := parseAnchor(line)
		if err != nil {
			report(fmt.Errorf("%s:%d: %w", name, number, err))
			continue
		}
		t.addText(key, text)
		if t.bytes > cmp.Or(t.limit, maxBytes) {
			return fmt.Errorf("%s:%d: %w", name, number, ErrTooMany)
		}
	}
}

// parseAnchor parses a line of an anchor file and returns the key of its address.
func parseAnchor(line []byte) (key, text string, err error) {
	var address string
	if line[0] == '{' {
		var l struct{ URL, Text string }
		if err := json.Unmarshal(line, &l); err != nil {
			return "", "", fmt.Errorf("invalid JSON: %w", err)
		}
		address, text = l.URL, l.Text
	} else {
		var ok bool
		address, text, ok = strings.Cut(string(line), "\t")
		// A line that is only an address is a link without text.
		if !ok && strings.ContainsRune(address, ' ') {
			return "", "", errors.New("no tab between address and text")
		}
	}
	if key = Key(address); key == "" {
		return "", "", fmt.Errorf("%.100q is not an http or https address", address)
	}
	return key, text, nil
}
