package lede

import (
	"errors"
	"strings"
	"testing"
)

func TestScripts(t *testing.T) {
	t.Parallel()
	const story = "<p>The bridge over the Orla was opened again on Monday, three years after the flood had taken its middle arch.</p>"
	for _, test := range []struct {
		name, page string
		want       bool
	}{
		{"an empty element", `<title>x</title><script src="a.js"></script><div id="root"></div>`, true},
		{"an element that waits", `<div id="app">Loading …</div><a href="/">Home</a> <footer>Imprint of the paper</footer><script>load()</script>`, true},
		{"a request in noscript", `<noscript>Please turn on JavaScript.</noscript><ul><li><a href="/a">One</a><li><a href="/b">Two</a></ul><script>load()</script>`, true},
		{"a request", `<h1>One moment</h1><p>Bitte JavaScript einschalten, um die Seite zu sehen.</p><script>load()</script>`, true},
		{"no scripts", `<div id="root"></div>`, false},
		{"data only", `<div id="root"></div><script type="application/ld+json">{}</script>`, false},
		{"a short story", `<div id="root"><h1>Bridge</h1>` + story + `</div><noscript>Please turn on JavaScript.</noscript><script>load()</script>`, false},
		{"a story about it", `<script>load()</script><h1>JavaScript is thirty</h1>` + strings.Repeat(story, 5), false},
		{"links", `<script>load()</script><ul>` + strings.Repeat(`<li><a href="/a">One of the stories</a>`, 5) + `</ul>`, false},
	} {
		_, err := Extract(t.Context(), strings.NewReader(test.page))
		if got := errors.Is(err, ErrScripts); got != test.want || got && !errors.Is(err, ErrNoContent) {
			t.Errorf("%s: %v", test.name, err)
		}
	}
}
