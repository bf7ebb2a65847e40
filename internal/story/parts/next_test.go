package parts

import (
	"strings"
	"testing"

	"github.com/lede-news/lede/dom"
)

const story = "<p>The bridge over the Orla was opened again on Monday, three years after the flood had taken its middle arch.</p>"

// next returns the next page of a page whose story is in an <article> element.
func next(t *testing.T, address, page string) string {
	t.Helper()
	d, err := dom.Parse(t.Context(), []byte("<!DOCTYPE html><title>Bridge</title>"+page), dom.Options{})
	if err != nil {
		t.Fatal(err)
	}
	s := Story{URL: address, Body: dom.None, End: dom.None}
	for n := range d.All(d.Root(), dom.P) {
		if d.Closest(n, dom.Article) == dom.None {
			continue
		}
		if s.Body == dom.None {
			s.Body = n
		}
		s.End = n
	}
	return Next(d, s)
}

func TestNext(t *testing.T) {
	const at = "https://paper.example"
	article := "<article><h1>Bridge</h1>" + strings.Repeat(story, 3) + "</article>"
	comments := strings.Repeat("<div>A reader of the paper says that the bridge is good, and another one says that it is not.</div>", 20)
	for _, test := range []struct{ name, own, page, want string }{
		{"a row of numbers", "/story.html", article + `1 <a href="story-2.html">2</a> <a href="story-3.html">3</a> <a href="story-2.html">Next</a>`, "/story-2.html"},
		{"the second page", "/story-2.html", article + `<a href="story.html">1</a> 2 <a href="story-3.html">3</a> <a href="story-3.html">Next</a>`, "/story-3.html"},
		{"the last page", "/story-3.html", article + `<a href="story.html">1</a> <a href="story-2.html">2</a> 3`, ""},
		{"a parameter", "/story?id=5", article + `<a href="?id=5&page=2">Next page »</a>`, "/story?id=5&page=2"},
		{"a parameter, later", "/story?page=2", article + `<a href="?page=1">1</a> 2 <a href="?page=3">3</a>`, "/story?page=3"},
		{"reader tracking", "/story?utm_source=mail", article + `<a href="?page=2" rel="next">2</a>`, "/story?page=2"},
		{"rel and an arrow", "/story/", article + `<a rel="next" href="/story/2/">»</a>`, "/story/2/"},
		{"rel in the head", "/story", `<link rel="next" href="/story/page/2"><base href="/">` + article + `<a href="/story/page/2"><img alt="" src="x.png"></a> <a href="/story/page/2" rel="nofollow next"></a>`, "/story/page/2"},
		{"Seite 2", "/story", article + `<a href="/story/seite-2">Seite 2</a>`, "/story/seite-2"},
		{"in Chinese", "/a/1234.html", article + `<a href="1234_2.html">2</a> <a href="1234_2.html">下一页</a>`, "/a/1234_2.html"},
		{"before the story", "/story.html", `<div><a href="story_2.html">2</a> <a href="story_3.html">3</a></div>` + article, "/story_2.html"},
		{"a folder", "/story/", article + `<a href="index_2.html">2</a> <a href="index_3.html">3</a>`, "/story/index_2.html"},
		{"another edition of the host", "/story", article + `<a href="https://www.paper.example/story?page=2">2</a>`, "https://www.paper.example/story?page=2"},

		{"the next story", "/2026/story", `<link rel="next" href="/2026/other">` + article + `<a rel="next" href="/2026/other">Next</a>`, ""},
		{"the next story by number", "/news/15", article + `<a rel="next" href="/news/16">Next</a>`, ""},
		{"the next post", "/?p=5", article + `<a rel="next" href="/?p=6">Next</a>`, ""},
		{"a second story of the name", "/morning-links", article + `<a rel="next" href="/morning-links-2">Next</a>`, ""},
		{"a title that begins alike", "/morning-links", article + `<a rel="next" href="/morning-links-2">Morning links</a>`, ""},
		{"a list of stories", "/news/story.html", article + `<a href="/news/page/2">2</a> <a href="/news/page/3">3</a> <a href="/news/page/2">Next</a>`, ""},
		{"the front page", "/", article + `<a href="/?page=2">2</a> <a href="/?page=2">Next</a>`, ""},
		{"the front page by path", "/", article + `<a href="/page/2/">2</a> <a href="/page/2/">Next</a>`, ""},
		{"comments by name", "/story", article + `<div class="comments-pager"><a href="?page=2">2</a> <a href="?page=2">Next</a></div>`, ""},
		{"comments by address", "/story/", article + `<a href="/story/comment-page-2/#comments">2</a> <a rel="next" href="/story/comment-page-2/#comments">Next</a>`, ""},
		{"comments by parameter", "/story/", article + `<a href="?cpage=2">2</a> <a rel="next" href="?cpage=2">Next</a>`, ""},
		{"comments by fragment", "/story/", article + `<a href="?page=2#comments">2</a> <a rel="next" href="?page=2#comments">Next</a>`, ""},
		{"comments by place", "/story", article + comments + `<a href="?page=2">2</a> <a href="?page=2">Next</a>`, ""},
		{"related stories", "/story", article + `<div id="relatedStories"><a href="?page=2">2</a> <a href="?page=2">Next</a></div>`, ""},
		{"pictures of a gallery", "/story", article + `<a href="#2">2</a> <a href="#3">Next</a> <a href="javascript:next()">Next</a>`, ""},
		{"another site", "/story", article + `<a href="https://other.example/story?page=2">2</a> <a href="https://other.example/story?page=2">Next</a>`, ""},
		{"a hidden link", "/story", article + `<a href="?page=2" style="display:none">2</a>`, ""},
		{"words around the number", "/story", article + `<a href="?page=2">2 comments on this story</a>`, ""},
		{"only declared", "/story", `<link rel="next" href="/story?page=2">` + article, ""},
		{"the one before", "/story/3/", article + `<a href="/story/2/">2</a> <a href="/story/2/" rel="prev">Back</a>`, ""},
		{"all stories of the site", "/story.html", article + `1 <a href="/story.html/page/2">2</a> <a href="/story.html/page/2">></a> … <a href="/story.html/page/3731">Last</a>`, ""},
		{"a year", "/story", article + `<a href="/story/2026">Next</a>`, ""},
	} {
		want := test.want
		if strings.HasPrefix(want, "/") {
			want = at + want
		}
		if got := next(t, at+test.own, test.page); got != want {
			t.Errorf("%s: %q, want %q", test.name, got, want)
		}
	}
}

