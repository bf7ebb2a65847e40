package article

import (
	"encoding/json"
	"testing"
)

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
