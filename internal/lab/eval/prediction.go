package eval

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/lede-news/lede/article"
	"github.com/lede-news/lede/internal/lab/eval/corpus"
	"github.com/lede-news/lede/internal/lab/eval/measure"
)

// prediction is a line of a prediction file or of a pipe: the line of lede batch,
// or what other tools write in its place.
type prediction struct {
	ID      string       `json:"id"`
	Title   string       `json:"title"`
	Text    string       `json:"text"`
	Authors corpus.Texts `json:"authors"`
	Date    string       `json:"date"`
	Type    string       `json:"type"`
	// Confidence is nil if the line has none.
	Confidence *float64 `json:"confidence"`
	// Body, Lead and Standfirst are those of lede batch. Only a body of blocks is
	// measured.
	Body       json.RawMessage `json:"body"`
	Lead       *article.Image  `json:"lead"`
	Standfirst string          `json:"standfirst"`
	Error      string          `json:"error"`
	ParseMS    float64         `json:"parse_ms"`
	TimeMS     float64         `json:"time_ms"`
}

func (p *prediction) output() (*measure.Output, error) {
	out := &measure.Output{
		Title: p.Title, Text: p.Text, Authors: p.Authors, Date: p.Date, Type: p.Type, Confidence: p.Confidence, Error: p.Error,
		Parse: milliseconds(p.ParseMS), Time: milliseconds(p.TimeMS),
	}
	if bytes.HasPrefix(p.Body, []byte("[")) { // otherwise Markdown or HTML
		a := &article.Article{Lead: p.Lead, Standfirst: p.Standfirst}
		if err := json.Unmarshal(p.Body, &a.Body); err != nil {
			return nil, err
		}
		out.Structure = newStructure(a)
	}
	return out, nil
}

func milliseconds(ms float64) time.Duration {
	return time.Duration(max(0, min(ms, 1e9)) * float64(time.Millisecond))
}

// Predictions is a System whose outputs are read from a file, such as the output
// of lede batch: one JSON object a line, with at least id and text.
type Predictions struct {
	name    string
	outputs map[string]*measure.Output // by page ID
}

// ReadPredictions reads predictions for pages of the given corpora. It also returns
// the lines that are left out.
func ReadPredictions(name, file string, corpora []*corpus.Corpus) (p *Predictions, problems []error, err error) {
	p = &Predictions{name, map[string]*measure.Output{}}
	pages := map[string]int{} // by ID
	for _, c := range corpora {
		for i := range c.Gold {
			pages[c.Gold[i].ID]++
		}
	}
	problems, err = corpus.ReadLines(file, func(_ string, row []byte) error {
		var line prediction
		if err := json.Unmarshal(row, &line); err != nil {
			return fmt.Errorf("invalid JSON: %w", err)
		}
		switch {
		case line.ID == "":
			return errors.New("prediction without id")
		case pages[line.ID] == 0:
			return fmt.Errorf("prediction for an unknown page %q", line.ID)
		case pages[line.ID] > 1:
			return fmt.Errorf("page %q is in several corpora; evaluate them separately", line.ID)
		case p.outputs[line.ID] != nil:
			return fmt.Errorf("second prediction for page %q; the first is kept", line.ID)
		}
		out, err := line.output()
		if err == nil {
			p.outputs[line.ID] = out
		}
		return err
	})
	return p, problems, err
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
