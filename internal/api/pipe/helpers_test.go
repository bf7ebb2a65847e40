package pipe

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"testing"
	"time"

	"github.com/lede-news/lede"
	"github.com/lede-news/lede/fetch"
)

const page = `<title>The ferry is back</title><article><h1>The ferry is back</h1>
	<p>The first ferry in two years left at six on Tuesday morning, with all ninety seats taken and a dog asleep in the wheelhouse.</p>
	<p>The old pier was closed when divers found that eleven of its forty piles had been <a href="/worm">eaten through</a> by shipworm.</p></article>`

// testOptions are options without limits of time. Pages are not fetched.
func testOptions(tb testing.TB) Options {
	tb.Helper()
	ex, err := lede.New(lede.WithLimits(lede.Limits{Time: time.Hour}))
	if err != nil {
		tb.Fatal(err)
	}
	return Options{
		Extractor: ex, Workers: 2, MaxBytes: 1 << 20, PageTime: time.Hour, Log: slog.New(slog.DiscardHandler),
		Fetch: func(_ context.Context, url string) (*fetch.Response, error) {
			return nil, &fetch.Error{URL: url, Kind: fetch.ErrDNS}
		},
	}
}

// encode returns a frame. The head is text, or becomes JSON.
func encode(head any, body string) []byte {
	text, ok := head.(string)
	if !ok {
		b, _ := json.Marshal(head)
		text = string(b)
	}
	b := binary.BigEndian.AppendUint32(nil, uint32(len(text)))
	b = binary.BigEndian.AppendUint32(b, uint32(len(body)))
	return append(append(b, text...), body...)
}

// received is a frame of lede.
type received struct {
	answer
	head, body string
}

// decode reads a frame of lede.
func decode(r io.Reader) (f received, err error) {
	head, body, err := readSizes(r)
	if err != nil {
		return f, err
	}
	text, err := readFull(r, head)
	if err != nil {
		return f, err
	}
	f.head = string(text)
	if text, err = readFull(r, body); err != nil {
		return f, err
	}
	f.body = string(text)
	if f.head == "" || json.Unmarshal([]byte(f.head), &f.answer) != nil {
		return f, fmt.Errorf("the head of an answer is %q", f.head)
	}
	return f, nil
}

// serveAll serves a whole input and returns the answers without the hello.
func serveAll(tb testing.TB, opts Options, in []byte) (answers []received, err error) {
	tb.Helper()
	var out bytes.Buffer
	err = Serve(tb.Context(), bytes.NewReader(in), &out, opts)
	for first := true; ; first = false {
		f, bad := decode(&out)
		if bad == io.EOF && !first {
			return answers, err
		}
		if bad != nil {
			tb.Fatalf("after %d answers: %v", len(answers), bad)
		}
		if !first {
			answers = append(answers, f)
		}
	}
}

// byID returns answers by their number.
func byID(tb testing.TB, answers []received) map[int64]received {
	tb.Helper()
	all := map[int64]received{}
	for _, a := range answers {
		if _, ok := all[a.ID]; ok {
			tb.Errorf("two answers to request %d", a.ID)
		}
		all[a.ID] = a
	}
	return all
}
