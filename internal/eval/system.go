package eval

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/lede-news/lede/article"
	"github.com/lede-news/lede/dom"
	"github.com/lede-news/lede/internal/eval/corpus"
	"github.com/lede-news/lede/internal/eval/measure"
)

// Input is a page as extractors get it.
type Input struct {
	Corpus, ID string
	URL        string
	Charset    string // of HTML; empty when nobody knows
	HTML       []byte

	// Doc is the page as lede reads it, parsed once for all of lede's methods,
	// and how long that took; nil when it cannot be parsed, for DocErr.
	Doc     *dom.Document
	DocErr  error
	DocTime time.Duration
}

// System is an extractor under test.
type System interface {
	Name() string
	// Extract never gives nil; a failure is the Error of the output. It must be
	// safe for concurrent use.
	Extract(ctx context.Context, in *Input) *measure.Output
}

// Method is a method of lede as a system. It works on the document that all of
// them share, and the time for parsing that counts for each.
func Method(name string, extract func(ctx context.Context, in *Input) (*article.Article, error)) System {
	return ledeMethod{name, extract}
}

type ledeMethod struct {
	name    string
	extract func(ctx context.Context, in *Input) (*article.Article, error)
}

func (m ledeMethod) Name() string { return m.name }

func (m ledeMethod) Extract(ctx context.Context, in *Input) *measure.Output {
	if in.DocErr != nil {
		return &measure.Output{Error: in.DocErr.Error()}
	}
	start := time.Now()
	a, err := m.extract(ctx, in)
	out := &measure.Output{Parse: in.DocTime, Time: in.DocTime + time.Since(start)}
	if err != nil {
		out.Error = err.Error()
		return out
	}
	out.Title, out.Text, out.Date, out.Type = a.Title, a.Text(), a.Published.String(), string(a.Type)
	for _, author := range a.Authors {
		out.Authors = append(out.Authors, author.Name)
	}
	return out
}

// guard calls a system; one that crashes has failed on this page only.
func guard(ctx context.Context, s System, in *Input) (out *measure.Output) {
	defer func() {
		if p := recover(); p != nil {
			out = &measure.Output{Error: fmt.Sprintf("crashed: %.200v", p)}
		}
	}()
	if out = s.Extract(ctx, in); out == nil {
		out = &measure.Output{Error: "gave no answer"}
	}
	return out
}

// answer is a line of a file of predictions, and of a rival's pipe: the batch
// line of lede, and what other tools write in its place.
type answer struct {
	ID      string  `json:"id"`
	Title   string  `json:"title"`
	Text    string  `json:"text"`
	Authors names   `json:"authors"`
	Author  names   `json:"author"`
	Byline  names   `json:"byline"`
	Date    string  `json:"date"`
	Type    string  `json:"type"`
	Error   string  `json:"error,omitempty"`
	ParseMS float64 `json:"parse_ms,omitempty"`
	TimeMS  float64 `json:"time_ms,omitempty"`
}

func (a *answer) output() *measure.Output {
	out := &measure.Output{
		Title: a.Title, Text: a.Text, Authors: a.Authors, Date: a.Date, Type: a.Type, Error: a.Error,
		Parse: milliseconds(a.ParseMS), Time: milliseconds(a.TimeMS),
	}
	for _, other := range []names{a.Author, a.Byline} {
		if len(out.Authors) == 0 {
			out.Authors = other
		}
	}
	return out
}

// line is the output of a page as a prediction file holds it.
func line(id string, out *measure.Output) answer {
	return answer{
		ID: id, Title: out.Title, Text: out.Text, Authors: out.Authors, Date: out.Date, Type: out.Type, Error: out.Error,
		ParseMS: out.Parse.Seconds() * 1000, TimeMS: out.Time.Seconds() * 1000,
	}
}

func milliseconds(ms float64) time.Duration {
	return time.Duration(max(0, min(ms, 1e9)) * float64(time.Millisecond))
}

// names are people, as a list or as one string.
type names []string

func (n *names) UnmarshalJSON(data []byte) error {
	var list []string
	if json.Unmarshal(data, &list) == nil {
		*n = list
		return nil
	}
	var one string
	if json.Unmarshal(data, &one) == nil {
		if one != "" {
			*n = names{one}
		}
		return nil
	}
	return errors.New("authors are a string or a list of strings")
}

