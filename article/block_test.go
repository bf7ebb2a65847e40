package article

import (
	"encoding/json"
	"strings"
	"testing"
)

func TestKindRoundTrip(t *testing.T) {
	names := strings.Fields("paragraph heading list quote table code picture video rule embed")
	for i, name := range names {
		k := Kind(i + 1)
		if k.String() != name {
			t.Errorf("kind %d is %q, want %q", k, k, name)
		}
		data, err := json.Marshal(k)
		if err != nil {
			t.Fatal(err)
		}
		var back Kind
		if err := json.Unmarshal(data, &back); err != nil || back != k {
			t.Errorf("%s came back as %v (%v)", data, back, err)
		}
	}
	if last := Kind(len(names) + 1); !strings.HasPrefix(last.String(), "kind(") {
		t.Errorf("kind %v is missing from this test", last)
	}
}

func TestUnknownKind(t *testing.T) {
	if got := Kind(0).String(); got != "kind(0)" {
		t.Errorf("got %q", got)
	}
	if got := Kind(255).String(); got != "kind(255)" {
		t.Errorf("got %q", got)
	}
	for _, name := range []string{"", "kind(0)", "Paragraph", "para"} {
		k := Quote
		if err := k.UnmarshalText([]byte(name)); err == nil {
			t.Errorf("%q is parsed as %v", name, k)
		}
	}
}

func TestBlocksOrder(t *testing.T) {
	body := []Block{
		paragraph("1"),
		{Kind: Quote, Lang: "2", Blocks: []Block{paragraph("3"), {Kind: Quote, Lang: "4", Blocks: []Block{paragraph("5")}}}},
		{Kind: List, Lang: "6", Items: [][]Block{{paragraph("7"), paragraph("8")}, nil, {paragraph("9")}}},
		{Kind: Table, Lang: "10", Rows: [][]Cell{{{Blocks: []Block{paragraph("11")}}, {Blocks: []Block{paragraph("12")}}}, {{}}, {{Blocks: []Block{paragraph("13")}}}}},
		{Kind: Rule, Lang: "14"},
	}
	var got []string
	for b := range (&Article{Body: body}).Blocks() {
		got = append(got, b.Lang+SpanText(b.Spans))
	}
	if want := "1 2 3 4 5 6 7 8 9 10 11 12 13 14"; strings.Join(got, " ") != want {
		t.Errorf("got %v, want %s", got, want)
	}
}

func TestBlocksCanBeModified(t *testing.T) {
	a := Article{Body: []Block{
		paragraph("a"),
		{Kind: Quote, Blocks: []Block{paragraph("b")}},
		{Kind: List, Items: [][]Block{{paragraph("c")}}},
		{Kind: Table, Rows: [][]Cell{{{Blocks: []Block{paragraph("d")}}}}},
	}}
	for b := range a.Blocks() {
		if b.Kind == Paragraph {
			b.Spans[0].Text += "!"
			b.Level = 1
		}
	}
	n := 0
	for b := range a.Blocks() {
		n += b.Level
	}
	if n != 4 || a.Text() != "a!\nb!\nc!\nd!" {
		t.Errorf("%d changed, text %q", n, a.Text())
	}
}

func TestBlocksStops(t *testing.T) {
	inner := []Block{paragraph("in"), paragraph("in")}
	a := Article{Body: []Block{
		{Kind: Quote, Blocks: inner},
		{Kind: List, Items: [][]Block{inner, inner}},
		{Kind: Table, Rows: [][]Cell{{{Blocks: inner}, {Blocks: inner}}}},
		paragraph("end"),
	}}
	total := 0
	for range a.Blocks() {
		total++
	}
	for stop := range total {
		n := 0
		for range a.Blocks() {
			if n++; n > stop {
				break
			}
		}
		if n != stop+1 {
			t.Errorf("got %d blocks, want %d", n, stop+1)
		}
	}
}

func TestMarkRoundTrip(t *testing.T) {
	for m := range Mark(1 << 6) {
		data, err := json.Marshal(m)
		if err != nil {
			t.Fatal(err)
		}
		var back Mark
		if err := json.Unmarshal(data, &back); err != nil || back != m {
			t.Errorf("%06b is written %s and read %06b (%v)", m, data, back, err)
		}
	}
}

func TestMarkNames(t *testing.T) {
	data, err := json.Marshal(Span{Text: "a", Mark: Strike | Strong})
	if err != nil {
		t.Fatal(err)
	}
	if want := `{"text":"a","mark":"strong strike"}`; string(data) != want {
		t.Errorf("got %s, want %s", data, want)
	}
	var s Span
	if err := json.Unmarshal([]byte(`{"text":"a","mark":"strike  emphasis strike"}`), &s); err != nil || s.Mark != Strike|Emphasis {
		t.Errorf("got %06b (%v)", s.Mark, err)
	}
	if err := json.Unmarshal([]byte(`{"text":"a","mark":"strong blink"}`), &s); err == nil {
		t.Error("an unknown mark is read")
	}
	if data, err = json.Marshal(Span{Text: "a"}); err != nil || string(data) != `{"text":"a"}` {
		t.Errorf("no mark is written as %s (%v)", data, err)
	}
}

func TestSpanText(t *testing.T) {
	for want, spans := range map[string][]Span{
		"":      nil,
		"a":     {{Text: "a", Mark: Strong}},
		"a b\n": {{Text: "a "}, {Text: "b", Href: "/"}, {Text: "\n"}},
	} {
		if got := SpanText(spans); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}
