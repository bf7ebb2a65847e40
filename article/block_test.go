package article

import (
	"encoding/json"
	"strings"
	"testing"
)

func TestKindRoundTrip(t *testing.T) {
	names := strings.Fields("paragraph heading list quote table code picture video rule")
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
		t.Errorf("this test does not know the kind %v", last)
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
			t.Errorf("%q is taken for %v", name, k)
		}
	}
}

func TestWalkOrder(t *testing.T) {
	body := []Block{
		words("1"),
		{Kind: Quote, Lang: "2", Blocks: []Block{words("3"), {Kind: Quote, Lang: "4", Blocks: []Block{words("5")}}}},
		{Kind: List, Lang: "6", Items: [][]Block{{words("7"), words("8")}, nil, {words("9")}}},
		{Kind: Table, Lang: "10", Rows: [][]Cell{{{Blocks: []Block{words("11")}}, {Blocks: []Block{words("12")}}}, {{}}, {{Blocks: []Block{words("13")}}}}},
		{Kind: Rule, Lang: "14"},
	}
	var got []string
	Walk(body, func(b *Block) {
		got = append(got, b.Lang+Plain(b.Spans))
	})
	if want := "1 2 3 4 5 6 7 8 9 10 11 12 13 14"; strings.Join(got, " ") != want {
		t.Errorf("got %v, want %s", got, want)
	}
}

func TestWalkReachesTheBlocksThemselves(t *testing.T) {
	body := []Block{
		words("a"),
		{Kind: Quote, Blocks: []Block{words("b")}},
		{Kind: List, Items: [][]Block{{words("c")}}},
		{Kind: Table, Rows: [][]Cell{{{Blocks: []Block{words("d")}}}}},
	}
	Walk(body, func(b *Block) {
		if b.Kind == Paragraph {
			b.Spans[0].Text += "!"
			b.Level = 1
		}
	})
	n := 0
	Walk(body, func(b *Block) { n += b.Level })
	if n != 4 || Text(body) != "a!\nb!\nc!\nd!" {
		t.Errorf("%d changed, text %q", n, Text(body))
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

func TestPlain(t *testing.T) {
	for want, spans := range map[string][]Span{
		"":      nil,
		"a":     {{Text: "a", Mark: Strong}},
		"a b\n": {{Text: "a "}, {Text: "b", Href: "/"}, {Text: "\n"}},
	} {
		if got := Plain(spans); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}
