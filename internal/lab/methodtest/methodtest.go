// Package methodtest has helpers for the tests of methods.
package methodtest

import (
	"context"
	"errors"
	"regexp"
	"slices"
	"sync"
	"testing"

	"github.com/lede-news/lede/dom"
	"github.com/lede-news/lede/method"
)

// Parse parses a page in UTF-8.
func Parse(tb testing.TB, page string) *dom.Document {
	tb.Helper()
	d, err := dom.Parse(context.Background(), []byte(page), dom.Options{Charset: "utf-8"})
	if err != nil {
		tb.Fatal(err)
	}
	return d
}

// Check checks what must hold for every selection: Keep and Drop are in page
// order and do not overlap, dropped nodes are inside kept ones, and the reasons
// agree with both and are in plain words.
func Check(tb testing.TB, d *dom.Document, s *method.Selection) {
	tb.Helper()
	for _, nodes := range [][]dom.Node{s.Keep, s.Drop} {
		last := dom.Node(0)
		for _, n := range nodes {
			if n < last || int(n) >= d.Len() {
				tb.Fatalf("node %d of %v is out of range or inside the one before", n, nodes)
			}
			last = d.End(n)
		}
	}
	for _, n := range s.Drop {
		if !slices.ContainsFunc(s.Keep, func(k dom.Node) bool { return d.Contains(k, n) }) {
			tb.Errorf("node %d is dropped, but not inside a kept node", n)
		}
	}
	if s.Title != dom.None && (s.Title < 0 || int(s.Title) >= d.Len()) {
		tb.Errorf("title %d is out of range", s.Title)
	}
	if !(s.Confidence >= 0 && s.Confidence <= 1) {
		tb.Errorf("confidence %v", s.Confidence)
	}
	kept := make([]bool, d.Len())
	r := 0
	for n := range kept {
		if p := d.Parent(dom.Node(n)); p != dom.None {
			kept[n] = kept[p]
		}
		if r < len(s.Reasons) && s.Reasons[r].Node == dom.Node(n) {
			kept[n] = s.Reasons[r].Kept
			r++
		}
	}
	if r != len(s.Reasons) {
		tb.Fatalf("reason %d is out of order, or the second for its node", r)
	}
	for _, r := range s.Reasons {
		CheckWords(tb, r.Why)
	}
	for n, k := range s.Mask(d) {
		if d.IsText(dom.Node(n)) && !d.Hidden(dom.Node(n)) && k != kept[n] {
			tb.Errorf("%q: kept is %v, but the reasons say %v", d.Text(dom.Node(n)), k, kept[n])
		}
	}
}

// TestContext checks that a method returns the cause of a canceled context.
func TestContext(t *testing.T, m method.Method, p *method.Page) {
	t.Helper()
	cause := errors.New("canceled by the test")
	ctx, cancel := context.WithCancelCause(context.Background())
	cancel(cause)
	if _, err := m.Select(ctx, p); !errors.Is(err, cause) {
		t.Errorf("error %v, want the cause of the context", err)
	}
}

// TestConcurrent checks that concurrent calls of a method have the same result.
func TestConcurrent(t *testing.T, m method.Method, p *method.Page) {
	t.Helper()
	want, err := m.Select(context.Background(), p)
	if err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for range 50 {
				got, err := m.Select(context.Background(), p)
				if err != nil || got.Text(p.Doc) != want.Text(p.Doc) {
					t.Errorf("another selection: %v, error %v", got, err)
				}
			}
		})
	}
	wg.Wait()
}

var (
	quotation = regexp.MustCompile(`“[^”]*”`)
	// jargon are words for those who know how pages are built or how methods work,
	// names in camel case, tags, and effects with a sign.
	jargon = regexp.MustCompile(`(?i:\b(threshold|features?|nodes?|dom|elements?|subtrees?|ancestors?|siblings?|posterior|density|` +
		`odds|probability|markup|boilerplate|tags?|child|children|separator)\b)|[a-z][A-Z]|</?[a-z]|[-+][0-9]`)
	methodName = regexp.MustCompile(`\b(CoreEx|StaDyNoT)\b`)
)

// CheckWords checks that a reason is in words that readers of news understand. What
// it quotes from the page is not checked.
func CheckWords(tb testing.TB, why string) {
	tb.Helper()
	plain := methodName.ReplaceAllString(quotation.ReplaceAllString(why, ""), "")
	if word := jargon.FindString(plain); word != "" || why == "" {
		tb.Errorf("%q is no reason in plain words: %q", why, word)
	}
}
