package site_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/lede-news/lede/dom"
	"github.com/lede-news/lede/internal/lab/testkit"
	"github.com/lede-news/lede/method"
	"github.com/lede-news/lede/site"
)

func TestMergeIsCommutative(t *testing.T) {
	one := func() *site.Profile { p := learned(t, daily, 12); learn(t, p, video, 20, 24); return p }
	two := func() *site.Profile {
		p := site.New("marrow.example")
		learn(t, p, daily, 30, 35)
		learn(t, p, redesign, 40, 43)
		return p
	}
	a, b := one(), two()
	before := binaryOf(t, b)
	a.Merge(b)
	if !bytes.Equal(binaryOf(t, b), before) {
		t.Error("merging changed the other profile")
	}
	b.Merge(one())
	if x, y := binaryOf(t, a), binaryOf(t, b); !bytes.Equal(x, y) {
		t.Errorf("the order of merging matters: %d and %d bytes", len(x), len(y))
	}
	if a.Pages() != 24 {
		t.Errorf("%d pages, want 24", a.Pages())
	}
	if !strings.Contains(matched(t, a), "Town and county") {
		t.Error("the merged profile finds nothing")
	}
	a.Merge(nil)
	a.Merge(site.New(""))
	if !bytes.Equal(binaryOf(t, a), binaryOf(t, b)) {
		t.Error("merging an empty profile changed something")
	}
}

func TestMergeOfSmallProfiles(t *testing.T) {
	a, b := site.New("marrow.example"), site.New("marrow.example")
	learn(t, a, daily, 0, 2)
	learn(t, b, daily, 2, 4)
	a.Merge(b)
	if !strings.Contains(matched(t, a), "Town and county") {
		t.Error("two profiles of two pages do not add up")
	}
}

// maxBytes is the bound that the package documentation promises.
const maxBytes = 256 << 10

// A site whose pages have nothing in common must not make its profile grow.
func TestBounds(t *testing.T) {
	pages := 500
	if testkit.Step(2, 2) == 1 {
		pages = 10_000
	}
	r := rand.New(rand.NewPCG(1, 2))
	word := func() string { return fmt.Sprintf("w%x", r.Uint64()) }
	tags := []string{"div", "ul", "section", "blockquote"}
	// Some hostile pages, added again and again: more rows and places than are
	// kept, of four templates, with as many static rows as possible.
	var made []*site.Observation
	for i := range 100 {
		var h strings.Builder
		fmt.Fprintf(&h, "<title>%s | %s</title><body class=%s>", word(), strings.Repeat("t", 190), word())
		tag := tags[i%4]
		for k := range 30 { // tag paths of its own
			fmt.Fprintf(&h, "%s<i>%d x</i>%s", strings.Repeat("<"+tag+">", k), k, strings.Repeat("</"+tag+">", k))
		}
		for k := range 600 {
			fmt.Fprintf(&h, "<%s class='%s x%s'>%s %s, %s</%s>", tag, strings.Repeat("a", r.IntN(50)), letters(r), word(), word(), word(), tag)
			fmt.Fprintf(&h, "<%s class='k%s'>static %d %s</%s>", tag, letters(r), k, strings.Repeat("é", 40), tag)
			fmt.Fprintf(&h, "<%s class='k%s'>and %d %s</%s>", tag, letters(r), k, strings.Repeat("<", 40), tag)
		}
		d := parse(t, []byte(h.String()))
		made = append(made, confident(d, &method.Selection{Title: dom.None, Keep: []dom.Node{dom.Node(r.IntN(d.Len() / 2))}}))
	}
	p, q := site.New("hostile.example"), site.New("hostile.example")
	for i := range pages {
		p.Add(made[i%len(made)]) // more than are recognized as seen
		if i%10 == 0 {
			q.Add(made[r.IntN(len(made))])
		}
		if i == 200 {
			p.Merge(q)
		}
	}
	b := binaryOf(t, p)
	j, err := json.Marshal(p)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("after %d pages: %d bytes, %d as JSON", p.Pages(), len(b), len(j))
	if len(b) > maxBytes || len(j) > maxBytes {
		t.Errorf("the profile takes %d bytes, %d as JSON; at most %d", len(b), len(j), maxBytes)
	}
	if err := new(site.Profile).UnmarshalBinary(b); err != nil {
		t.Error(err)
	}
}

func letters(r *rand.Rand) string {
	b := make([]byte, 12)
	for i := range b {
		b[i] = byte('a' + r.IntN(26))
	}
	return string(b)
}

// TestSizes logs the sizes of profiles.
func TestSizes(t *testing.T) {
	p := site.New("marrow.example")
	for i, at := range []int{1, 3, 10, 100, 300} {
		if i > 2 && testkit.Step(2, 2) > 1 {
			break
		}
		learn(t, p, daily, p.Pages(), at)
		j, _ := json.Marshal(p)
		n := len(binaryOf(t, p))
		t.Logf("%d pages: %d bytes, %d as JSON", p.Pages(), n, len(j))
		if at <= 3 && n > 60<<10 {
			t.Errorf("a profile of %d pages has %d bytes", at, n)
		}
	}
}

// A profile that is merged into an empty one is not changed.
func TestMergeIntoEmpty(t *testing.T) {
	p := learned(t, daily, 30)
	learn(t, p, video, 40, 43)
	learn(t, p, daily, 50, 51)
	want := binaryOf(t, p)
	q := site.New(p.Name())
	q.Merge(p)
	if !bytes.Equal(binaryOf(t, q), want) {
		t.Error("the profile was changed")
	}
	learn(t, q, daily, 60, 70)
	if !bytes.Equal(binaryOf(t, p), want) {
		t.Error("both share memory")
	}
}