// Predictions are outputs read from a file, such as lede batch writes: a line
// of JSON a page, with id and text. They stand for the system that made them.
type Predictions struct {
	name string
	by   map[key]*measure.Output
	// where pages of an id are, to tell wrong ids and ambiguous ones
	corpora map[string][]string
}

type key struct{ corpus, id string }

// NewPredictions makes a system without any outputs yet, for pages of these corpora.
func NewPredictions(name string, corpora []*corpus.Corpus) *Predictions {
	p := &Predictions{name: name, by: map[key]*measure.Output{}, corpora: map[string][]string{}}
	for _, c := range corpora {
		for i := range c.Gold {
			id := c.Gold[i].ID
			p.corpora[id] = append(p.corpora[id], c.Name)
		}
	}
	return p
}

// Name is the name of the system.
func (p *Predictions) Name() string { return p.name }

// Extract gives what was read for the page. A page without a line is a failure.
func (p *Predictions) Extract(_ context.Context, in *Input) *measure.Output {
	if out := p.by[key{in.Corpus, in.ID}]; out != nil {
		return out
	}
	return &measure.Output{Error: "no prediction"}
}

// Read adds the lines of a file. What is wrong with a line is told with the
// line's number, and reading goes on unless tell gives an error.
func (p *Predictions) Read(file string, tell func(corpus.Problem) error) error {
	f, err := os.Open(file)
	if err != nil {
		return err
	}
	defer f.Close()
	b := bufio.NewReaderSize(f, 1<<16)
	for n := 1; ; n++ {
		row, err := b.ReadBytes('\n')
		if err != nil && err != io.EOF {
			return corpus.Problem{File: file, Line: n, Err: err}
		}
		if row = bytes.TrimSpace(row); len(row) > 0 {
			if wrong := p.add(row); wrong != nil {
				if err := tell(corpus.Problem{File: file, Line: n, Err: wrong}); err != nil {
					return err
				}
			}
		}
		if err == io.EOF {
			return nil
		}
	}
}

func (p *Predictions) add(row []byte) error {
	var a answer
	if err := json.Unmarshal(row, &a); err != nil {
		return fmt.Errorf("a broken line: %w", err)
	}
	if a.ID == "" {
		return errors.New("a prediction without id")
	}
	switch in := p.corpora[a.ID]; len(in) {
	case 0:
		return fmt.Errorf("a prediction for an unknown page %q", a.ID)
	case 1:
		k := key{in[0], a.ID}
		if p.by[k] != nil {
			return fmt.Errorf("a second prediction for page %q; the first is kept", a.ID)
		}
		p.by[k] = a.output()
		return nil
	default:
		return fmt.Errorf("page %q is in %s; evaluate them apart", a.ID, strings.Join(in, " and "))
	}
}

// Saver writes what systems gave as predictions: a folder a corpus, a file a
// system, a line a page. It is safe for concurrent use.
type Saver struct {
	lock    sync.Mutex
	dir     string
	systems []string
	files   map[string][]*saved // by corpus
}

type saved struct {
	*bufio.Writer
	file *os.File
}

// NewSaver makes the folder.
func NewSaver(dir string, systems []string) (*Saver, error) {
	return &Saver{dir: dir, systems: systems, files: map[string][]*saved{}}, os.MkdirAll(dir, 0o777)
}

// Add writes the outputs of a page.
func (s *Saver) Add(p *Page) error {
	s.lock.Lock()
	defer s.lock.Unlock()
	if s.files[p.Corpus] == nil {
		if err := s.open(p.Corpus); err != nil {
			return err
		}
	}
	for i, f := range s.files[p.Corpus] {
		row, err := json.Marshal(line(p.ID, p.Outputs[i]))
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
		// coreex:r1 has a sign in it that not every file system takes
		f, err := os.Create(filepath.Join(dir, strings.NewReplacer(":", "-", "/", "-", `\`, "-").Replace(system)+".jsonl"))
		if err != nil {
			return err
		}
		s.files[corpus] = append(s.files[corpus], &saved{bufio.NewWriter(f), f})
	}
	return nil
}

// Close writes out what is left.
func (s *Saver) Close() error {
	var errs []error
	for _, files := range s.files {
		for _, f := range files {
			errs = append(errs, f.Flush(), f.file.Close())
		}
	}
	return errors.Join(errs...)
}
