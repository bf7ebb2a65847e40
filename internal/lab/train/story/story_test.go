package story

import (
	"context"
	"errors"
	"slices"
	"testing"

	"github.com/lede-news/lede/article"
	"github.com/lede-news/lede/internal/lab/eval/corpus"
	"github.com/lede-news/lede/internal/lab/eval/measure"
	"github.com/lede-news/lede/internal/lab/newsroom"
	"github.com/lede-news/lede/internal/methods/blend"
	"github.com/lede-news/lede/internal/story/compose"
	"github.com/lede-news/lede/method"
)

// newsroomExamples returns n articles and the home page of each made-up site.
func newsroomExamples(t testing.TB, n int) []*Example {
	t.Helper()
	var all []*Example
	add := func(p newsroom.Page) {
		g := &corpus.Gold{ID: p.Gold.ID, URL: p.Gold.URL, Site: p.Gold.Site, Type: p.Gold.Type, Title: p.Gold.Title, Text: p.Gold.Text}
		x, err := NewExample(t.Context(), g, p.HTML)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, x)
	}
	for _, s := range newsroom.New(7).Sites() {
		for i := range n {
			add(s.Page(i))
		}
		add(s.Index(""))
	}
	return all
}

func TestLabels(t *testing.T) {
	t.Parallel()
	page := `<title>The ferry is back | Paper</title><h1>The ferry is back</h1><nav><a href=/>Home</a></nav>
		<p>The first ferry in two years left the pier at six.</p><div>Buy a boat, today only.</div><p>Every seat was taken, said the harbour office.</p>`
	g := &corpus.Gold{ID: "a", Type: "listing", Title: "The ferry is back", Text: "The first ferry in two years left the pier at six.\nEvery seat was taken, said the harbour office."}
	x, err := NewExample(t.Context(), g, []byte(page))
	if err != nil {
		t.Fatal(err)
	}
	want := []float32{0, 0, 1, 0, 1}
	for i, s := range x.Story {
		if s != want[i] || x.Title[i] != (i == 0) {
			t.Errorf("block %d: story %v, title %v", i, s, x.Title[i])
		}
	}
	if x.Kind != article.TypeIndex || x.Site != "a" {
		t.Errorf("kind %s, site %s", x.Kind, x.Site)
	}
}

// TestTrain trains on made-up sites and extracts the pages of each with the model
// that has not seen it.
func TestTrain(t *testing.T) {
	t.Parallel()
	all := newsroomExamples(t, 3)
	model, cross, err := Train(t.Context(), all, Options{Trees: 30})
	if err != nil {
		t.Fatal(err)
	}
	var scores []measure.PRF
	for _, x := range all {
		if x.Kind != article.TypeArticle {
			continue
		}
		s, err := blend.New(blend.Config{Model: cross.For(x.Fold)}).Select(context.Background(), &method.Page{Doc: x.Doc, URL: x.Gold.URL})
		if err != nil {
			t.Errorf("%s: %v", x.Gold.ID, err)
			continue
		}
		body := compose.Blocks(x.Doc, s.Mask(x.Doc), compose.Options{})
		scores = append(scores, measure.Score(x.Gold, x.Gold.Title, article.Text(compose.DropHeadline(body, x.Gold.Title).Article())))
	}
	if f := measure.Mean(scores).F1; f < 0.8 {
		t.Errorf("F1 on unseen sites is %.3f", f)
	}
	b, err := model.MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	if err := new(blend.Model).UnmarshalBinary(b); err != nil {
		t.Error(err)
	}
}

// TestFromNewsroom checks that made-up sites give stories and lists, whole and cut, with labels.
func TestFromNewsroom(t *testing.T) {
	t.Parallel()
	all, err := FromNewsroom(t.Context(), 1, func(string, int, int) {})
	if err != nil {
		t.Fatal(err)
	}
	count := map[[2]bool]int{} // by list, and by fragment
	for _, x := range all {
		if x.mismatched || !slices.ContainsFunc(x.Story, func(s float32) bool { return s > 0.5 }) {
			t.Errorf("%s: no text", x.Gold.ID)
		}
		count[[2]bool{x.isOther(), x.isFragment}]++
	}
	if count[[2]bool{false, false}] < 20 || count[[2]bool{true, false}] < 8 || count[[2]bool{true, true}] < 4 {
		t.Errorf("stories, lists and parts of them: %v", count)
	}
}

func TestTrainErrors(t *testing.T) {
	t.Parallel()
	if _, _, err := Train(t.Context(), nil, Options{}); !errors.Is(err, ErrNoExamples) {
		t.Errorf("no pages: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, _, err := Train(ctx, newsroomExamples(t, 1), Options{Trees: 5}); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}
