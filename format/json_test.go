package format_test

import (
	"bytes"
	"encoding/json"
	"math"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/lede-news/lede/article"
	"github.com/lede-news/lede/format"
)

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
			for i := range a.Body {
				a.Body[i].Code = strings.Trim(a.Body[i].Code, "\n")
			}
			equalJSON(t, back, a)
		}
	}
}

func TestJSONText(t *testing.T) {
	a := &article.Article{Title: "T", Body: []article.Block{says("one <b> & two"), {Kind: article.Quote, Blocks: []article.Block{says("three")}}}}
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

// What JSON cannot say, and what no reader of it could take back.
func TestJSONOfOddArticles(t *testing.T) {
	for name, a := range map[string]*article.Article{
		"NaN":          {Confidence: math.NaN()},
		"Inf":          {Confidence: math.Inf(1)},
		"year 12345":   {Published: article.Date{Time: time.Date(12345, 1, 1, 0, 0, 0, 0, time.UTC)}},
		"unknown kind": {Body: []article.Block{{}, {Kind: 99}}},
		"unknown mark": {Body: []article.Block{para(article.Span{Text: "a", Mark: 0xC0})}},
		"deep":         {Body: nested(10_000, layers["table"])},
		"no UTF-8":     stuffed("a\xff\x00"),
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
