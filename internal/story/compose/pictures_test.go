package compose

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/lede-news/lede/article"
	"github.com/lede-news/lede/dom"
)

// storyPictures composes a page of which the elements with class s are selected,
// and returns the files of its pictures, the lead first, with captions.
func storyPictures(t *testing.T, page string, declared ...string) []string {
	t.Helper()
	d := parse(t, page)
	mask := make([]bool, d.Len())
	for n := dom.Node(0); int(n) < d.Len(); n++ {
		for m := n; d.HasClass(n, "s") && m < d.End(n); m++ {
			mask[m] = true
		}
	}
	opts := Options{URL: pageURL, Pictures: true, Title: d.First(dom.H1)}
	for _, file := range declared {
		opts.Declared = append(opts.Declared, article.Image{URL: "https://paper.example/" + file})
	}
	lead, body := Lead(Blocks(d, mask, opts).Article(), opts.Declared, "A wall that holds.")
	a := article.Article{Lead: lead, Body: body}
	var out []string
	add := func(im *article.Image) {
		s := im.URL[strings.LastIndexByte(im.URL, '/')+1:]
		if im.Caption != "" {
			s += " " + im.Caption
		}
		out = append(out, s)
	}
	if lead != nil {
		add(lead)
	} else {
		out = append(out, "none")
	}
	for b := range a.Blocks() {
		if b.Kind == article.Picture {
			add(b.Image)
		}
	}
	return out
}

