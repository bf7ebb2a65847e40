package corpus

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

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
