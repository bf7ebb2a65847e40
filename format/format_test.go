package format_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"io"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/lede-news/lede/article"
	"github.com/lede-news/lede/format"
)

func TestWriteKnowsEveryName(t *testing.T) {
	for _, name := range format.Names() {
		var b bytes.Buffer
		if err := format.Write(&b, &article.Article{Title: "Tide turns"}, name, format.Options{}); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if !strings.Contains(b.String(), "Tide turns") {
			t.Errorf("%s: no headline in %q", name, b.String())
		}
	}
}

func TestNamesIsACopy(t *testing.T) {
	format.Names()[0] = "changed"
	if slices.Contains(format.Names(), "changed") {
		t.Error("callers can change the names")
	}
}

func TestWriteUnknownFormat(t *testing.T) {
	err := format.Write(io.Discard, &article.Article{}, "pdf", format.Options{})
	if !errors.Is(err, format.ErrUnknownFormat) {
		t.Fatalf("got %v, want ErrUnknownFormat", err)
	}
	for _, word := range append(format.Names(), `"pdf"`) {
		if !strings.Contains(err.Error(), word) {
			t.Errorf("%q does not mention %s", err, word)
		}
	}
}

// fullAfter is a writer that fails after a number of bytes.
type fullAfter int

var errFull = errors.New("disk full")

func (n *fullAfter) Write(p []byte) (int, error) {
	if len(p) > int(*n) {
		return int(*n), errFull
	}
	*n -= fullAfter(len(p))
	return len(p), nil
}

func TestWriteErrorsAreReturned(t *testing.T) {
	a := &article.Article{Title: "t", Body: []article.Block{textBlock(strings.Repeat("long ", 5000))}}
	for _, name := range format.Names() {
		for _, limit := range []fullAfter{0, 10, 5000} {
			if err := format.Write(&limit, a, name, format.Options{}); !errors.Is(err, errFull) {
				t.Errorf("%s: got %v", name, err)
			}
		}
	}
}

func TestNilAndEmptyArticles(t *testing.T) {
	for _, name := range format.Names() {
		for _, a := range []*article.Article{nil, {}, {Body: []article.Block{{}, {Kind: article.Paragraph}, {Kind: article.Table}}}} {
			for _, opts := range []format.Options{{}, {BodyOnly: true, Fragment: true, Indent: true}} {
				if err := format.Write(io.Discard, a, name, opts); err != nil {
					t.Errorf("%s: %v", name, err)
				}
			}
		}
	}
}

func TestWritersLeaveTheArticleAlone(t *testing.T) {
	const file = "testdata/english.json"
	a := load(t, file)
	for _, name := range format.Names() {
		if err := format.Write(io.Discard, a, name, format.Options{}); err != nil {
			t.Fatal(err)
		}
	}
	equalJSON(t, a, load(t, file))
}

func TestBodyOnly(t *testing.T) {
	a := load(t, "testdata/english.json")
	for _, name := range []string{"text", "md", "html"} {
		var b bytes.Buffer
		if err := format.Write(&b, a, name, format.Options{BodyOnly: true, Fragment: true}); err != nil {
			t.Fatal(err)
		}
		for _, gone := range []string{"engineers", "Neill", "2024-05-01", "dusted", "lead.jpg", "The wall in March", "I live there"} {
			if strings.Contains(b.String(), gone) {
				t.Errorf("%s has %q", name, gone)
			}
		}
		if !strings.Contains(b.String(), "First come the divers.") {
			t.Errorf("%s has no body", name)
		}
	}
}

func TestLeadIsNotRepeated(t *testing.T) {
	im := &article.Image{URL: "https://img.example/a.jpg", Alt: "the quay"}
	a := &article.Article{Lead: im, Body: []article.Block{textBlock("x"), {Kind: article.Picture, Image: im}}}
	for _, name := range []string{"text", "md", "html"} {
		var b bytes.Buffer
		if err := format.Write(&b, a, name, format.Options{}); err != nil {
			t.Fatal(err)
		}
		if n := strings.Count(b.String(), "the quay"); n != 1 {
			t.Errorf("%s shows it %d times:\n%s", name, n, b.String())
		}
	}
}

func TestBlankComments(t *testing.T) {
	for _, name := range []string{"text", "md"} {
		var b bytes.Buffer
		if err := format.Write(&b, &article.Article{Title: "t", Comments: []string{" ", "\n"}}, name, format.Options{}); err != nil {
			t.Fatal(err)
		}
		if got := strings.TrimPrefix(b.String(), "# "); got != "t\n" {
			t.Errorf("%s: got %q", name, got)
		}
	}
}

func equalJSON(t *testing.T, got, want any) {
	t.Helper()
	g, err := json.Marshal(got)
	if err != nil {
		t.Fatal(err)
	}
	w, err := json.Marshal(want)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(g, w) {
		t.Errorf("got\n%s\nwant\n%s", g, w)
	}
}

