package pipe

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sync"

	"github.com/lede-news/lede"
	"github.com/lede-news/lede/article"
	"github.com/lede-news/lede/fetch"
	"github.com/lede-news/lede/format"
	"github.com/lede-news/lede/internal/output"
	"github.com/lede-news/lede/internal/version"
)

// Protocol is the version of the protocol.
const Protocol = 1

// Options are the options of Serve.
type Options struct {
	Workers  int           // pages at once
	MaxBytes int           // of a page
	Fetch    *fetch.Client // for pages that are requested by their address; nil: none are
}

// hello is the head of the first frame that is written.
type hello struct {
	Hello    string `json:"hello"`
	Protocol int    `json:"protocol"`
	Version  string `json:"version"`
	Workers  int    `json:"workers"`
	Window   int    `json:"window"` // requests that are read without an answer being taken
	MaxBytes int    `json:"max_bytes"`
}

// request is the head of a request.
type request struct {
	ID            int64    `json:"id"`
	Do            string   `json:"do"`
	URL           string   `json:"url"`
	Charset       string   `json:"charset"`
	HeaderCharset string   `json:"header_charset"`
	Method        string   `json:"method"`
	Format        string   `json:"format"`
	BodyOnly      bool     `json:"body_only"`
	With          []string `json:"with"`
}

// answer is the head of an answer.
type answer struct {
	ID    int64  `json:"id"`
	Error string `json:"error,omitempty"`
	Kind  string `json:"kind,omitempty"`
}

// Serve answers the requests of r until its end.
func Serve(ctx context.Context, ex *lede.Extractor, r io.Reader, w io.Writer, opts Options) error {
	s := &server{ex: ex, opts: opts, out: bufio.NewWriterSize(w, 256<<10)}
	window := 4 * opts.Workers
	head, _ := json.Marshal(hello{"lede pipe", Protocol, version.Get(), opts.Workers, window, opts.MaxBytes})
	if err := s.write(head, nil); err != nil {
		return err
	}
	in := bufio.NewReaderSize(r, 256<<10)
	room, workers := make(chan struct{}, window+1), make(chan struct{}, opts.Workers)
	var pages sync.WaitGroup
	defer pages.Wait()
	for {
		room <- struct{}{}
		f, err := readFrame(in, int64(opts.MaxBytes))
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		pages.Go(func() {
			defer func() { <-room }()
			workers <- struct{}{}
			head, body := s.answer(ctx, f)
			<-workers
			_ = s.write(head, body)
		})
	}
}

// server answers requests.
type server struct {
	ex   *lede.Extractor
	opts Options

	lock sync.Mutex
	out  *bufio.Writer
}

// write writes a frame.
func (s *server) write(head, body []byte) error {
	s.lock.Lock()
	defer s.lock.Unlock()
	_, err := s.out.Write(appendSizes(nil, len(head), len(body)))
	_, err2 := s.out.Write(head)
	_, err3 := s.out.Write(body)
	return errors.Join(err, err2, err3, s.out.Flush())
}

// answer returns the answer to a request.
func (s *server) answer(ctx context.Context, f frame) (head, body []byte) {
	var q request
	var out bytes.Buffer
	err := json.Unmarshal(f.head, &q)
	if err == nil {
		err = s.do(ctx, q, f, &out)
	}
	a := answer{ID: q.ID}
	if err != nil {
		a.Error, a.Kind = err.Error(), output.Kind(err)
		out.Reset()
	}
	head, _ = json.Marshal(a)
	return head, out.Bytes()
}

func (s *server) do(ctx context.Context, q request, f frame, out *bytes.Buffer) error {
	switch q.Do {
	case "extract":
		opts := []lede.Option{lede.WithURL(q.URL), lede.WithHeaderCharset(q.HeaderCharset), lede.WithCharset(q.Charset)}
		if q.Method != "" {
			opts = append(opts, lede.WithMethod(q.Method))
		}
		a, err := s.ex.Extract(ctx, bytes.NewReader(f.body), opts...)
		if err != nil {
			return err
		}
		return format.JSON(out, a, format.Options{})
	case "format":
		var a article.Article
		if err := json.Unmarshal(f.body, &a); err != nil {
			return err
		}
		return format.Write(out, &a, q.Format, format.Options{Indent: true, BodyOnly: q.BodyOnly})
	}
	return fmt.Errorf("unknown request %q", q.Do)
}
