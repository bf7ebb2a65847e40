package eval

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/lede-news/lede/article"
	"github.com/lede-news/lede/internal/lab/eval/corpus"
	"github.com/lede-news/lede/internal/lab/eval/measure"
)

// prediction is a line of a prediction file or of a pipe: the line of lede batch,
// or what other tools write in its place.
type prediction struct {
	ID      string   `json:"id"`
	Title   string   `json:"title"`
	Text    string   `json:"text"`
	Authors nameList `json:"authors"`
	Date    string   `json:"date"`
	Type    string   `json:"type"`
	// Blocks, or Body with the blocks of lede batch --body blocks, are nil for
	// extractors that return only text.
	Blocks     []measure.Block `json:"blocks,omitzero"`
	Body       json.RawMessage `json:"body,omitempty"`
	Lead       address         `json:"lead,omitempty"`
	Standfirst string          `json:"standfirst,omitempty"`
	Error      string          `json:"error,omitempty"`
	ParseMS    float64         `json:"parse_ms,omitempty"`
	TimeMS     float64         `json:"time_ms,omitempty"`
}

func (p *prediction) output() (*measure.Output, error) {
	out := &measure.Output{
		Title: p.Title, Text: p.Text, Authors: p.Authors, Date: p.Date, Type: p.Type, Error: p.Error,
		Parse: milliseconds(p.ParseMS), Time: milliseconds(p.TimeMS),
	}
	if bytes.HasPrefix(p.Body, []byte("[")) { // otherwise Markdown or HTML
		var body []article.Block
		if err := json.Unmarshal(p.Body, &body); err != nil {
			return nil, err
		}
		p.Blocks = flatten([]measure.Block{}, body, false)
	}
	if p.Blocks != nil {
		out.Structure = &measure.Structure{Blocks: p.Blocks, Lead: string(p.Lead), Standfirst: p.Standfirst}
	}
	return out, nil
}

func milliseconds(ms float64) time.Duration {
	return time.Duration(max(0, min(ms, 1e9)) * float64(time.Millisecond))
}

// nameList is a list of names or of objects with a name in JSON, or a single name.
type nameList []string

func (n *nameList) UnmarshalJSON(data []byte) error {
	var objects []struct{ Name string }
	if json.Unmarshal(data, &objects) == nil {
		for _, o := range objects {
			*n = append(*n, o.Name)
		}
		return nil
	}
	var names corpus.Texts
	if json.Unmarshal(data, &names) != nil {
		return errors.New("want names as authors")
	}
	*n = nameList(names)
	return nil
}

// address is the URL of a picture in JSON, or an object with url.
type address string

func (a *address) UnmarshalJSON(data []byte) error {
	var object struct{ URL string }
	if json.Unmarshal(data, &object) == nil {
		*a = address(object.URL)
		return nil
	}
	return json.Unmarshal(data, (*string)(a))
}

// Predictions is a System whose outputs are read from files, such as the output
// of lede batch: one JSON object a line, with at least id and text.
type Predictions struct {
	name    string
	outputs map[string]*measure.Output // by page ID
	corpora map[string][]string        // by page ID, to detect unknown and ambiguous IDs
}

// NewPredictions returns a Predictions for pages of the given corpora, still
// without outputs.
func NewPredictions(name string, corpora []*corpus.Corpus) *Predictions {
	p := &Predictions{name: name, outputs: map[string]*measure.Output{}, corpora: map[string][]string{}}
	for _, c := range corpora {
		for i := range c.Gold {
			id := c.Gold[i].ID
			p.corpora[id] = append(p.corpora[id], c.Name)
		}
	}
	return p
}

// Name returns the name of the system.
func (p *Predictions) Name() string { return p.name }

// Extract returns the prediction for the page. A missing one is an error.
func (p *Predictions) Extract(_ context.Context, in *Input) *measure.Output {
	if out := p.outputs[in.ID]; out != nil {
		return out
	}
	return &measure.Output{Error: "no prediction"}
}

// Read adds the predictions of a file. It calls problem for every invalid line.
func (p *Predictions) Read(file string, problem func(error)) error {
	f, err := os.Open(file)
	if err != nil {
		return err
	}
	defer f.Close()
	return corpus.EachLine(f, func(n int, row []byte) {
		if err := p.add(row); err != nil {
			problem(corpus.Problem{File: file, Line: n, Err: err})
		}
	})
}

func (p *Predictions) add(row []byte) error {
	var line prediction
	if err := json.Unmarshal(row, &line); err != nil {
		return fmt.Errorf("invalid JSON: %w", err)
	}
	in := p.corpora[line.ID]
	switch {
	case line.ID == "":
		return errors.New("prediction without id")
	case len(in) == 0:
		return fmt.Errorf("prediction for an unknown page %q", line.ID)
	case len(in) > 1:
		return fmt.Errorf("page %q is in %s; evaluate the corpora separately", line.ID, strings.Join(in, " and "))
	case p.outputs[line.ID] != nil:
		return fmt.Errorf("second prediction for page %q; the first is kept", line.ID)
	}
	out, err := line.output()
	if err == nil {
		p.outputs[line.ID] = out
	}
	return err
}
