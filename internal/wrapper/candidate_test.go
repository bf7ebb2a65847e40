package wrapper

import (
	"slices"
	"testing"
)

func TestBodyCandidates(t *testing.T) {
	s := scene(t, `<body id=body at="0 0 1000 3000">
		<div id=top at="0 0 1000 50"><p id=small at="0 0 100 50">Too small</p></div>
		<div id=main at="0 100 1000 2900"><div id=story at="0 200 700 1000"><p id=first at="0 200 700 50">a b</p><p id=low at="0 600 700 50">c d</p></div>
			<div id=comments at="0 1200 700 1500"><p id=comment at="0 1200 700 300">e f</p></div></div>
		<div id=pictures at="0 300 200 200"><img src=x></div><div id=hidden hidden at="0 0 500 500">g</div>`)
	var got []string
	for _, candidates := range s.Bodies() {
		got = append(got, ids(s.Doc, candidates))
	}
	// The least area is 2 % of a screen of 1000 by 500: 10,000.
	want := []string{"body top main story first", "low", "comments comment"}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestPruning: what is in a subtree below the first screen is met with it, and
// what is in a small one not at all.
func TestPruning(t *testing.T) {
	s := scene(t, `<body id=body at="0 0 1000 3000"><div id=low at="0 600 700 1000"><p id=up at="0 0 700 50">a</p></div>
		<div id=small at="0 0 10 10"><p id=large at="0 0 700 700">b</p></div>`)
	by := s.Bodies()
	if len(by) != 2 || ids(s.Doc, by[0]) != "body" || ids(s.Doc, by[1]) != "low up" {
		t.Errorf("got %v", by)
	}
}

func TestTitleCandidates(t *testing.T) {
	for _, x := range []struct{ name, page, want string }{
		{"inside the screen", `<h1 id=a at="0 50 500 40">Mill</h1><h2 id=b at="0 480 500 40">Half out</h2><h2 id=c at="0 600 500 40">Out</h2>`, "a"},
		{"no anchor text", `<h1 id=a at="0 50 500 40"><a href=/other>Mill</a></h1><h2 id=b at="0 100 500 40">By <a href=/ann>Ann</a></h2><p id=c at="0 9 9 9">Wheel</p>`, "c"},
		{"links to the page itself", `<h1 id=a at="0 50 500 40"><a href=/mill>Mill</a></h1><h1 id=b at="0 60 500 40"><a href=https://weir.example/mill#x>Mill</a></h1>`, "a b"},
		{"not a category name", `<a href=/sport at="0 10 50 10">Local
			Sport</a><h2 id=a at="0 50 500 40">LOCAL SPORT</h2><h1 id=b at="0 90 500 40">Mill</h1>`, "b"},
		{"a headline in a list of what is read most", `<a href=/1 at="0 10 50 10">Old mill opens its doors again</a><h1 id=a at="0 50 500 40">Old mill opens its doors again</h1>`, "a"},
		{"no crumb", `<ul><li><a href=/>Home</a><li><h1 id=a at="0 50 500 40">Mill</h1></ul><ul><li id=b at="0 60 90 9">First point of all<li id=c at="0 70 90 9">Second</ul>`, "ul b c"},
		{"a link below the body is no category", `<a href=/sport at="0 2110 50 10">Sport</a><h2 id=a at="0 50 500 40">Sport</h2>`, "a"},
		{"words", `<h1 id=a at="0 50 500 40"><img src=x></h1><h1 id=b at="0 50 500 40">—</h1><h1 hidden id=c at="0 50 500 40">Mill</h1>`, ""},
		{"smallest and around", `<div id=a at="0 50 500 40"><h1 id=b at="0 50 500 40">Mill</h1></div>`, "a b"},
	} {
		s := scene(t, `<body at="0 0 1000 3000">`+x.page+`<div id=story at="0 200 700 2000"><p>a b c</p></div>`)
		if got := ids(s.Doc, s.Titles(byID(t, s.Doc, "story"), false)); got != x.want {
			t.Errorf("%s: got %q, want %q", x.name, got, x.want)
		}
	}
}

// TestTitlesOfLowBody: a title stands in the screen of its body or the one
// before, and with far in any before or the next.
func TestTitlesOfLowBody(t *testing.T) {
	s := scene(t, `<body at="0 0 1000 3000"><p id=a at="0 50 500 40">a</p><p id=b at="0 520 500 40">b</p><div id=story at="0 1100 700 900"><p id=c at="0 1100 700 40">c</p></div>
		<p id=d at="0 2100 500 40">d</p>`)
	body := byID(t, s.Doc, "story")
	for far, want := range map[bool]string{false: "b c", true: "a b story c"} {
		if got := ids(s.Doc, s.Titles(body, far)); got != want {
			t.Errorf("far %v: got %q, want %q", far, got, want)
		}
	}
}