func TestJSONRoundTrip(t *testing.T) {
	for _, file := range stories(t) {
		a := load(t, file)
		for _, opts := range []format.Options{{}, {Indent: true}} {
			var b bytes.Buffer
			if err := format.JSON(&b, a, opts); err != nil {
				t.Fatal(err)
			}
			var back article.Article
			if err := json.Unmarshal(b.Bytes(), &back); err != nil {
				t.Fatalf("%s: %v", file, err)
			}
			back.Standfirst, a.Standfirst = "", ""
			for b := range a.Blocks() { // no format has these
				for i := range b.Spans {
					b.Spans[i].Href = strings.Replace(b.Spans[i].Href, "javascript:alert(1)", "", 1)
				}
				if b.Image != nil {
					b.Image.URL = strings.Replace(b.Image.URL, "javascript:alert(1)", "", 1)
				}
			}
			for i := range a.Body {
				a.Body[i].Code = strings.Trim(a.Body[i].Code, "\n")
			}
			equalJSON(t, back, a)
		}
	}
}

func TestJSONText(t *testing.T) {
	a := &article.Article{Title: "T", Body: []article.Block{textBlock("one <b> & two"), {Kind: article.Quote, Blocks: []article.Block{textBlock("three")}}}}
	var b bytes.Buffer
	if err := format.JSON(&b, a, format.Options{}); err != nil {
		t.Fatal(err)
	}
	line := b.String()
	if strings.Count(line, "\n") != 1 || !strings.HasSuffix(line, "}\n") {
		t.Errorf("not one line: %q", line)
	}
	if !strings.Contains(line, `"one <b> & two"`) {
		t.Errorf("escaped for HTML: %s", line)
	}
	if !strings.HasSuffix(line, `,"text":"one <b> & two\nthree"}`+"\n") {
		t.Errorf("text is not the last field: %s", line)
	}
}

func TestJSONFieldOrder(t *testing.T) {
	var b bytes.Buffer
	if err := format.JSON(&b, load(t, "testdata/english.json"), format.Options{}); err != nil {
		t.Fatal(err)
	}
	dec := json.NewDecoder(&b)
	var keys []string
	if _, err := dec.Token(); err != nil {
		t.Fatal(err)
	}
	for dec.More() {
		key, err := dec.Token()
		if err != nil {
			t.Fatal(err)
		}
		keys = append(keys, key.(string))
		var skip json.RawMessage
		if err := dec.Decode(&skip); err != nil {
			t.Fatal(err)
		}
	}
	want := strings.Fields("url canonical title standfirst authors published modified lang site section tags " +
		"lead body comments type confidence method words text")
	if !reflect.DeepEqual(keys, want) {
		t.Errorf("got %v, want %v", keys, want)
	}
}

// TestJSONOfOddArticles writes values that JSON does not have.
func TestJSONOfOddArticles(t *testing.T) {
	for name, a := range map[string]*article.Article{
		"NaN":          {Confidence: math.NaN()},
		"Inf":          {Confidence: math.Inf(1)},
		"year 12345":   {Published: article.Date{Time: time.Date(12345, 1, 1, 0, 0, 0, 0, time.UTC)}},
		"unknown kind": {Body: []article.Block{{}, {Kind: 99}}},
		"unknown mark": {Body: []article.Block{para(article.Span{Text: "a", Mark: 0xC0})}},
		"deep":         {Body: nested(10_000, layers["table"])},
		"no UTF-8":     filled("a\xff\x00"),
	} {
		var b bytes.Buffer
		if err := format.JSON(&b, a, format.Options{}); err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		var back article.Article
		if err := json.Unmarshal(b.Bytes(), &back); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if back.Body == nil {
			t.Errorf("%s: the body is null", name)
		}
	}
}

var update = flag.Bool("update", false, "write the golden files anew")

func load(t testing.TB, file string) *article.Article {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var a article.Article
	if err := json.Unmarshal(data, &a); err != nil {
		t.Fatalf("%s: %v", file, err)
	}
	return &a
}

func stories(t testing.TB) []string {
	t.Helper()
	files, err := filepath.Glob("testdata/*.json")
	if err != nil || len(files) == 0 {
		t.Fatalf("no stories in testdata: %v", err)
	}
	return files
}

func TestGolden(t *testing.T) {
	for _, file := range stories(t) {
		for _, name := range format.Names() {
			t.Run(filepath.Base(file)+"/"+name, func(t *testing.T) {
				var got bytes.Buffer
				if err := format.Write(&got, load(t, file), name, format.Options{Indent: true}); err != nil {
					t.Fatal(err)
				}
				compare(t, strings.TrimSuffix(file, ".json")+"."+name+".golden", got.Bytes())
			})
		}
	}
}

func compare(t *testing.T, golden string, got []byte) {
	t.Helper()
	if *update {
		if err := os.WriteFile(golden, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatalf("%v (go test -update writes it)", err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("differs from %s (go test -update accepts it); got:\n%s", golden, got)
	}
}
