package eval_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/lede-news/lede/article"
	"github.com/lede-news/lede/internal/lab/eval"
	"github.com/lede-news/lede/internal/lab/eval/corpus"
	"github.com/lede-news/lede/internal/lab/eval/measure"
)

// harbour writes a corpus of four pages of two sites.
func harbour(t *testing.T) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "harbour")
	if err := os.MkdirAll(filepath.Join(dir, "pages"), 0o777); err != nil {
		t.Fatal(err)
	}
	gold := `{"id":"a","site":"quay.example","lang":"en","type":"article","title":"Gulls leave","text":"They flew off today.","date":"2024-05-14","sections":[{"headline":["Gone"],"paragraphs":["They flew off today."]}],"pictures":[{"urls":["/gulls-over-the-quay.jpg"],"cover":true}]}
{"id":"b","site":"quay.example","lang":"en","type":"article","title":"Ferry late","text":"The ferry is late.","date":"2023-01-02"}
{"id":"c","site":"pier.example","lang":"de","type":"listing","text":"Die Fähre kommt spät.","with":["Fähre"],"without":["Impressum"]}
{"id":"gone","site":"pier.example","text":"This page will vanish."}
`
	write(t, filepath.Join(dir, "gold.jsonl"), gold)
	for _, id := range []string{"a", "b", "c", "gone"} {
		write(t, filepath.Join(dir, "pages", id+".html"), "<title>"+id+"</title><p>page "+id)
	}
	return dir
}

func write(t *testing.T, name, text string) {
	t.Helper()
	if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}

func open(t *testing.T, dir string) *corpus.Corpus {
	t.Helper()
	c, err := corpus.Open(dir)
	if err != nil || c.Problems != nil {
		t.Fatal(err, c.Problems)
	}
	return c
}

// openIncomplete opens the harbour corpus and then removes one of its pages.
func openIncomplete(t *testing.T) *corpus.Corpus {
	t.Helper()
	dir := harbour(t)
	c := open(t, dir)
	if err := os.Remove(filepath.Join(dir, "pages", "gone.html")); err != nil {
		t.Fatal(err)
	}
	return c
}

// fake is a system with fixed outputs by page ID.
type fake struct {
	name    string
	outputs map[string]*measure.Output
}

func (f fake) Name() string { return f.name }

func (f fake) Extract(_ context.Context, in *eval.Input) *measure.Output {
	if out := f.outputs[in.ID]; out != nil && out.Text == "panic" {
		panic("overboard")
	}
	if f.outputs[in.ID] == nil {
		return &measure.Output{Text: "ignored", Error: "no output"}
	}
	return f.outputs[in.ID]
}

func fakes() []eval.System {
	return []eval.System{
		fake{"good", map[string]*measure.Output{
			"a": {Title: "Gulls leave", Text: "They flew off today.", Date: "2024-05-14", Type: "article", Structure: &measure.Structure{
				Lead: "/x/gulls-over-the-quay.webp", Blocks: []measure.Block{{Kind: "heading", Text: "Gone"}, {Kind: "paragraph", Text: "They flew."}},
			}},
			"b": {Title: "Ferry late", Text: "The ferry is late. Share", Date: "2023-01-02", Type: "article"},
			"c": {Text: "Die Fähre kommt spät.", Type: "index"},
		}},
		fake{"bad", map[string]*measure.Output{
			"a": {Text: "They flew Menu Home"},
			"b": {Text: "panic"},
		}},
	}
}

