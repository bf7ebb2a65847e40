package wrapper

import (
	_ "embed" // the model
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"sync"

	"github.com/lede-news/lede/internal/methods/svm"
)

// Model is a trained model: M_BODY and M_TITLE of the paper. Each names the
// features that it uses.
type Model struct {
	Card  Card       `json:"card"`
	Body  *svm.Model `json:"body"`
	Title *svm.Model `json:"title"`
}

// Card describes what a model was trained on.
type Card struct {
	About string         `json:"about"`
	Date  string         `json:"date,omitempty"`
	Pages map[string]int `json:"pages"` // by corpus
}

// ErrModel means that data is not a model of this version of the wrapper.
var ErrModel = errors.New("not a model of a wrapper")

// UnmarshalJSON decodes a model and checks it.
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

// Check returns ErrModel if a model cannot be used: a part is missing, does not
// give probabilities, or uses unknown features.
func (m *Model) Check() error {
	_, err := m.classifiers()
	return err
}

func (m *Model) classifiers() (c classifiers, err error) {
	if c.body, err = newClassifier(m.Body, BodyFeatures()); err != nil {
		return c, fmt.Errorf("%w: body: %w", ErrModel, err)
	}
	if c.title, err = newClassifier(m.Title, TitleFeatures()); err != nil {
		return c, fmt.Errorf("%w: title: %w", ErrModel, err)
	}
	return c, nil
}

var (
	//go:embed model.json
	embeddedJSON []byte
	//go:embed paper.json
	paperJSON []byte

	// embeddedClassifiers decodes the embedded model on the first call, and
	// paperClassifiers the one that uses only the features of the paper.
	embeddedClassifiers = sync.OnceValues(func() (classifiers, error) { return mustDecode(embeddedJSON).classifiers() })
	paperClassifiers    = sync.OnceValues(func() (classifiers, error) { return mustDecode(paperJSON).classifiers() })
)

// mustDecode decodes an embedded model.
func mustDecode(data []byte) *Model {
	m := new(Model)
	if err := json.Unmarshal(data, m); err != nil {
		panic("wrapper: cannot decode an embedded model: " + err.Error())
	}
	return m
}

// classifiers are the two parts of a model, ready for use.
type classifiers struct{ body, title *classifier }

// classifier estimates posteriors from some of the features of a subtree.
type classifier struct {
	svm     *svm.Model
	names   []string
	columns []int // of its features among all features
}

func newClassifier(m *svm.Model, all []Feature) (*classifier, error) {
	if m == nil {
		return nil, errors.New("missing")
	}
	if m.Platt == nil {
		return nil, errors.New("trained without probabilities")
	}
	c := &classifier{svm: m, names: m.Features}
	if len(c.names) == 0 {
		return nil, errors.New("does not name its features")
	}
	for _, name := range c.names {
		i := slices.IndexFunc(all, func(f Feature) bool { return f.Name == name })
		if i < 0 {
			return nil, fmt.Errorf("unknown feature %q", name)
		}
		c.columns = append(c.columns, i)
	}
	return c, nil
}

// pick returns the classifier's features out of all features of a subtree.
func (c *classifier) pick(all []float64) []float64 {
	x := make([]float64, len(c.columns))
	for i, k := range c.columns {
		x[i] = all[k]
	}
	return x
}

// posterior returns the probability that a subtree is a body or a title.
func (c *classifier) posterior(all []float64) float64 { return c.svm.Probability(c.pick(all)) }
