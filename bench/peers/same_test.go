package main

import (
	"fmt"
	"strings"
	"testing"

	"github.com/lede-news/lede"
	"github.com/lede-news/lede/bench/peers/rivals"
	"github.com/lede-news/lede/internal/lab/eval"
	"github.com/lede-news/lede/internal/lab/eval/measure"
)

func TestSame(t *testing.T) {
	systems := []eval.System{
		eval.Method("lede nce", nil), eval.Method("lede "+lede.DefaultMethod, nil), eval.Method(rivals.FromPython, nil),
	}
	var messages []string
	s := newSame(systems, func(format string, args ...any) { messages = append(messages, fmt.Sprintf(format, args...)) })
	whole := measure.Output{Title: "Rain", Text: "It rained.", Authors: []string{"Ann"}, Date: "2024-03-09", Type: "article"}
	add := func(id string, change func(*measure.Output)) {
		other := whole
		change(&other)
		s.add(&eval.Page{Row: &eval.Row{Corpus: "courier", ID: id}, Outputs: []*measure.Output{{}, &whole, &other}})
	}
	add("equal", func(o *measure.Output) { o.Time = 3 }) // times differ always
	add("error", func(o *measure.Output) { o.Error = "NoContentError: no article" })
	add("title", func(o *measure.Output) { o.Title = "" })
	add("text", func(o *measure.Output) { o.Text += "\n" })
	add("authors", func(o *measure.Output) { o.Authors = nil })
	add("date", func(o *measure.Output) { o.Date = "2024-03-10" })
	add("type", func(o *measure.Output) { o.Type = "" })
	if len(messages) != 6 {
		t.Errorf("%d messages: %q", len(messages), messages)
	}
	for _, m := range messages {
		if id := strings.Fields(m)[1]; !strings.Contains(m, "differ: "+strings.TrimSuffix(id, ":")) {
			t.Errorf("wrong part: %s", m)
		}
	}
	var out strings.Builder
	s.print(&out)
	if got, want := out.String(), "lede-news has the output of lede blend on 1 of 7 pages\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestSameWithoutPython checks that nothing is compared if one of the two is not
// measured.
func TestSameWithoutPython(t *testing.T) {
	s := newSame([]eval.System{eval.Method("lede "+lede.DefaultMethod, nil)}, t.Logf)
	s.add(&eval.Page{Row: &eval.Row{}, Outputs: []*measure.Output{{}}})
	var out strings.Builder
	if s.print(&out); s.pages != 0 || out.Len() != 0 {
		t.Errorf("compared %d pages: %q", s.pages, out.String())
	}
}

// TestFromPython compares lede from Python, if it is installed, with lede in Go.
func TestFromPython(t *testing.T) {
	const home = "."
	chosen, err := rivals.Choose(home, rivals.FromPython)
	if err != nil {
		t.Skip(err)
	}
	out, msg, err := peers(t, makeCorpus(t), "--home", home, "--rivals", chosen[0].Name)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(out, "on 1 of 1 pages") {
		t.Errorf("another output than in Go:\n%s%s", out, msg)
	}
}
