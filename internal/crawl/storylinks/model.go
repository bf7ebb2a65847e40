package storylinks

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"sync"

	_ "embed"

	"github.com/lede-news/lede/internal/methods/trees"
)

//go:embed model.bin
var modelFile []byte

// Model tells links to stories from others by their addresses and texts.
type Model struct {
	address, text Table
	trees         *trees.Model
}

// TableSize is the number of hashed words.
const TableSize = 1 << tableBits

// Table is a logistic regression over hashed words.
type Table struct {
	Weights    [TableSize]int8 // in units
	Unit, Bias float32
}

// Score returns the log-odds for words.
func (t *Table) Score(words []uint16) float32 {
	sum := int32(0)
	for _, k := range words {
		sum += int32(t.Weights[k])
	}
	return t.Bias + t.Unit*float32(sum)
}

// Append appends the table to a file. Only the weights of words that occur are written,
// and the lengths of the runs between them.
func (t *Table) Append(file []byte) []byte {
	file = binary.LittleEndian.AppendUint32(file, math.Float32bits(t.Unit))
	file = binary.LittleEndian.AppendUint32(file, math.Float32bits(t.Bias))
	for i := 0; i < len(t.Weights); i++ {
		if t.Weights[i] != 0 {
			file = append(file, byte(t.Weights[i]))
			continue
		}
		run := 1
		for run < 256 && i+run < len(t.Weights) && t.Weights[i+run] == 0 {
			run++
		}
		file = append(file, 0, byte(run-1))
		i += run - 1
	}
	return file
}

var defaultModel = sync.OnceValue(func() *Model {
	m := new(Model)
	if err := m.UnmarshalBinary(modelFile); err != nil {
		panic("model.bin: " + err.Error()) // it is part of the program
	}
	return m
})

// ModelMagic begins the file of a model.
const ModelMagic = "lede links 1\n"

var errModel = errors.New("not a model of links")

// UnmarshalBinary reads a model that internal/lab/train/links wrote.
func (m *Model) UnmarshalBinary(data []byte) error {
	if len(data) < len(ModelMagic) || string(data[:len(ModelMagic)]) != ModelMagic {
		return errModel
	}
	data = data[len(ModelMagic):]
	for _, t := range []*Table{&m.address, &m.text} {
		if len(data) < 8 {
			return errModel
		}
		t.Unit = math.Float32frombits(binary.LittleEndian.Uint32(data))
		t.Bias = math.Float32frombits(binary.LittleEndian.Uint32(data[4:]))
		data = data[8:]
		clear(t.Weights[:])
		for i := 0; i < len(t.Weights); {
			if len(data) < 2 {
				return errModel
			}
			if data[0] != 0 {
				t.Weights[i] = int8(data[0])
				i, data = i+1, data[1:]
				continue
			}
			i, data = i+int(data[1])+1, data[2:]
		}
	}
	m.trees = new(trees.Model)
	if err := m.trees.UnmarshalBinary(data); err != nil {
		return fmt.Errorf("%w: %w", errModel, err)
	}
	if got := len(m.trees.Features()); got != len(FeatureNames) {
		return fmt.Errorf("%w: %d features, not %d", errModel, got, len(FeatureNames))
	}
	return nil
}

var (
	AddressScore = indexOf("address score") // of the words of the URL
	TextScore    = indexOf("text score")    // of the words of the text

	listingFeature = indexOf("listing")
	paidFeature    = indexOf("paid")
	networkFeature = indexOf("network")
)

// rows returns the features of links, one row after another.
func (m *Model) rows(all []candidate) []float32 {
	n := len(FeatureNames)
	rows := make([]float32, len(all)*n)
	for i := range all {
		c, row := &all[i], rows[i*n:(i+1)*n]
		c.fill(row, loadWords())
		row[AddressScore] = m.address.Score(c.addressTokens())
		if c.text != "" {
			row[TextScore] = m.text.Score(c.textTokens())
		}
	}
	return rows
}

// score returns the log-odds that links lead to stories, each by itself.
func (m *Model) score(rows []float32) []float32 {
	n := len(FeatureNames)
	out := make([]float32, len(rows)/n)
	m.trees.Scores(rows, len(out), out)
	for i := range out {
		row := rows[i*n : (i+1)*n]
		out[i] += listingPrior*row[listingFeature] + paidPrior*row[paidFeature] + networkPrior*row[networkFeature]
	}
	return out
}

// What is known of addresses beforehand, in log-odds: the labels have too few of
// these for the trees to be sure.
const (
	listingPrior = -2 // /author/ann-reed, /tag/cranes
	paidPrior    = -3 // /sponsored/a-bank-for-you
	networkPrior = -2 // facebook.com
)