func TestStoryPictures(t *testing.T) {
	const wide = `srcset="s.jpg 200w, %s 1200w"`
	pic := func(file string) string { return `<img alt="x" ` + fmt.Sprintf(wide, file) + `>` }
	text := `<p class=s>The tide came at noon, and the wall held.</p>`
	story := func(inside string) string {
		return `<h1>A wall</h1>` + text + inside + `<p class=s>It was the third flood in a year.</p>`
	}
	for _, c := range []struct {
		name, page string
		want       string
		declared   []string
	}{
		{"figure beside the text", story(`<figure>` + pic("a.jpg") + `<figcaption>The wall.</figcaption></figure>`), "none,a.jpg The wall.", nil},
		{"picture in a button", story(`<button class=zoom><figure>` + pic("a.jpg") + `</figure></button>`), "none,a.jpg", nil},
		{"selected button", story(`<div class=s><button>` + pic("a.jpg") + `</button></div>`), "none,a.jpg", nil},
		{"link to a place on the page", story(`<a href="#focus-1"><figure>` + pic("a.jpg") + `<figcaption>The wall.</figcaption></figure></a>`), "none,a.jpg The wall.", nil},
		{"shown by a script", story(`<figure class=s><div style="visibility:hidden">` + pic("a.jpg") + `</div></figure>`), "none,a.jpg", nil},
		{"in a noscript", story(`<figure><div><noscript>` + pic("a.jpg") + `</noscript></div></figure>`), "none,a.jpg", nil},
		{"in an empty element", story(`<figure class=s><div class=lazy data-src="/a.jpg"></div><figcaption>The wall.</figcaption></figure>`), "none,a.jpg The wall.", nil},
		{"selected teaser", story(`<div class=s><a href="/other"><img src="a.jpg" alt="x"> Another story</a></div>`), "none,a.jpg", nil},
		{"caption by class", story(`<div class="wp-caption"><img src="a.jpg"><p>` + strings.Repeat("word ", 60) + `</p></div>`), "none,a.jpg " + strings.TrimSpace(strings.Repeat("word ", 60)), nil},
		{"teaser", story(`<a href="/other"><figure>` + pic("a.jpg") + `<figcaption>Another story about a bridge</figcaption></figure></a>`), "none", nil},
		{"teaser beside a link", story(`<div class="image">` + pic("a.jpg") + `<a href="/other">Another story about a bridge</a></div>`), "none", nil},
		{"another article", story(`<article><figure>` + pic("a.jpg") + `</figure><p>A bridge.</p></article>`), "none", nil},
		{"selected teaser picture", story(`<div class=s><a href="/other"><img src="a.jpg"></a></div>`), "none", nil},
		{"link to the file", story(`<div class=s><a href="/big/a.jpg"><img src="a.jpg"></a></div>`), "none,a.jpg", nil},
		{"portrait", story(`<div class="s article-author__image"><img src="a.jpg"></div>`), "none", nil},
		{"button to print the page", story(`<div class=s><a href="https://print.example/v2?url=https%3A%2F%2Fpaper.example%2Fnews%2Fstory.html"><img src="a.jpg" alt="Print"></a></div>`), "none", nil},
		{"portrait in a link", story(`<figure class=s><a href="/autoren/ann-lee">` + pic("a.jpg") + `</a><figcaption>By Ann Lee</figcaption></figure>`), "none", nil},
		{"hash that contains a word", story(`<div class="s css-3ad9logo xAd"><img src="a.jpg"></div>`), "none,a.jpg", nil},
		{"newsletter", story(`<section class=s><div class="inlineNewsletter">` + pic("a.jpg") + `</div></section>`), "none", nil},
		{"credit that is a link", story(`<figure><img src="a.jpg"><figcaption>Source: <a href="/x">Harbour office</a></figcaption></figure>`), "none,a.jpg", nil},
		{"banner above the text", `<article>` + story(`<div><img src="a.jpg" width=780 height=90></div>`) + `</article>`, "none", nil},
		{"drawing", story(`<div class=s><img src="zoom.svg"></div>`), "none", nil},
		{"large drawing", story(`<div class=s><img src="map.svg" width=800></div>`), "none,map.svg", nil},
		{"card with a caption", story(`<div class="s card"><a href="/media/1"><img src="a.jpg" alt="Cherries"></a><div>Cherries on a <a href="/x">bush</a> in the hills above the town</div></div>`), "none,a.jpg", nil},
		{"folder of icons", story(`<div class=s><img src="/img/icons/play.png"></div>`), "none", nil},
		{"still of a video", story(`<div class="s c-video"><img src="a.jpg"></div>`), "none", nil},
		{"video in a figure", story(`<figure class=s><div class="c-video"><img src="a.jpg"></div></figure>`), "none,a.jpg", nil},
		{"after the end", story("") + `<div class=s><img src="b.jpg"></div><p>More stories</p><div class=s><img src="a.jpg"></div>`, "none,b.jpg", nil},
		{"once, whatever its size", story(`<figure class=s><img src="/320x180/harbour-view-1-320x180.jpg"><img src="/1200/harbour-view-1-scaled.jpg.webp"><figcaption>The wall.</figcaption></figure>`),
			"none,harbour-view-1-scaled.jpg.webp The wall.", nil},
		{"the larger copy", story(`<figure class=s><img src="/max/60/1*harbourview.jpg?q=20"><img src="/max/1200/1*harbourview.jpg"><img src="/max/800/1*harbourview.jpg"></figure>`), "none,1*harbourview.jpg", nil},
		{"the copy has the caption", story(`<div class=s><img src="/s/harbour-view-1.jpg"></div><figure class=s><img src="/m/harbour-view-1.jpg"><figcaption>The wall.</figcaption></figure>`),
			"none,harbour-view-1.jpg The wall.", nil},

		{"head of the story", `<article><figure>` + pic("a.jpg") + `</figure>` + story("") + `</article>`, "a.jpg", nil},
		{"declared, further down", `<article>` + story(`<figure>`+pic("b.jpg")+`</figure>`) + `</article>`, "b.jpg,b.jpg", []string{"b.jpg"}},
		{"shown rather than declared", `<article><h1>A wall</h1><figure>` + pic("a.jpg") + `<figcaption>The wall.</figcaption></figure>` + text + `</article>`, "a.jpg The wall.", []string{"social.jpg"}},
		{"declared rather than weak", `<article><h1>A wall</h1><div class=s><img src="a.jpg"></div>` + text + `</article>`, "social.jpg,a.jpg", []string{"social.jpg"}},
		{"after the standfirst", `<article><h1>A wall</h1><p class=s>A wall that  holds.</p><figure>` + pic("a.jpg") + `</figure>` + text + `</article>`, "a.jpg", []string{"social.jpg"}},
		{"declared in full size", `<article><h1>A wall</h1><div class=s><img src="/120x90/harbour-view-1.jpg" width=120></div>` + text + `</article>`, "harbour-view-1.jpg", []string{"full/1200x900/harbour-view-1.jpg"}},
		{"the largest version", `<article><h1>A wall</h1><figure><img src="/w_320/harbour-view-1.jpg"></figure>` + text + `</article>`, "harbour-view-1.jpg?w_1280", []string{"harbour-view-1.jpg?w_1280"}},
		{"shown rather than a social card of it", `<article><h1>A wall</h1><figure><img src="/800/harbour-view-1.jpg?a"></figure>` + text + `</article>`, "harbour-view-1.jpg?a", []string{"branded/1200/harbour-view-1.jpg"}},
		{"icon of a network", `<article>` + story("") + `</article>`, "none", []string{"icons/facebook.png"}},
		{"picture of the site", `<article>` + story("") + `</article>`, "none", []string{"static/img/default-share.jpg"}},
		{"before the story begins", `<img width=900 src="a.jpg"><h1>A wall</h1><div>` + text + `</div>`, "none", nil},
	} {
		if got := strings.Join(storyPictures(t, c.page, c.declared...), ","); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}

func TestPictureKey(t *testing.T) {
	same := [][]string{
		{"https://i.example/a/harbour-view-1.jpg", "https://cdn.example/w_100/harbour-view-1-1200x630.webp?w=3", "https://i.example/harbour-view-1-scaled.jpg.webp"},
		{"https://s.example/2147/?url=https%3A%2F%2Fa.example%2Fcd%2F040034dc1ab44c97", "https://s.example/99/?url=https%3A%2F%2Fa.example%2Fcd%2F040034dc1ab44c97&w=3"},
		{"https://i.example/a.jpg?w=1", "https://i.example/a.jpg?w=2"},
		{"https://i.example/1200/194191.jpg", "https://i.example/640/194191.webp"},
		{"https://i.example/c/w1200_h630_x1796_y1197_wall-1.jpg", "https://i.example/c/w2100_h1313_x196_y1197_wall-1.webp", "https://i.example/c/wall-1-thumb.jpg"},
		{"https://i.example/03/71095/jpg/1200x628", "https://i.example/03/71095/jpg/640x360", "https://i.example/03/71095"},
	}
	var keys []string
	for _, list := range same {
		for _, a := range list {
			if pictureKey(a) != pictureKey(list[0]) {
				t.Errorf("%s: %q, want %q", a, pictureKey(a), pictureKey(list[0]))
			}
		}
		keys = append(keys, pictureKey(list[0]))
	}
	for _, other := range []string{
		"https://i.example/a/harbour-view-2.jpg", "https://s.example/2147/?url=https%3A%2F%2Fa.example%2Fcd%2F12f081cd09104c19",
		"https://i.example/image?id=4", "https://i.example/image?id=5", "https://i.example/b/a.jpg", "", "https://i.example",
		"https://i.example/03/71096/jpg/1200x628", "https://i.example/c/wall-2.jpg", "https://i.example/c/car-x3.jpg", "https://i.example/c/car-x5.jpg",
	} {
		if slices.Contains(keys, pictureKey(other)) {
			t.Errorf("%s is like another: %v", other, keys)
		}
		keys = append(keys, pictureKey(other))
	}
}

func TestIsGeneric(t *testing.T) {
	for path, want := range map[string]bool{
		"img/fblogo.jpg": true, "i/blank.jpg": true, "social.png": true, "data/avatars/81.jpg": true, "theme/pier/OpenGraph.jpg": true,
		"2024/05/ferry-social.png": false, "sites/default/files/ferry.png": false, "img/ferry.png": false, "img/ferry-facebook.jpg": false,
	} {
		if isGeneric("https://i.example/"+path) != want {
			t.Errorf("%s is generic: want %t", path, want)
		}
	}
}

func TestIsLarger(t *testing.T) {
	const at = "https://i.example/"
	for _, c := range []struct {
		a, b   article.Image
		larger bool
	}{
		{article.Image{URL: at + "w_1280/a.jpg"}, article.Image{URL: at + "w_320/a.jpg"}, true},
		{article.Image{URL: at + "a.jpg"}, article.Image{URL: at + "a-585x439.jpg"}, true},
		{article.Image{URL: at + "a-thumb.jpg"}, article.Image{URL: at + "a-585x439.jpg"}, false},
		{article.Image{URL: at + "wide_1600/a.jpg"}, article.Image{URL: at + "square_1200/a.jpg"}, false},
		{article.Image{URL: at + "h_1800/a.jpg", Width: 900, Height: 1800}, article.Image{URL: at + "wide_1200/a.jpg"}, false},
	} {
		if isLarger(&c.a, &c.b) != c.larger {
			t.Errorf("%s is larger than %s: want %t", c.a.URL, c.b.URL, c.larger)
		}
	}
}

func TestCutCredit(t *testing.T) {
	for _, c := range []struct{ caption, text, credit string }{
		{"The wall. Photo: Ann Lee", "The wall.", "Photo: Ann Lee"},
		{"The wall (Ann Lee/Associated Press)", "The wall (Ann Lee/Associated Press)", ""},
		{"The wall. (Ann Lee/AP)", "The wall.", "Ann Lee/AP"},
		{"The wall | Ann Lee/PA Images via Getty Images", "The wall", "Ann Lee/PA Images via Getty Images"},
		{"Die Mauer im Mai. Ann Lee / Pool via Reuters", "Die Mauer im Mai.", "Ann Lee / Pool via Reuters"},
		{"Die Mauer. Quelle: dpa", "Die Mauer.", "Quelle: dpa"},
		{"The wall. Photo by Ann Lee /AFP", "The wall.", "Photo by Ann Lee /AFP"},
		{"The ferry. The report was published by Reuters last year", "The ferry. The report was published by Reuters last year", ""},
		{"A photo by the sea", "A photo by the sea", ""},
		{"Photo: Ann Lee", "", "Photo: Ann Lee"},
		{"", "", ""},
	} {
		if text, credit := cutCredit(c.caption); text != c.text || credit != c.credit {
			t.Errorf("%q: %q, %q, want %q, %q", c.caption, text, credit, c.text, c.credit)
		}
	}
}
