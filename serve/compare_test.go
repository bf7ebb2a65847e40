package serve

import (
	"encoding/json"
	"math"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/lede-news/lede"
	"github.com/lede-news/lede/dom"
)

// getComparison asks for a comparison.
func getComparison(t *testing.T, h http.Handler, query, page string) (c comparison) {
	t.Helper()
	w := ask(h, "POST", "/v1/compare?"+query, page)
	if err := json.Unmarshal(w.Body.Bytes(), &c); err != nil || w.Code != http.StatusOK {
		t.Fatal(err, w.Body)
	}
	return c
}

// TestCompare checks that the blocks of a comparison are what each method keeps alone.
func TestCompare(t *testing.T) {
	t.Parallel()
	h := newService(t, Options{})
	page := sourceOf(t, "modern-semantic")
	c := getComparison(t, h, "url=https://paper.example/story", page)
	if len(c.Methods) != len(comparedMethods) || len(c.Agreement) != len(c.Methods) || len(c.Blocks) < 10 {
		t.Fatalf("%+v", c)
	}
	ex, err := lede.New()
	if err != nil {
		t.Fatal(err)
	}
	for i, m := range c.Methods {
		x, err := ex.Explain(t.Context(), strings.NewReader(page), lede.WithURL("https://paper.example/story"), lede.WithMethod(m.Name))
		if err != nil {
			t.Fatal(err)
		}
		var want, got strings.Builder
		for _, d := range x.Decisions() {
			if d.Role == "kept" {
				want.WriteString(d.Text + " ")
			}
		}
		for _, b := range c.Blocks {
			if slices.Contains(b.Kept, i) {
				got.WriteString(b.Text + " ")
			}
		}
		if got.String() != want.String() || got.Len() == 0 {
			t.Errorf("%s keeps\n%s\nand alone\n%s", m.Name, got.String(), want.String())
		}
		if m.Name != comparedMethods[i] || m.Title != x.Article.Title || m.Words != x.Article.WordCount() || m.Type != x.Article.Type || m.Confidence != x.Article.Confidence {
			t.Errorf("%+v, want %+v", m, x.Article)
		}
		for j, share := range c.Agreement[i] {
			if share != c.Agreement[j][i] || share < 0 || share > 1 || i == j && share != 1 {
				t.Errorf("agreement of %s and %s: %v and %v", m.Name, c.Methods[j].Name, share, c.Agreement[j][i])
			}
		}
	}
}

// TestCompareAgreement checks the shares of characters on a page of known lengths.
func TestCompareAgreement(t *testing.T) {
	t.Parallel()
	c := &comparison{}
	doc, err := dom.Parse(t.Context(), []byte("<p>aaaa</p><p>bb</p><p>cc</p><p hidden>hidden text</p>"), dom.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var texts []lede.Decision
	for n := range doc.Len() {
		if node := dom.Node(n); doc.IsText(node) && !doc.Hidden(node) {
			texts = append(texts, lede.Decision{First: node, Last: node})
		}
	}
	decide := func(roles ...string) []lede.Decision {
		list := slices.Clone(texts)
		for i, r := range roles {
			list[i].Role = r
		}
		return list
	}
	c.join(doc, [][]lede.Decision{decide("kept", "kept", "dropped"), decide("kept", "dropped", "dropped"), nil})
	want := [][]float64{{1, .75, .25}, {.75, 1, .5}, {.25, .5, 1}}
	for i := range want {
		for j := range want[i] {
			if math.Abs(c.Agreement[i][j]-want[i][j]) > 1e-9 {
				t.Errorf("agreement %v, want %v", c.Agreement, want)
			}
		}
	}
	if len(c.Blocks) != 3 || !slices.Equal(c.Blocks[0].Kept, []int{0, 1}) || !slices.Equal(c.Blocks[1].Kept, []int{0}) || len(c.Blocks[2].Kept) != 0 {
		t.Errorf("%+v", c.Blocks)
	}
}

// TestCompareFailures checks methods that fail, and requests that are invalid.
func TestCompareFailures(t *testing.T) {
	t.Parallel()
	h := newService(t, Options{})
	front := strings.Repeat(`<li><a href="/story">A story about the town council</a></li>`, 30) + "<p>A short note of the editors for the readers of this page.</p>"
	c := getComparison(t, h, "methods=nce,coreex&link_text=x", front)
	failed := 0
	for i, m := range c.Methods {
		if m.Error != "" {
			failed++
		}
		if (m.Error == "") != (m.Kind == "") || m.Error != "" && slices.ContainsFunc(c.Blocks, func(b comparedBlock) bool { return slices.Contains(b.Kept, i) }) {
			t.Errorf("%+v", m)
		}
	}
	if failed == 0 || failed == 2 {
		t.Errorf("%d of %+v failed", failed, c.Methods)
	}
	for query, want := range map[string]string{
		"methods=magic": "method", "method=nce": "option", "memory=learn": "option", "format=md": "option",
	} {
		if w := ask(h, "POST", "/v1/compare?"+query, story); problemIn(w).Kind != want {
			t.Errorf("%s: %s", query, w.Body)
		}
	}
	if w := ask(h, "POST", "/v1/compare", ""); problemIn(w).Kind != "empty" {
		t.Error(w.Body)
	}
}

func TestLinks(t *testing.T) {
	t.Parallel()
	h := newService(t, Options{})
	links := func(page, query string) string { return ask(h, "POST", "/v1/links"+query, page).Body.String() }
	var all struct{ Links []json.RawMessage }
	object := links(sourceOf(t, "modern-semantic"), "?url=https://paper.example/")
	if err := json.Unmarshal([]byte(object), &all); err != nil || len(all.Links) < 5 {
		t.Fatal(err, object)
	}
	if got := links("<p>No links here.", ""); got != "{\"links\":[]}\n" {
		t.Error(got)
	}
	if got := links(`<a href="/a">One</a> <a href="/b">Two</a>`, ""); !strings.Contains(got, "name it with url=") {
		t.Error(got)
	}
}

// TestMethods checks that every method is listed with its settings.
func TestMethods(t *testing.T) {
	t.Parallel()
	var got struct {
		Methods []struct {
			Name     string
			Default  bool
			Settings []any
		}
	}
	w := ask(newService(t, Options{}), "GET", "/v1/methods", "")
	if err := json.Unmarshal(w.Body.Bytes(), &got); err != nil || len(got.Methods) != len(lede.Methods()) {
		t.Fatalf("%v: %+v", err, got)
	}
	for i, m := range lede.Methods() {
		if g := got.Methods[i]; g.Name != m.Name || g.Default != (m.Name == lede.DefaultMethod) || len(g.Settings) != len(m.Params()) {
			t.Errorf("%+v, want %s", g, m.Name)
		}
	}
}
