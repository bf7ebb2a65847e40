package wrapper

import (
	_ "embed" // the model
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"sync"

	"github.com/lede-news/lede/internal/learn/svm"
)

// Model is a wrapper that was learned: M_BODY and M_TITLE of the paper. Each
// names the features that it goes by, all or some of those there are.
type Model struct {
	Card  Card       `json:"card"`
	Body  *svm.Model `json:"body"`
	Title *svm.Model `json:"title"`
}

// Card says what a model was learned from and how good it is.
type Card struct {
	About   string             `json:"about"`
	Date    string             `json:"date,omitempty"`
	Pages   map[string]int     `json:"pages"` // by corpus
	Figures map[string]float64 `json:"figures,omitempty"`
}

// ErrModel means that a model cannot be used by this wrapper.
var ErrModel = errors.New("not a model of a wrapper")

// UnmarshalJSON reads a model and checks that its features are known.
func (m *Model) UnmarshalJSON(data []byte) error {
	type plain Model
	var read plain
	if err := json.Unmarshal(data, &read); err != nil {
		return fmt.Errorf("%w: %w", ErrModel, err)
	}
	if err := (*Model)(&read).Check(); err != nil {
		return err
	}
	*m = Model(read)
	return nil
}

// Check tells whether a model can be used: both parts are there, give
// probabilities and ask for features that there are.
func (m *Model) Check() error {
	if _, err := newClassifier(m.Body, BodyFeatures()); err != nil {
		return fmt.Errorf("%w: of bodies: %w", ErrModel, err)
	}
	if _, err := newClassifier(m.Title, TitleFeatures()); err != nil {
		return fmt.Errorf("%w: of titles: %w", ErrModel, err)
	}
	return nil
}

//go:embed model.json
var shippedJSON []byte

//go:embed paper.json
var paperJSON []byte

// Shipped is the model that comes with lede.
func Shipped() *Model { return readShipped() }

// ShippedPaper is the one that goes by the features of the paper alone.
func ShippedPaper() *Model { return readPaper() }

var (
	readShipped = sync.OnceValue(func() *Model { return mustRead(shippedJSON) })
	readPaper   = sync.OnceValue(func() *Model { return mustRead(paperJSON) })
)

// mustRead reads a model that comes with lede; tests do so too.
func mustRead(data []byte) *Model {
	m := new(Model)
	if err := json.Unmarshal(data, m); err != nil {
		panic("wrapper: a model that comes with lede: " + err.Error())
	}
	return m
}

// classifier gives posteriors by some of the features of a subtree.
type classifier struct {
	svm     *svm.Model
	names   []string
	columns []int // of its features among all there are
}

func newClassifier(m *svm.Model, all []Feature) (*classifier, error) {
	if m == nil {
		return nil, errors.New("nothing was learned")
	}
	if !m.HasProbability() {
		return nil, errors.New("it was trained without probabilities")
	}
	c := &classifier{svm: m, names: m.Features()}
	if len(c.names) == 0 {
		return nil, errors.New("it does not name its features")
	}
	for _, name := range c.names {
		i := slices.IndexFunc(all, func(f Feature) bool { return f.Name == name })
		if i < 0 {
			return nil, fmt.Errorf("there is no feature %q", name)
		}
		c.columns = append(c.columns, i)
	}
	return c, nil
}

// pick takes the classifier's features out of all of a subtree's.
func (c *classifier) pick(all []float64) []float64 {
	x := make([]float64, len(c.columns))
	for i, k := range c.columns {
		x[i] = all[k]
	}
	return x
}

// posterior is the probability that a subtree is what the classifier looks for.
func (c *classifier) posterior(all []float64) float64 { return c.svm.Probability(c.pick(all)) }
