package lede

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"

	"github.com/lede-news/lede/internal/methods/blend"
	"github.com/lede-news/lede/internal/methods/wrapper"
	"github.com/lede-news/lede/method"
)

// maxModelBytes is the size of the largest model that WithModel reads. Those that come
// with lede have less than 1 MB.
const maxModelBytes = 256 << 20

// WithModel selects the method that a model was trained for, with that model instead of
// the one that comes with lede: blend, the default method, for models of lede-lab train
// story, and wrapper for those of lede-lab train wrapper. It reads r at once, so that the
// option may be used many times.
//
//	f, err := os.Open("model.bin")
//	…
//	x, err := lede.New(lede.WithModel(f))
func WithModel(r io.Reader) Option {
	m, err := readModel(r)
	return func(s *settings) error {
		if err != nil {
			return fmt.Errorf("%w: %w", ErrOption, err)
		}
		s.method = m
		return nil
	}
}

// readModel returns a method with the model in r.
func readModel(r io.Reader) (method.Method, error) {
	data, err := io.ReadAll(io.LimitReader(r, maxModelBytes+1))
	switch {
	case err != nil:
		return nil, fmt.Errorf("cannot read the model: %w", err)
	case len(data) > maxModelBytes:
		return nil, fmt.Errorf("the model has more than %d bytes", maxModelBytes)
	case blend.IsModel(data):
		m := new(blend.Model)
		if err := m.UnmarshalBinary(data); err != nil {
			return nil, err
		}
		return blend.New(blend.Config{Model: m}), nil
	case bytes.HasPrefix(bytes.TrimSpace(data), []byte("{")):
		c := wrapper.Default()
		c.Model = new(wrapper.Model)
		if err := json.Unmarshal(data, c.Model); err != nil {
			return nil, fmt.Errorf("not a model of wrapper: %w", err)
		}
		if err := c.Model.Check(); err != nil {
			return nil, err
		}
		return wrapper.New(c), nil
	}
	return nil, fmt.Errorf("not a model: make one with lede-lab train")
}
