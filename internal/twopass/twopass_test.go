package twopass

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"

	"github.com/lede-news/lede/dom"
	"github.com/lede-news/lede/internal/lab/testkit"
	"github.com/lede-news/lede/site"
	"github.com/lede-news/lede/site/store"
)

// observe returns an observation of generated page n.
func observe(t *testing.T, n int) *site.Observation {
	t.Helper()
	text := fmt.Sprintf("<title>Story %d - Paper</title><nav>Home News Sport</nav><h1>Story %d</h1>%s<footer>All rights are reserved by the paper and its owners since 1890</footer>",
		n, n, strings.Repeat(fmt.Sprintf("<p>This is what story %d has to say about the matter %d, and more.</p>", n, n*7), 1+n%4))
	doc, err := dom.Parse(t.Context(), []byte(text), dom.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return site.NewFingerprint(doc).Observe(fmt.Sprintf("https://paper.example/%d", n), nil, nil)
}

// profiles adds observations in some order, with crashes, and returns the profiles.
func profiles(t *testing.T, obs []*site.Observation, order []int) []byte {
	t.Helper()
	path := filepath.Join(t.TempDir(), "sample")
	s, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	var since []int // added since the last commit
	for i, n := range order {
		since = append(since, n)
		if err := s.Add(fmt.Sprintf("paper%d.example", n%2), obs[n]); err != nil {
			t.Fatal(err)
		}
		switch i % 50 {
		case 20:
			if err := s.Commit(); err != nil {
				t.Fatal(err)
			}
			since = nil
		case 40: // a crash, after which the run is resumed
			s.Close()
			if s, err = Open(path); err != nil {
				t.Fatal(err)
			}
			for _, n := range since {
				if err := s.Add(fmt.Sprintf("paper%d.example", n%2), obs[n]); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
	defer s.Close()
	into, err := store.Open("", store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for range 2 { // the second call has nothing to do
		if lost, err := s.Fold(t.Context(), into); err != nil || lost > 0 {
			t.Fatal(lost, err)
		}
	}
	var all []byte
	for i := range 2 {
		p, err := into.Profile(t.Context(), fmt.Sprintf("paper%d.example", i))
		if err != nil {
			t.Fatal(err)
		}
		if p.Pages() == 0 || p.Pages() > sitePages {
			t.Errorf("learned from %d pages", p.Pages())
		}
		b, err := p.MarshalJSON()
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, b...)
	}
	return all
}

func TestOrderMakesNoDifference(t *testing.T) {
	obs := make([]*site.Observation, 300)
	order := make([]int, len(obs))
	for n := range obs {
		obs[n], order[n] = observe(t, n), n
	}
	want := profiles(t, obs, order)
	rnd := rand.New(rand.NewPCG(1, 2))
	for range 4 {
		rnd.Shuffle(len(order), func(i, j int) { order[i], order[j] = order[j], order[i] })
		if got := profiles(t, obs, order); !bytes.Equal(got, want) {
			t.Error("the profiles depend on the order")
		}
	}
}

// TestDamaged damages files: a damaged one is recognized, or what is left is learned.
func TestDamaged(t *testing.T) {
	sound := filepath.Join(t.TempDir(), "sample")
	s, err := Open(sound)
	if err != nil {
		t.Fatal(err)
	}
	for n := range 100 {
		if err := s.Add(fmt.Sprintf("paper%d.example", n%9), observe(t, n)); err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(s.Commit(), s.Close()); err != nil {
		t.Fatal(err)
	}
	testkit.Damaged(t, sound, func(t *testing.T, path string) {
		for range 2 {
			s, err := Open(path)
			if err == nil {
				err = s.Add("another.example", observe(t, 1000))
				if err == nil {
					into, _ := store.Open("", store.Options{})
					_, err = s.Fold(t.Context(), into)
				}
				err = errors.Join(err, s.Close())
			}
			if err == nil {
				return
			}
			if !errors.Is(err, ErrDamaged) {
				t.Error(err)
			}
			if aside, err := SetAside(path); err != nil || aside != path+".corrupt-1" {
				t.Fatal(aside, err)
			}
		}
		t.Error("a new file is damaged as well")
	})
}
