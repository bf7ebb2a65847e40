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

// TestWrite checks that each format is what it says, and that explanations are.
func TestWrite(t *testing.T) {
	x := explanation(t, page, lede.WithCleaned(true))
	for name, begins := range map[string]string{"text": "Lighthouse sold", "md": "# Lighthouse sold", "html": "<!doctype html>", "json": "{", Styled: "<!doctype html>", Cleaned: "<!doctype html>"} {
		var b bytes.Buffer
		if err := Write(t.Context(), &b, x, Options{Format: name}); err != nil || !strings.HasPrefix(strings.ToLower(b.String()), strings.ToLower(begins)) || !strings.Contains(b.String(), "for one crown") {
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
}

// TestWriteEnds checks that no format is written after the end of its context.
func TestWriteEnds(t *testing.T) {
	x := explanation(t, page)
	late := errors.New("too late")
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(late)
	for _, name := range Formats() {
		var b bytes.Buffer
		if err := Write(ctx, &b, x, Options{Format: name}); !errors.Is(err, late) || b.Len() > 0 {
			t.Errorf("%s: %v: %s", name, err, &b)
		}
	}
	if err := Article(ctx, &bytes.Buffer{}, x.Article, "md", format.Options{}); !errors.Is(err, late) {
		t.Error(err)
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
		{fmt.Errorf("%w: %w", polite.ErrNoRobots, &fetch.StatusError{Code: 503}), "status"}, {&polite.WaitError{}, "wait"}, {lede.ErrScripts, "scripts"},
		{&fetch.Error{Kind: fetch.ErrEncoding}, "fetch"}, {errors.New("other"), ""}, {nil, ""},
	} {
		if got := Kind(v.err); got != v.want {
			t.Errorf("%v: %q, want %q", v.err, got, v.want)
		}
	}
}

// TestLines checks JSON lines.
func TestLines(t *testing.T) {
	var b bytes.Buffer
	if err := Lines(&b, "<a>", "b"); err != nil || b.String() != "\"<a>\"\n\"b\"\n" {
		t.Errorf("%v: %s", err, &b)
	}
}