func TestNextOfUnknownAddress(t *testing.T) {
	article := "<article>" + strings.Repeat(story, 3) + "</article>"
	for _, test := range []struct{ name, page, want string }{
		{"numbers", `<a href="story-2.html">2</a> <a href="story-3.html">3</a>`, "story-2.html"},
		{"a parameter", `<a href="?page=2">2</a> <a href="?page=2" rel="next">Next</a>`, "?page=2"},
		{"absolute", `<a href="https://paper.example/story/2">2</a> <a href="https://paper.example/story/2">Next</a>`, "https://paper.example/story/2"},
		{"a later page", `<a href="story-1.html">1</a> <a href="story-2.html">2</a> <a href="story-4.html">4</a>`, ""},
		{"one number", `<a href="story-2.html">2</a>`, ""},
		{"next alone", `<a href="story-2.html" rel="next">Next</a>`, ""},
	} {
		if got := next(t, "", article+test.page); got != test.want {
			t.Errorf("%s: %q, want %q", test.name, got, test.want)
		}
	}
}

// A page with very many links takes linear time and gives up.
func TestNextIsBounded(t *testing.T) {
	page := "<article>" + story + "</article>" + strings.Repeat(`<a href="/story?page=2&x=1">9</a>`, 50_000) + `<a href="?page=2">2</a>`
	if got := next(t, "https://paper.example/story", page); got != "" {
		t.Errorf("%q, want none", got)
	}
}
