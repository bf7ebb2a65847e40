package render

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/lede-news/lede"
	"github.com/lede-news/lede/fetch"
	"github.com/lede-news/lede/format"
	"github.com/lede-news/lede/internal/crawl/polite"
)

const ferryPage = `<title>The ferry is back</title><article><h1>The ferry is back</h1>
	<p>The first ferry in two years left at six on Tuesday morning, with all ninety seats taken and a dog asleep in the wheelhouse.</p>
	<p>The old pier was closed when divers found that eleven of its forty piles had been eaten through by shipworm.</p></article>`

func explainPage(t *testing.T) *lede.Explanation {
	t.Helper()
	ex, err := lede.New()
	if err != nil {
		t.Fatal(err)
	}
	x, err := ex.Explain(t.Context(), strings.NewReader(ferryPage))
	if err != nil {
		t.Fatal(err)
	}
	return x
}

// TestWrite checks that each format is what it says, and that explanations are.
func TestWrite(t *testing.T) {
	x := explainPage(t)
	for name, begins := range map[string]string{"text": "The ferry", "md": "# The ferry", "html": "<!doctype html>", "json": "{", Styled: "<!doctype html>", Cleaned: "<!doctype html>"} {
		var b bytes.Buffer
		if err := Write(t.Context(), &b, x, Options{Format: name}); err != nil || !strings.HasPrefix(strings.ToLower(b.String()), strings.ToLower(begins)) || !strings.Contains(b.String(), "ninety seats") {
			t.Errorf("%s: %v: %s", name, err, &b)
		}
	}
	if len(Formats()) != 6 {
		t.Errorf("formats %v", Formats())
	}
	for name, begins := range map[string]string{"text": "standard input\n", "json": `{"input":"-",`} {
		var b bytes.Buffer
		if err := Write(t.Context(), &b, x, Options{Format: name, Explain: true, Input: "-"}); err != nil || !strings.HasPrefix(b.String(), begins) {
			t.Errorf("explanation as %s: %v: %s", name, err, &b)
		}
	}
	if err := Write(t.Context(), &bytes.Buffer{}, x, Options{Format: "pdf"}); !errors.Is(err, format.ErrUnknownFormat) {
		t.Error(err)
	}
	if err := UnknownFormat("pdf"); !errors.Is(err, format.ErrUnknownFormat) || !strings.Contains(err.Error(), "styled, cleaned") {
		t.Error(err)
	}
}

// TestWriteEnds checks that no format is written after the end of its context.
func TestWriteEnds(t *testing.T) {
	x := explainPage(t)
	late := errors.New("too late")
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(late)
	for _, name := range Formats() {
		var b bytes.Buffer
		if err := Write(ctx, &b, x, Options{Format: name}); !errors.Is(err, late) || b.Len() > 0 {
			t.Errorf("%s: %v: %s", name, err, &b)
		}
	}
}

// TestKind checks errors that could be of several kinds.
func TestKind(t *testing.T) {
	dns := &fetch.Error{Kind: fetch.ErrDNS}
	for _, v := range []struct {
		err  error
		want string
	}{
		{fmt.Errorf("%w: %w", polite.ErrNoRobots, dns), "fetch"}, {fmt.Errorf("%w: %w", polite.ErrNoRobots, &fetch.Error{Kind: fetch.ErrProtocol}), "robots"},
		{fmt.Errorf("%w: %w", polite.ErrNoRobots, &fetch.StatusError{Code: 503}), "status"}, {&polite.WaitError{}, "wait"}, {lede.ErrScripts, "no-content"},
		{&fetch.Error{Kind: fetch.ErrEncoding}, "fetch"}, {errors.New("other"), ""}, {nil, ""},
	} {
		if got := Kind(v.err); got != v.want {
			t.Errorf("%v: %q, want %q", v.err, got, v.want)
		}
	}
}

// TestArticleAndLines checks an article that has no page, and JSON lines.
func TestArticleAndLines(t *testing.T) {
	x := explainPage(t)
	for _, name := range format.Names() {
		var whole, alone bytes.Buffer
		if err := errors.Join(Write(t.Context(), &whole, x, Options{Format: name}), Article(t.Context(), &alone, x.Article, name, format.Options{})); err != nil || whole.String() != alone.String() {
			t.Errorf("%s: %v: %s, and with its page %s", name, err, &alone, &whole)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := Article(ctx, &bytes.Buffer{}, x.Article, "md", format.Options{}); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	var b bytes.Buffer
	if err := Lines(&b, "<a>", "b"); err != nil || b.String() != "\"<a>\"\n\"b\"\n" {
		t.Errorf("%v: %s", err, &b)
	}
	if err := Lines(&b, func() {}); err == nil {
		t.Error("a function is written as JSON")
	}
}
