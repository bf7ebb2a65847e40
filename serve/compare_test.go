package serve

import (
	"encoding/json"
	"math"
	"net/http"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/lede-news/lede"
	"github.com/lede-news/lede/dom"
)

func ownPage(t testing.TB) string {
	t.Helper()
	page, err := os.ReadFile("../testdata/pages/modern-semantic/source.html")
	if err != nil {
		t.Fatal(err)
	}
	return string(page)
}

// getComparison asks for a comparison.
func getComparison(t *testing.T, address, page string) (c comparison) {
	t.Helper()
	resp, body := sendBody(t, address, "text/html", page)
	if resp.StatusCode != http.StatusOK {
		t.Fatal(resp.Status, body)
	}
	if err := json.Unmarshal([]byte(body), &c); err != nil {
		t.Fatal(err)
	}
	return c
}

// TestCompare checks that the blocks of a comparison are what each method keeps alone.
func TestCompare(t *testing.T) {
	srv := newServer(t, Options{})
	page := ownPage(t)
	c := getComparison(t, srv.URL+"/v1/compare?url=https://paper.example/story", page)
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
	c := &comparison{}
	doc := parsePage(t, "<p>aaaa</p><p>bb</p><p>cc</p><p hidden>hidden text</p>")
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
	srv := newServer(t, Options{})
	front := strings.Repeat(`<li><a href="/story">A story about the town council</a></li>`, 30) + "<p>A short note of the editors for the readers of this page.</p>"
	c := getComparison(t, srv.URL+"/v1/compare?methods=nce,coreex&link_text=x", front)
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
		"methods=magic": "method", "methods=nce,nce": "option", "method=nce": "option", "memory=learn": "option", "format=md": "option",
	} {
		if _, body := sendBody(t, srv.URL+"/v1/compare?"+query, "text/html", story); !strings.Contains(body, `"kind":"`+want+`"`) {
			t.Errorf("%s: %s", query, body)
		}
	}
	if _, body := sendBody(t, srv.URL+"/v1/compare", "text/html", ""); !strings.Contains(body, `"kind":"empty"`) {
		t.Error(body)
	}
}

// TestLinks checks the two forms of the links of a page.
func TestLinks(t *testing.T) {
	srv := newServer(t, Options{})
	_, object := sendBody(t, srv.URL+"/v1/links?url=https://paper.example/", "text/html", ownPage(t))
	var all struct{ Links []json.RawMessage }
	if err := json.Unmarshal([]byte(object), &all); err != nil || len(all.Links) < 5 {
		t.Fatal(err, object)
	}
	req, _ := http.NewRequest(http.MethodPost, srv.URL+"/v1/links?url=https://paper.example/", strings.NewReader(ownPage(t)))
	req.Header.Set("Accept", ndjson)
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	dec := json.NewDecoder(resp.Body)
	for i, link := range all.Links {
		var line json.RawMessage
		if err := dec.Decode(&line); err != nil || string(line) != string(link) {
			t.Errorf("line %d: %v: %s, want %s", i, err, line, link)
		}
	}
	if _, body := sendBody(t, srv.URL+"/v1/links", "text/html", "<p>No links here."); body != "{\"links\":[]}\n" {
		t.Error(body)
	}
	if _, body := sendBody(t, srv.URL+"/v1/links", "text/html", `<a href="/a">One</a> <a href="/b">Two</a>`); !strings.Contains(body, "name it with url=") {
		t.Error(body)
	}
	req.Header.Set("Accept", "text/csv")
	req.Body = http.NoBody
	if resp, err := http.DefaultClient.Do(req); err != nil || resp.StatusCode != http.StatusNotAcceptable {
		t.Error(resp, err)
	}
}

// TestMethods checks that every method is listed with its settings.
func TestMethods(t *testing.T) {
	srv := newServer(t, Options{})
	resp, err := http.Get(srv.URL + "/v1/methods")
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	var got struct{ Methods []methodInfo }
	if err := json.NewDecoder(resp.Body).Decode(&got); err != nil {
		t.Fatal(err)
	}
	want := lede.Methods()
	if len(got.Methods) != len(want) {
		t.Fatalf("%d methods, want %d", len(got.Methods), len(want))
	}
	for i, m := range want {
		g := got.Methods[i]
		if g.Name != m.Name || g.About != m.About || g.Default != (m.Name == lede.DefaultMethod) || len(g.Settings) != len(m.Params()) {
			t.Errorf("%+v, want %s", g, m.Name)
		}
	}
	if resp, err := http.Get(srv.URL + "/v1/methods?name=nce"); err != nil || resp.StatusCode != http.StatusBadRequest {
		t.Error(resp, err)
	}
}

// TestDescription checks that the description has the version of the service.
func TestDescription(t *testing.T) {
	srv := newServer(t, Options{})
	resp, err := http.Get(srv.URL + "/openapi.json")
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	var doc struct {
		OpenAPI string
		Info    struct{ Version string }
	}
	if err := json.NewDecoder(resp.Body).Decode(&doc); err != nil || doc.OpenAPI != "3.1.0" || doc.Info.Version == "" {
		t.Errorf("%v: %+v", err, doc)
	}
	if strings.Count(string(openAPI), `"version": "devel"`) != 1 {
		t.Error("openapi.json has no place for the version")
	}
}

func parsePage(t testing.TB, page string) *dom.Document {
	t.Helper()
	d, err := dom.Parse(t.Context(), []byte(page), dom.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return d
}
