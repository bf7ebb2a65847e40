package cli

import (
	"encoding/json"
	"fmt"
	"io"
	"os"

	"github.com/lede-news/lede/internal/methods/wrapper"
)

// ReadWrapper reads a model written by lede-lab train wrapper.
func ReadWrapper(file string) (*wrapper.Model, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	const maxBytes = 64 << 20
	data, err := io.ReadAll(io.LimitReader(f, maxBytes))
	if err != nil {
		return nil, err
	}
	m := new(wrapper.Model)
	if err := json.Unmarshal(data, m); err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	return m, m.Check()
}