func measures(t *testing.T, names ...string) []measure.Measure {
	t.Helper()
	m, err := measure.Find(names...)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func TestRun(t *testing.T) {
	t.Parallel()
	c := openIncomplete(t)
	pages, last := 0, 0
	var problems []string
	res, err := eval.Run(t.Context(), []*corpus.Corpus{c}, fakes(), measures(t, "bag", "title", "date", "snippet"), eval.Options{
		Each: func(p *eval.Page) {
			pages++
			if len(p.Outputs) != 2 || p.Gold == nil {
				t.Errorf("page %s: %+v", p.ID, p)
			}
		},
		Progress: func(done, total int) {
			if last++; done != last || total != 4 {
				t.Errorf("%d of %d, want %d of 4", done, total, last)
			}
		},
		Problem: func(err error) { problems = append(problems, err.Error()) },
	})
	if err != nil {
		t.Fatal(err)
	}
	if pages != 3 || last != 4 || len(res.Rows) != 3 {
		t.Errorf("%d pages, %d of them in progress calls, %d rows", pages, last, len(res.Rows))
	}
	if len(problems) != 1 || !strings.Contains(problems[0], "gold.jsonl:4") {
		t.Errorf("problems: %q", problems)
	}
	if row := res.Rows[1]; row.ID != "b" || row.Errors[0] != "" || row.Errors[1] != "panic: overboard" {
		t.Errorf("page b: %+v", row)
	}
	if row := res.Rows[2]; row.Errors[1] != "no output" {
		t.Errorf("page c: %+v", row)
	}

	table := res.Table(false)
	// By hand: good has F1 1, 2·(4/5)/(4/5+1) = 8/9 and 1; bad 2·(1/2·1/2)/1 = 1/2, 0 and 0.
	for _, want := range []string{"harbour, 3 pages", "bag P", "good  0.9333  1.0000  0.9630 ±", "bad   0.1667  0.1667  0.1667 ±"} {
		if !strings.Contains(table, want) {
			t.Errorf("no %q in\n%s", want, table)
		}
	}
}

func TestRunStops(t *testing.T) {
	t.Parallel()
	c := openIncomplete(t)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := eval.Run(ctx, []*corpus.Corpus{c}, fakes(), measures(t, "bag"), eval.Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("canceled: %v", err)
	}
	c.Gold = c.Gold[3:]
	if _, err := eval.Run(t.Context(), []*corpus.Corpus{c}, fakes(), measures(t, "bag"), eval.Options{}); err == nil {
		t.Error("no readable page: no error")
	}
}

func TestMethod(t *testing.T) {
	t.Parallel()
	synctest.Test(t, testMethod)
}

func testMethod(t *testing.T) {
	s := eval.Method("mine", func(_ context.Context, in *eval.Input) (*article.Article, string, error) {
		if in.ID == "b" {
			return nil, "", errors.New("no story")
		}
		time.Sleep(time.Millisecond)
		return &article.Article{
			Title: "Gulls", Authors: []article.Author{{Name: "Ann"}}, Type: article.TypeIndex,
			Body: []article.Block{{Kind: article.Paragraph, Spans: []article.Span{{Text: "They flew."}}}},
		}, "The Quay: Gulls", nil
	})
	out := s.Extract(t.Context(), &eval.Input{ID: "a", DocTime: time.Second})
	if s.Name() != "mine" || out.Title != "Gulls" || *out.OwnTitle != "The Quay: Gulls" || out.Text != "They flew." || out.Authors[0] != "Ann" || out.Type != "index" ||
		out.Parse != time.Second || out.Time != time.Second+time.Millisecond {
		t.Errorf("got %+v", out)
	}
	if out := s.Extract(t.Context(), &eval.Input{ID: "b"}); out.Error != "no story" || *out.OwnTitle != "" {
		t.Errorf("got %+v", out)
	}
	if out := s.Extract(t.Context(), &eval.Input{ID: "a", DocErr: errors.New("too large")}); out.Error != "too large" {
		t.Errorf("got %+v", out)
	}
}

func TestPredictions(t *testing.T) {
	t.Parallel()
	dir := harbour(t)
	other := filepath.Join(t.TempDir(), "pier")
	if err := os.MkdirAll(filepath.Join(other, "pages"), 0o777); err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(other, "gold.jsonl"), `{"id":"b","text":"Same id."}`)
	write(t, filepath.Join(other, "pages", "b.html"), "x")
	corpora := []*corpus.Corpus{open(t, dir), open(t, other)}
	file := filepath.Join(t.TempDir(), "pred.jsonl")
	write(t, file, `{"id":"a","text":"They flew off today.","authors":"Ann Gull"}

{"id":"a","text":"Again."}
{"id":"nowhere","text":"x"}
{"id":"b","text":"Which?"}
{"text":"x"}
{"id":"c","text":
{"id":"c","text":"Die Fähre","authors":["A","B"],"time_ms":2}`)
	p, problems, err := eval.ReadPredictions("theirs", file, corpora)
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []string{
		":3: second prediction for page \"a\"", ":4: prediction for an unknown page \"nowhere\"",
		":5: page \"b\" is in several corpora", ":6: prediction without id", ":7: invalid JSON",
	} {
		if i >= len(problems) || !strings.Contains(problems[i].Error(), "pred.jsonl"+want) {
			t.Errorf("want %q, got %q", want, problems)
		}
	}
	if out := p.Extract(t.Context(), &eval.Input{ID: "a"}); out.Text != "They flew off today." || out.Authors[0] != "Ann Gull" {
		t.Errorf("got %+v", out)
	}
	if out := p.Extract(t.Context(), &eval.Input{ID: "c"}); len(out.Authors) != 2 || out.Time != 2*time.Millisecond {
		t.Errorf("got %+v", out)
	}
	if out := p.Extract(t.Context(), &eval.Input{ID: "b"}); out.Error != "no prediction" {
		t.Errorf("got %+v", out)
	}
	if _, _, err := eval.ReadPredictions("theirs", file+".none", corpora); err == nil {
		t.Error("missing file: no error")
	}
}

