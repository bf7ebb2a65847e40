package main

import (
	"bytes"
	"encoding/json"
	"fmt"
)

// jsonLine returns a value as a line of JSON.
func jsonLine(v any) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	err := enc.Encode(v)
	return b.Bytes(), err
}

// parseSplit parses the value of --split.
func parseSplit(text string) (int64, error) {
	size, err := parseSize(text)
	if err != nil {
		return 0, fmt.Errorf("--split %q: %w", text, err)
	}
	return size, nil
}
