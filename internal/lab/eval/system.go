package eval

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/lede-news/lede/article"
	"github.com/lede-news/lede/dom"
	"github.com/lede-news/lede/internal/lab/eval/corpus"
	"github.com/lede-news/lede/internal/lab/eval/measure"
)

// Input is the page that a System extracts.
type Input struct {
	Corpus, ID string
	URL        string
	Charset    string // of HTML; empty if unknown
	HTML       []byte

	// Doc is the parsed page, shared by all of lede's methods. It is nil if the
	// page cannot be parsed; DocErr is the reason.
	Doc     *dom.Document
	DocErr  error
	DocTime time.Duration // time to parse Doc
}

// System is an extractor to be measured.
type System interface {
	Name() string
	// Extract never returns nil; Output.Error reports a failure. Extract must be
	// safe for concurrent use.
	Extract(ctx context.Context, in *Input) *measure.Output
}

// Method returns a System for one of lede's methods. All of them use the same
// parsed document, and the time to parse it counts for each. The function extract
// returns the article, and the headline that the method itself found.
func Method(name string, extract func(ctx context.Context, in *Input) (a *article.Article, ownTitle string, err error)) System {
	return ledeMethod{name, extract}
}

type ledeMethod struct {
	name    string
	extract func(ctx context.Context, in *Input) (*article.Article, string, error)
}

func (m ledeMethod) Name() string { return m.name }

func (m ledeMethod) Extract(ctx context.Context, in *Input) *measure.Output {
	if in.DocErr != nil {
		return &measure.Output{Error: in.DocErr.Error(), OwnTitle: new(string), Structure: new(measure.Structure)}
	}
	start := time.Now()
	a, own, err := m.extract(ctx, in)
	out := &measure.Output{OwnTitle: &own, Structure: new(measure.Structure), Parse: in.DocTime, Time: in.DocTime + time.Since(start)}
	if err != nil {
		out.Error = err.Error()
		return out
	}
	out.Title, out.Text, out.Date, out.Type = a.Title, a.Text(), a.Published.String(), string(a.Type)
	for _, author := range a.Authors {
		out.Authors = append(out.Authors, author.Name)
	}
	out.Structure = newStructure(a)
	return out
}

// extract calls a system. A panic is an error on this page only.
func extract(ctx context.Context, s System, in *Input) (out *measure.Output) {
	defer func() {
		if p := recover(); p != nil {
			out = &measure.Output{Error: fmt.Sprintf("panic: %.200v", p)}
		}
	}()
	if out = s.Extract(ctx, in); out == nil {
		out = &measure.Output{Error: "no output"}
	}
	return out
}

// prediction is a line of a prediction file or of a pipe: the batch line of
// lede, or what other tools write in its place.
type prediction struct {
	ID      string   `json:"id"`
	Title   string   `json:"title"`
	Own     *string  `json:"own_title,omitempty"`
	Text    string   `json:"text"`
	Authors nameList `json:"authors"`
	Author  nameList `json:"author"`
	Byline  nameList `json:"byline"`
	Date    string   `json:"date"`
	Type    string   `json:"type"`
	// Blocks is nil for extractors that return only text.
	Blocks     []measure.Block `json:"blocks,omitzero"`
	Lead       string          `json:"lead,omitempty"`
	Standfirst string          `json:"standfirst,omitempty"`
	Error      string          `json:"error,omitempty"`
	ParseMS    float64         `json:"parse_ms,omitempty"`
	TimeMS     float64         `json:"time_ms,omitempty"`
}

func (p *prediction) output() *measure.Output {
	out := &measure.Output{
		Title: p.Title, OwnTitle: p.Own, Text: p.Text, Authors: p.Authors, Date: p.Date, Type: p.Type, Error: p.Error,
		Parse: milliseconds(p.ParseMS), Time: milliseconds(p.TimeMS),
	}
	if p.Blocks != nil {
		out.Structure = &measure.Structure{Blocks: p.Blocks, Lead: p.Lead, Standfirst: p.Standfirst}
	}
	for _, other := range []nameList{p.Author, p.Byline} {
		if len(out.Authors) == 0 {
			out.Authors = other
		}
	}
	return out
}

func newPrediction(id string, out *measure.Output) prediction {
	p := prediction{
		ID: id, Title: out.Title, Own: out.OwnTitle, Text: out.Text, Authors: out.Authors, Date: out.Date, Type: out.Type, Error: out.Error,
		ParseMS: out.Parse.Seconds() * 1000, TimeMS: out.Time.Seconds() * 1000,
	}
	if s := out.Structure; s != nil {
		p.Blocks, p.Lead, p.Standfirst = append([]measure.Block{}, s.Blocks...), s.Lead, s.Standfirst
	}
	return p
}