// TestPredictionsOfBatch reads lines of lede batch --body blocks and --body md, and
// one of another tool.
func TestPredictionsOfBatch(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "batch.jsonl")
	write(t, file, `{"id":"a","text":"They flew.","authors":["Ann Gull"],"lead":{"url":"/gulls.jpg","caption":"Gulls"},"standfirst":"Gone.","body":[{"kind":"heading","level":2,"spans":[{"text":"Gone"}]},{"kind":"picture","image":{"url":"/quay.jpg"}}]}
{"id":"b","text":"Late.","authors":[],"lead":null,"body":"# Late"}
{"id":"c","text":"Spät.","authors":"Bo"}
`)
	p, problems, err := eval.ReadPredictions("batch", file, []*corpus.Corpus{open(t, harbour(t))})
	if err != nil || problems != nil {
		t.Fatal(problems, err)
	}
	for id, want := range map[string]*measure.Output{
		"a": {Text: "They flew.", Authors: []string{"Ann Gull"}, Structure: &measure.Structure{
			Lead: "/gulls.jpg", Standfirst: "Gone.", Blocks: []measure.Block{{Kind: "heading", Text: "Gone"}, {Kind: "picture", URL: "/quay.jpg"}},
		}},
		"b": {Text: "Late.", Authors: []string{}},
		"c": {Text: "Spät.", Authors: []string{"Bo"}},
	} {
		if got := p.Extract(t.Context(), &eval.Input{ID: id}); !reflect.DeepEqual(got, want) {
			t.Errorf("%s: got %+v, want %+v", id, got, want)
		}
	}
}

func TestJSON(t *testing.T) {
	t.Parallel()
	res, err := eval.Run(t.Context(), []*corpus.Corpus{openIncomplete(t)}, fakes(), measures(t, "bag", "snippet"), eval.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := res.WriteJSON(&b); err != nil {
		t.Fatal(err)
	}
	var got struct {
		Corpora []struct {
			Figures map[string]map[string]struct{ Pages int }
		}
	}
	if err := json.Unmarshal(b.Bytes(), &got); err != nil {
		t.Fatal(err)
	}
	if len(got.Corpora) != 1 || got.Corpora[0].Figures["good"]["snippet"].Pages != 1 {
		t.Errorf("got %+v", got)
	}
}

func TestReport(t *testing.T) {
	t.Parallel()
	systems := fakes()
	systems[1].(fake).outputs["a"].Text = "They flew off today.\n<script>alert(1)</script>"
	m := measures(t, "bag")
	report := eval.NewReport(systems, m[0])
	res, err := eval.Run(t.Context(), []*corpus.Corpus{openIncomplete(t)}, systems, m, eval.Options{Each: report.Add})
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	if err := report.Write(&b, res); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"harbour, 3 pages", "<summary>harbour, bad</summary>", "panic: overboard", "<del>The ferry is late.</del>", "<p>They flew off today.</p>",
		"<ins>&lt;script&gt;alert(1)&lt;/script&gt;</ins>",
	} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("no %q in\n%s", want, b.String())
		}
	}
}

// TestMethodStructure measures the blocks of an article, however they are nested.
func TestMethodStructure(t *testing.T) {
	t.Parallel()
	paragraph := func(text string) article.Block {
		return article.Block{Kind: article.Paragraph, Spans: []article.Span{{Text: text}}}
	}
	a := &article.Article{Standfirst: "Fog.", Lead: &article.Image{URL: "/lead.jpg"}, Body: []article.Block{
		{Kind: article.Heading, Spans: []article.Span{{Text: "The "}, {Text: "quay", Mark: article.Strong}}},
		{Kind: article.Quote, Blocks: []article.Block{paragraph("Boats"), paragraph("stay")}},
		{Kind: article.List, Items: [][]article.Block{{paragraph("One"), {Kind: article.Picture, Image: &article.Image{URL: "/buoy.jpg"}}}, {paragraph("Two"), {Kind: article.List, Items: [][]article.Block{{paragraph("Three")}}}}}},
		{Kind: article.Table, Rows: [][]article.Cell{{{Blocks: []article.Block{paragraph("Tide")}}, {Blocks: []article.Block{paragraph("Low")}}}}},
		{Kind: article.Picture, Image: &article.Image{URL: "/gull.jpg"}},
		{Kind: article.Code, Code: "x := 1"},
	}}
	m := eval.Method("blend", func(context.Context, *eval.Input) (*article.Article, string, error) { return a, "", nil })
	got := m.Extract(t.Context(), &eval.Input{}).Structure
	want := &measure.Structure{Standfirst: "Fog.", Lead: "/lead.jpg", Blocks: []measure.Block{
		{Kind: "heading", Text: "The quay"}, {Kind: "paragraph", Text: "Boats"}, {Kind: "paragraph", Text: "stay"},
		{Kind: "paragraph", Text: "One"}, {Kind: "picture", URL: "/buoy.jpg"}, {Kind: "paragraph", Text: "Two"}, {Kind: "paragraph", Text: "Three"},
		{Kind: "paragraph", Text: "Tide"}, {Kind: "paragraph", Text: "Low"}, {Kind: "picture", URL: "/gull.jpg"}, {Kind: "code", Text: "x := 1"},
	}}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
}
