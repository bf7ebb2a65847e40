package newsroom_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/lede-news/lede"
	"github.com/lede-news/lede/article"
	"github.com/lede-news/lede/internal/lab/newsroom"
	"github.com/lede-news/lede/internal/lab/testkit"
)

// TestPressTypes checks that pages are what they are meant to be: lede takes
// nearly all stories for articles and nearly all fronts for lists.
func TestPressTypes(t *testing.T) {
	testkit.SkipRace(t)
	start := time.Date(2026, time.March, 2, 0, 0, 0, 0, time.UTC)
	at := start.Add(70 * time.Hour)
	p := newsroom.NewPress(1, newsroom.PressOptions{Sites: 92, Start: start})
	h := p.Handler(func() time.Time { return at })
	var stories, articles, fronts, lists, titles, prose int
	judge := func(address string) *lede.Article {
		w := httptest.NewRecorder()
		h.ServeHTTP(w, httptest.NewRequest("GET", address, nil))
		if w.Code != http.StatusOK {
			t.Fatalf("%s: %d", address, w.Code)
		}
		a, err := lede.Extract(context.Background(), w.Body, lede.WithURL(address))
		if err != nil {
			t.Logf("%s: %v", address, err)
			return &lede.Article{}
		}
		return a
	}
	for _, s := range p.Sites() {
		published := s.Published(at)
		for n := 1; n <= 4; n++ {
			x := published[len(published)-n*5]
			if !x.Deleted.IsZero() {
				continue
			}
			a := judge(x.URL)
			stories++
			if a.Type == article.TypeArticle {
				articles++
			} else {
				t.Logf("%s (%s): type %q", x.URL, s.Lang, a.Type)
			}
			gold := s.Gold(x.ID, at)
			if strings.ReplaceAll(gold.Title, "\u3000", " ") == a.Title {
				titles++
			} else {
				t.Logf("%s (%s): title %q, want %q", x.URL, s.Lang, a.Title, gold.Title)
			}
			if overlap(gold.Text, a.Text()) > 0.8 {
				prose++
			} else {
				t.Logf("%s (%s): text differs", x.URL, s.Lang)
			}
		}
		for _, path := range []string{"", "archive/", s.Sections()[0] + "/"} {
			a := judge(s.Address() + path)
			fronts++
			if a.Type == article.TypeIndex {
				lists++
			} else {
				t.Logf("%s%s (%s): type %q", s.Address(), path, s.Lang, a.Type)
			}
		}
	}
	t.Logf("%d of %d stories are articles, %d have the title and %d the text of the gold; %d of %d fronts are lists", articles, stories, titles, prose, lists, fronts)
	if articles*100 < stories*98 || lists*100 < fronts*97 || titles*100 < stories*97 || prose*100 < stories*95 {
		t.Error("pages are not what they are meant to be")
	}
}

// overlap returns the share of lines of a text that are also in another.
func overlap(gold, text string) float64 {
	lines := strings.Split(gold, "\n")
	n := 0
	for _, line := range lines {
		if strings.Contains(text, strings.TrimSpace(line)) {
			n++
		}
	}
	return float64(n) / float64(len(lines))
}
