package compose

import (
	"testing"

	"github.com/lede-news/lede/article"
	"github.com/lede-news/lede/dom"
)

// TestMask keeps the text nodes and pictures that a case names, and nothing
// around them.
func TestMask(t *testing.T) {
	tests := []struct{ name, page, drop, want string }{
		{"text in the middle", "<p>One <b>two</b> three.</p>", "two", "p One three.\n"},
		{"line breaks that are not kept", "<div>One<br>two<br>three</div>", "two", "p One\np three\n"},
		{"a block in the middle of text", "<div>One <div>two</div> three</div>", "two", "p One\np three\n"},
		{"item", "<ul><li>One</li><li>two</li></ul>", "two", "ul\n  li\n    p One\n"},
		{"field", "<table><tr><th>One</th><th>two</th></tr></table>", "two", "table\n  tr\n    th\n      p One\n    th\n"},
		{"heading", "<h2>two</h2><p>One</p>", "two", "p One\n"},
		{"everything", "<h2>two</h2><ul><li>two</li></ul><blockquote>two</blockquote>", "two", ""},
		{"code", "<pre>a = {1}; <b>two</b> c = {2};</pre>", "two", "code  \"a = {1};  c = {2};\"\n"},
	}
	for _, tc := range tests {
		d := parse(t, tc.page)
		mask := make([]bool, d.Len())
		for n := range mask {
			mask[n] = d.IsText(dom.Node(n)) && d.Text(dom.Node(n)) != tc.drop
		}
		if got := dump(Blocks(d, mask, Options{Pictures: true})); got != tc.want {
			t.Errorf("%s: %s\ngives\n%swant\n%s", tc.name, tc.page, got, tc.want)
		}
	}
}

func TestCaptionsAsText(t *testing.T) {
	const page = `<p>Body.</p><figure><img src="a.jpg"><figcaption>Under it.</figcaption></figure>`
	d := parse(t, page)
	for _, tc := range []struct {
		opts Options
		want string
	}{
		{Options{}, "Body."},
		{Options{Pictures: true}, "Body."},
		{Options{Captions: true}, "Body.\nUnder it."},
		{Options{Captions: true, Pictures: true}, "Body.\nUnder it."},
	} {
		if got := article.Text(Blocks(d, all(d), tc.opts)); got != tc.want {
			t.Errorf("%+v: %q, want %q", tc.opts, got, tc.want)
		}
	}
}

func TestLinksWithoutAddress(t *testing.T) {
	d := parse(t, `<p><a href="/x">x</a> <a href="https://o.example/">o</a> <a href="javascript:x">j</a></p>`)
	const want = "p [x](/x) [o](https://o.example/) j\n"
	for _, addr := range []string{"", "http://[bad"} {
		if got := dump(Blocks(d, all(d), Options{URL: addr})); got != want {
			t.Errorf("%q: %s, want %s", addr, got, want)
		}
	}
}

func TestDropHeadline(t *testing.T) {
	tests := []struct{ name, page, title, want string }{
		{"first", "<h1>The Bridge</h1><p>Body.</p>", "The Bridge", "Body."},
		{"other case and blanks", "<h1>THE  bridge</h1><p>Body.</p>", "The Bridge", "Body."},
		{"third", "<p>Town</p><p>Monday</p><h2>The Bridge</h2><p>Body.</p>", "The Bridge", "Town\nMonday\nBody."},
		{"further down it is part of the story", "<p>a</p><p>b</p><p>c</p><p>The Bridge</p>", "The Bridge", "a\nb\nc\nThe Bridge"},
		{"only once", "<h1>The Bridge</h1><h1>The Bridge</h1>", "The Bridge", "The Bridge"},
		{"part of a paragraph", "<p>The Bridge is new.</p>", "The Bridge", "The Bridge is new."},
		{"no title", "<p>Body.</p>", "", "Body."},
	}
	for _, tc := range tests {
		d := parse(t, tc.page)
		body := Blocks(d, all(d), Options{})
		if got := article.Text(DropHeadline(body, tc.title)); got != tc.want {
			t.Errorf("%s: %q, want %q", tc.name, got, tc.want)
		}
	}
}
