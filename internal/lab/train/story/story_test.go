package story

import (
	"context"
	"errors"
	"strings"
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
	all := newsroomExamples(t, 3)
	model, cross, err := Train(t.Context(), all, Options{Trees: 30, Depth: 4})
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
		scores = append(scores, measure.Score(x.Gold, x.Gold.Title, article.Text(compose.DropHeadline(body, x.Gold.Title))))
	}
	if f := measure.Mean(scores).F1; f < 0.8 {
		t.Errorf("F1 on unseen sites is %.3f", f)
	}
	b, err := model.MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	again, _, err := Train(t.Context(), all, Options{Trees: 30, Depth: 4})
	if err != nil {
		t.Fatal(err)
	}
	if c, _ := again.MarshalBinary(); string(b) != string(c) {
		t.Error("training twice gave different models")
	}
	if err := new(blend.Model).UnmarshalBinary(b); err != nil {
		t.Error(err)
	}
}

func TestTrainErrors(t *testing.T) {
	if _, _, err := Train(t.Context(), nil, Options{}); !errors.Is(err, ErrNoExamples) {
		t.Errorf("no pages: %v", err)
	}
	if err := (Options{Without: []string{"words", "wrods"}}).Check(); err == nil {
		t.Error("no error for an unknown feature")
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, _, err := Train(ctx, newsroomExamples(t, 1), Options{Trees: 5}); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

// Articles alone, of several sites or of one, give a model that can be used. It
// classifies pages as the embedded model does.
func TestTrainOnArticlesAlone(t *testing.T) {
	for _, c := range []struct {
		sites, pages int
		want         string
	}{
		{6, 2, "all pages are of one type"},
		{1, 3, "all pages are of one site"},
		{1, 1, "all pages are of one site"},
	} {
		var all []*Example
		for _, s := range newsroom.New(7).Sites()[:c.sites] {
			for i := range c.pages {
				p := s.Page(i)
				x, err := NewExample(t.Context(), &corpus.Gold{ID: p.Gold.ID, URL: p.Gold.URL, Site: p.Gold.Site, Type: p.Gold.Type, Title: p.Gold.Title, Text: p.Gold.Text}, p.HTML)
				if err != nil {
					t.Fatal(err)
				}
				all = append(all, x)
			}
		}
		var warned string
		model, _, err := Train(t.Context(), all, Options{Trees: 20, Depth: 3, Warn: func(text string) { warned += text + "\n" }})
		if err != nil {
			t.Errorf("%+v: %v", c, err)
			continue
		}
		if !strings.Contains(warned, c.want) || !strings.Contains(warned, "all pages are of one type") {
			t.Errorf("%+v: warned %q", c, warned)
		}
		b, err := model.MarshalBinary()
		if err != nil {
			t.Fatal(err)
		}
		decoded := new(blend.Model)
		if err := decoded.UnmarshalBinary(b); err != nil {
			t.Fatal(err)
		}
		x := all[0]
		s, err := blend.New(blend.Config{Model: decoded}).Select(t.Context(), &method.Page{Doc: x.Doc, URL: x.Gold.URL})
		if err != nil || s.Type != article.TypeArticle {
			t.Errorf("%+v: %+v, %v", c, s, err)
		}
		if _, _, err := Train(t.Context(), all, Options{Trees: 5, Depth: 3, Cross: true}); errors.Is(err, ErrOneSite) != (c.sites == 1) {
			t.Errorf("%+v: cross-validation: %v", c, err)
		}
	}
}

// Sites that are all in one round are spread over several.
func TestSpread(t *testing.T) {
	all := []*Example{{Site: "a"}, {Site: "b"}, {Site: "a"}, {Site: "c"}}
	if !spread(all) || round(all[0].Fold) == round(all[1].Fold) || all[0].Fold != all[2].Fold || round(all[3].Fold) == round(all[1].Fold) {
		t.Errorf("%+v", all)
	}
	all = []*Example{{Site: "a", Fold: 7}, {Site: "a", Fold: 7}}
	if spread(all) || all[0].Fold != 7 {
		t.Errorf("one site: %+v", all[0])
	}
}
