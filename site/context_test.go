package site_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/lede-news/lede/site"
)

// TestContext ends the work on a page with its context: nothing is known of it, and
// nothing is learned from it. Afterwards the fingerprint can be used with another one.
func TestContext(t *testing.T) {
	t.Parallel()
	cause := errors.New("no time left")
	p := learned(t, daily, 10)
	learns := func(o *site.Observation) bool { return site.New("").Add(o) != site.Ignored }
	st := storyOf(20)
	st.Paragraphs = strings.Split(strings.Repeat(st.Paragraphs[0]+"\n", 5000), "\n")
	d, sel, a := extract(t, page(t, daily, st), "")
	ctx, cancel := context.WithCancelCause(t.Context())
	f, err := site.NewFingerprintContext(ctx, d)
	if err != nil || p.Match(f) == nil || !learns(f.Observe("", sel, a)) {
		t.Fatal("nothing is known of the page", err)
	}
	cancel(cause)
	if p.Match(f) != nil {
		t.Error("Match does not end with the context")
	}
	if learns(f.Observe("", sel, a)) {
		t.Error("Observe does not end with the context")
	}
	if _, err := site.NewFingerprintContext(ctx, d); !errors.Is(err, cause) {
		t.Errorf("the error is %v", err)
	}
	if f = f.WithContext(t.Context()); p.Match(f) == nil || !learns(f.Observe("", sel, a)) {
		t.Error("it does not work with another context")
	}
}