func milliseconds(ms float64) time.Duration {
	return time.Duration(max(0, min(ms, 1e9)) * float64(time.Millisecond))
}

// nameList is a list of strings in JSON, or a single string.
type nameList []string

func (n *nameList) UnmarshalJSON(data []byte) error {
	var list []string
	if json.Unmarshal(data, &list) == nil {
		*n = list
		return nil
	}
	var one string
	if json.Unmarshal(data, &one) == nil {
		if one != "" {
			*n = nameList{one}
		}
		return nil
	}
	return errors.New("want a string or a list of strings as authors")
}

// Predictions is a System whose outputs are read from files, such as the output
// of lede batch: one JSON object a line, with at least id and text.
type Predictions struct {
	name    string
	outputs map[pageKey]*measure.Output
	corpora map[string][]string // by page ID, to detect unknown and ambiguous IDs
}

// pageKey identifies a page.
type pageKey struct{ corpus, id string }

// NewPredictions returns a Predictions for pages of the given corpora, still
// without outputs.
func NewPredictions(name string, corpora []*corpus.Corpus) *Predictions {
	p := &Predictions{name: name, outputs: map[pageKey]*measure.Output{}, corpora: map[string][]string{}}
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
	if out := p.outputs[pageKey{in.Corpus, in.ID}]; out != nil {
		return out
	}
	return &measure.Output{Error: "no prediction"}
}

// Read adds the predictions of a file. It calls problem for every invalid line
// and stops if that returns an error.
func (p *Predictions) Read(file string, problem func(corpus.Problem) error) error {
	f, err := os.Open(file)
	if err != nil {
		return err
	}
	defer f.Close()
	return corpus.EachLine(f, func(n int, row []byte, err error) error {
		if err == nil {
			err = p.add(row)
		}
		if err != nil {
			return problem(corpus.Problem{File: file, Line: n, Err: err})
		}
		return nil
	})
}

func (p *Predictions) add(row []byte) error {
	var line prediction
	if err := json.Unmarshal(row, &line); err != nil {
		return fmt.Errorf("invalid JSON: %w", err)
	}
	if line.ID == "" {
		return errors.New("prediction without id")
	}
	switch in := p.corpora[line.ID]; len(in) {
	case 0:
		return fmt.Errorf("prediction for an unknown page %q", line.ID)
	case 1:
		k := pageKey{in[0], line.ID}
		if p.outputs[k] != nil {
			return fmt.Errorf("second prediction for page %q; the first is kept", line.ID)
		}
		p.outputs[k] = line.output()
		return nil
	default:
		return fmt.Errorf("page %q is in %s; evaluate the corpora separately", line.ID, strings.Join(in, " and "))
	}
}

// Saver writes the outputs of systems as prediction files, one for each corpus
// and system. It is safe for concurrent use.
type Saver struct {
	mu      sync.Mutex
	dir     string
	systems []string
	files   map[string][]*savedFile // by corpus
}

type savedFile struct {
	*bufio.Writer
	file *os.File
}

// NewSaver returns a Saver that writes to files below dir, which it creates.
func NewSaver(dir string, systems []string) (*Saver, error) {
	return &Saver{dir: dir, systems: systems, files: map[string][]*savedFile{}}, os.MkdirAll(dir, 0o777)
}

// Add writes the outputs of a page.
func (s *Saver) Add(p *Page) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.files[p.Corpus] == nil {
		if err := s.open(p.Corpus); err != nil {
			return err
		}
	}
	for i, f := range s.files[p.Corpus] {
		row, err := json.Marshal(newPrediction(p.ID, p.Outputs[i]))
		if err != nil {
			return err
		}
		if _, err := f.Write(append(row, '\n')); err != nil {
			return fmt.Errorf("%s: %w", f.file.Name(), err)
		}
	}
	return nil
}

func (s *Saver) open(corpus string) error {
	dir := filepath.Join(s.dir, corpus)
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	for _, system := range s.systems {
		// Names such as coreex:r1 are not valid on every file system.
		f, err := os.Create(filepath.Join(dir, strings.NewReplacer(":", "-", "/", "-", `\`, "-").Replace(system)+".jsonl"))
		if err != nil {
			return err
		}
		s.files[corpus] = append(s.files[corpus], &savedFile{bufio.NewWriter(f), f})
	}
	return nil
}

// Close flushes and closes the files.
func (s *Saver) Close() error {
	var errs []error
	for _, files := range s.files {
		for _, f := range files {
			errs = append(errs, f.Flush(), f.file.Close())
		}
	}
	return errors.Join(errs...)
}
